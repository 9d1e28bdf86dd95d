//! The records of a run in the file: their lines, compressed some hundreds at a time, since they are much
//! alike.

use std::io::{self, Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use sha2::{Digest as _, Sha256};

/// A part is closed when its lines have so many bytes.
const FULL: usize = 1 << 20;

/// Lines of records, compressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Bytes of the lines, each with its line feed.
    pub length: u64,
    /// As zlib has them.
    pub body: Vec<u8>,
}

impl Part {
    fn of(lines: &str) -> io::Result<Self> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(lines.as_bytes())?;
        Ok(Self { length: lines.len() as u64, body: encoder.finish()? })
    }

    /// The lines again, each with its line feed. No more is unpacked than the part says that it holds.
    pub fn lines(&self) -> io::Result<String> {
        let mut lines = String::new();
        ZlibDecoder::new(self.body.as_slice())
            .take(self.length.saturating_add(1))
            .read_to_string(&mut lines)?;
        if lines.len() as u64 == self.length {
            Ok(lines)
        } else {
            Err(io::Error::new(io::ErrorKind::InvalidData, "it has another length"))
        }
    }
}

/// Parts that are being made, with the digest of all lines.
#[derive(Default)]
pub(crate) struct Parts {
    open: String,
    closed: Vec<Part>,
    digest: Digesting,
    count: u64,
}

/// Parts that are made.
pub(crate) struct Packed {
    /// In order.
    pub parts: Vec<Part>,
    /// Of all lines, as 64 hexadecimal digits.
    pub digest: String,
    /// Of lines.
    pub count: u64,
}

impl Parts {
    /// Adds a line, which has no line feed.
    pub fn push(&mut self, line: &str) -> io::Result<()> {
        self.digest.add(line);
        self.count += 1;
        self.open.push_str(line);
        self.open.push('\n');
        if self.open.len() >= FULL { self.close() } else { Ok(()) }
    }

    fn close(&mut self) -> io::Result<()> {
        if !self.open.is_empty() {
            self.closed.push(Part::of(&self.open)?);
            self.open.clear();
        }
        Ok(())
    }

    /// All lines were added.
    pub fn finish(mut self) -> io::Result<Packed> {
        self.close()?;
        Ok(Packed { parts: self.closed, digest: self.digest.finish(), count: self.count })
    }
}

/// SHA-256 of texts, each with its length, that come one by one.
#[derive(Default)]
pub(crate) struct Digesting(Sha256);

impl Digesting {
    /// The next text.
    pub fn add(&mut self, text: &str) {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text);
    }

    /// As 64 hexadecimal digits.
    pub fn finish(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// That of all of them.
pub(crate) fn digest_of<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut digest = Digesting::default();
    texts.into_iter().for_each(|text| digest.add(text));
    digest.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back() {
        let lines: Vec<String> =
            (0..30_000).map(|n| format!("{{\"n\":{n},\"text\":\"{}\"}}", "ä".repeat(30))).collect();
        let mut parts = Parts::default();
        lines.iter().for_each(|line| parts.push(line).unwrap());
        let packed = parts.finish().unwrap();
        assert!(packed.parts.len() > 1);
        assert_eq!((packed.count, packed.digest), (30_000, digest_of(lines.iter().map(String::as_str))));
        let read: Vec<String> = packed.parts.iter().map(|part| part.lines().unwrap()).collect();
        assert!(read.iter().flat_map(|part| part.lines()).eq(lines.iter().map(String::as_str)));
        let size: usize = packed.parts.iter().map(|part| part.body.len()).sum();
        assert!(10 * size < read.iter().map(String::len).sum(), "{size}");
    }

    #[test]
    fn damage_is_an_error_and_no_more_is_unpacked_than_was_packed() {
        let whole = Part::of(&"a line\n".repeat(1000)).unwrap();
        assert!(Part { length: 6999, ..whole.clone() }.lines().is_err());
        assert!(Part { length: 7001, ..whole.clone() }.lines().is_err());
        assert!(Part { body: whole.body[..10].to_vec(), ..whole.clone() }.lines().is_err());
        assert!(Part { length: u64::MAX, ..whole }.lines().is_err());
    }
}
