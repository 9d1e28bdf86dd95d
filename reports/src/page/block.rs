//! Blocks of data inside a page: columns of numbers, or lists of texts, compressed and written in base 64.
//!
//! A column is little-endian, and its bytes are dealt out by their significance, all first ones and then all
//! second ones, since neighbours in a column have the same high bytes: that halves what is left after
//! compression. Columns of one block follow one another without gaps.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::{Value, json};

/// A column of numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Column {
    /// Small numbers: statuses.
    U8(Vec<u8>),
    /// Places in lists.
    U32(Vec<u32>),
    /// Places in lists that never decrease, kept as the differences.
    Rising(Vec<u32>),
    /// Measurements; what was not measured is no number.
    F32(Vec<f32>),
    /// Counters: exact up to 2^53.
    F64(Vec<f64>),
}

impl Column {
    fn kind(&self) -> &'static str {
        match self {
            Self::U8(_) => "u8",
            Self::U32(_) => "u32",
            Self::Rising(_) => "rising",
            Self::F32(_) => "f32",
            Self::F64(_) => "f64",
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::U8(cells) => cells.len(),
            Self::U32(cells) | Self::Rising(cells) => cells.len(),
            Self::F32(cells) => cells.len(),
            Self::F64(cells) => cells.len(),
        }
    }

    /// Appends the column's bytes.
    fn append(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::U8(cells) => bytes.extend(cells),
            Self::U32(cells) => dealt(cells.iter().map(|cell| cell.to_le_bytes()), bytes),
            Self::Rising(cells) => {
                let before = |at: usize| at.checked_sub(1).map_or(0, |before| cells[before]);
                let step = |(at, cell): (usize, &u32)| cell.wrapping_sub(before(at)).to_le_bytes();
                dealt(cells.iter().enumerate().map(step), bytes);
            }
            Self::F32(cells) => dealt(cells.iter().map(|cell| cell.to_le_bytes()), bytes),
            Self::F64(cells) => dealt(cells.iter().map(|cell| cell.to_le_bytes()), bytes),
        }
    }
}

/// Appends all first bytes, then all second ones, and so on.
fn dealt<const N: usize>(cells: impl ExactSizeIterator<Item = [u8; N]>, bytes: &mut Vec<u8>) {
    let (start, count) = (bytes.len(), cells.len());
    bytes.resize(start + N * count, 0);
    for (at, cell) in cells.enumerate() {
        for (place, byte) in cell.into_iter().enumerate() {
            bytes[start + place * count + at] = byte;
        }
    }
}

/// A block, ready to be written.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Its name in the page.
    pub name: &'static str,
    /// What is in it, for the program of the page.
    pub contents: Value,
    /// Compressed, in base 64.
    pub text: String,
}

impl Block {
    /// A block of columns by name.
    pub(super) fn of_columns(name: &'static str, columns: &[(String, Column)]) -> Self {
        let mut bytes = Vec::new();
        for (_, column) in columns {
            column.append(&mut bytes);
        }
        let contents: Vec<Value> =
            columns.iter().map(|(name, column)| json!([name, column.kind(), column.len()])).collect();
        Self { name, contents: contents.into(), text: packed(&bytes) }
    }

    /// A block of any JSON.
    pub(super) fn of_json(name: &'static str, value: &Value) -> Self {
        Self { name, contents: Value::Null, text: packed(value.to_string().as_bytes()) }
    }
}

#[expect(clippy::expect_used, reason = "memory takes every byte")]
fn packed(bytes: &[u8]) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(5));
    encoder.write_all(bytes).expect("memory takes every byte");
    STANDARD.encode(encoder.finish().expect("memory takes every byte"))
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::DeflateDecoder;

    use super::*;

    fn unpacked(block: &Block) -> Vec<u8> {
        let bytes = STANDARD.decode(&block.text).unwrap();
        let mut out = Vec::new();
        DeflateDecoder::new(&bytes[..]).read_to_end(&mut out).unwrap();
        out
    }

    #[test]
    fn columns_are_dealt_out_and_steps_are_kept() {
        let columns = [
            ("a".to_owned(), Column::U8(vec![7, 8])),
            ("b".to_owned(), Column::Rising(vec![0x0102, 0x0102, 0x0305])),
            ("c".to_owned(), Column::F32(vec![1.0])),
        ];
        let block = Block::of_columns("x", &columns);
        let steps = [2, 0, 3, 1, 0, 2, 0, 0, 0, 0, 0, 0];
        assert_eq!(unpacked(&block), [&[7, 8][..], &steps, &1.0_f32.to_le_bytes()].concat());
        assert_eq!(block.contents, json!([["a", "u8", 2], ["b", "rising", 3], ["c", "f32", 1]]));
    }
}
