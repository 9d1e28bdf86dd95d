//! JSON Lines, read as a stream: one line in memory at a time, however long the file, and what cannot be read
//! is reported by line instead of ending everything.

use std::io::BufRead;

use serde::de::DeserializeOwned;

/// Longer lines are taken for damage (a hole full of zeros after a power cut, say) and skipped without being
/// stored.
pub const MAX_LINE: usize = 256 << 20;

/// A line that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// From 1.
    pub line: u64,
    /// What is wrong with it.
    pub why: String,
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

/// The lines of a file, each read as a `T`. Empty lines are passed over.
#[derive(Debug)]
pub struct Lines<R, T> {
    input: R,
    line: u64,
    /// Where the next line starts, in bytes.
    offset: u64,
    /// End of the last line that was finished with a line feed.
    whole: u64,
    buffer: Vec<u8>,
    max_line: usize,
    read: fn(&[u8]) -> Result<T, String>,
}

/// What a line held, or why it could not be read.
pub type Line<T> = (u64, Result<T, String>);

impl<R: BufRead, T: DeserializeOwned> Lines<R, T> {
    /// Reads every line as JSON.
    pub fn new(input: R) -> Self {
        Self::with_reader(input, |bytes| serde_json::from_slice(bytes).map_err(|e| explain(&e)))
    }
}

impl<R: BufRead, T> Lines<R, T> {
    /// Reads every line, without its line feed, with `read`.
    pub fn with_reader(input: R, read: fn(&[u8]) -> Result<T, String>) -> Self {
        Self { input, line: 0, offset: 0, whole: 0, buffer: Vec::new(), max_line: MAX_LINE, read }
    }

    /// The end, in bytes, of the last line that ends with a line feed. After the last line: where a writer
    /// must go on.
    pub fn whole(&self) -> u64 {
        self.whole
    }

    /// The bytes read so far.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The next line that is not empty with its number from 1, or `None` at the end. An error of the file
    /// itself ends the reading.
    pub fn next_line(&mut self) -> std::io::Result<Option<Line<T>>> {
        loop {
            let Some((fits, finished)) = self.fill()? else { return Ok(None) };
            self.line += 1;
            let held = if !finished {
                Err("the last line is not finished: the run was killed there, or is still writing".to_owned())
            } else if !fits {
                Err(format!("longer than {} bytes", self.max_line))
            } else if self.buffer.iter().all(u8::is_ascii_whitespace) {
                continue;
            } else {
                (self.read)(&self.buffer)
            };
            return Ok(Some((self.line, held)));
        }
    }

    /// Brings the next line into the buffer. Gives whether it fits and whether it was finished, or `None` at
    /// the end.
    fn fill(&mut self) -> std::io::Result<Option<(bool, bool)>> {
        self.buffer.clear();
        let (mut fits, mut any) = (true, false);
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                return Ok(any.then_some((fits, false)));
            }
            any = true;
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            if fits && self.buffer.len() + part.len() <= self.max_line {
                self.buffer.extend_from_slice(part);
            } else {
                fits = false;
                self.buffer = Vec::new();
            }
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            self.offset += used as u64;
            if end.is_some() {
                self.whole = self.offset;
                return Ok(Some((fits, true)));
            }
        }
    }
}

/// An error of a line's JSON: the line inside the line is always 1, so only the column is reported.
pub(crate) fn explain(error: &serde_json::Error) -> String {
    format!("column {}: {}", error.column(), without_place(error))
}

/// What is wrong, without the place that the message ends with.
pub(crate) fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8], max_line: usize) -> (Vec<Line<u32>>, u64, u64) {
        // A buffer of five bytes, so that lines span several.
        let mut lines = Lines::<_, u32>::new(std::io::BufReader::with_capacity(5, text));
        lines.max_line = max_line;
        let mut all = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            all.push(line);
        }
        (all, lines.whole(), lines.offset())
    }

    #[test]
    fn damage_is_told_by_line_and_the_rest_is_read() {
        let (lines, whole, length) = read(b"12345678\n\n  \nbroken\n7\r\n{\"a\"", MAX_LINE);
        assert_eq!((whole, length), (23, 27));
        let numbers: Vec<u64> = lines.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [1, 4, 5, 6]);
        assert_eq!((&lines[0].1, &lines[2].1), (&Ok(12_345_678), &Ok(7)));
        assert!(lines[1].1.as_ref().unwrap_err().starts_with("column 1: "), "{:?}", lines[1].1);
        assert!(lines[3].1.as_ref().unwrap_err().contains("not finished"));
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let (lines, whole, length) = read(b"1\n                    2\n3\n", 20);
        assert_eq!((whole, length), (26, 26));
        assert_eq!(lines, [(1, Ok(1)), (2, Err("longer than 20 bytes".into())), (3, Ok(3))]);
    }

    #[test]
    fn nothing() {
        assert_eq!(read(b"", MAX_LINE), (vec![], 0, 0));
    }
}
