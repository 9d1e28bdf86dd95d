//! Lines and tails of bytes that come out of pipes.
//!
//! Reading is apart from waiting: whoever polls several descriptors decides when there is something to read.

use std::io;
use std::os::fd::AsFd;

/// How much is read at a time; not more, so that whoever floods a pipe cannot keep its reader from looking at
/// the clock.
const CHUNK: usize = 1 << 16;

/// What a read found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// So many bytes.
    Some(usize),
    /// Nothing for now.
    Nothing,
    /// The other side is closed.
    End,
}

/// Appends what there is to read, at most one chunk, to `buffer`. Waits only if the descriptor is a blocking
/// one.
pub fn read_chunk(from: impl AsFd, buffer: &mut Vec<u8>) -> io::Result<Read> {
    let mut chunk = [0; CHUNK];
    loop {
        match rustix::io::read(from.as_fd(), &mut chunk[..]) {
            Ok(0) => return Ok(Read::End),
            Ok(count) => {
                buffer.extend_from_slice(&chunk[..count]);
                return Ok(Read::Some(count));
            }
            Err(rustix::io::Errno::INTR) => {}
            Err(rustix::io::Errno::AGAIN) => return Ok(Read::Nothing),
            Err(error) => return Err(error.into()),
        }
    }
}

/// Splits a stream of bytes into lines.
#[derive(Debug, Default)]
pub struct Lines {
    buffer: Vec<u8>,
    scanned: usize,
}

impl Lines {
    /// Reads once.
    pub fn fill(&mut self, from: impl AsFd) -> io::Result<Read> {
        read_chunk(from, &mut self.buffer)
    }

    /// The next complete line, without its end.
    pub fn next_line(&mut self) -> Option<Vec<u8>> {
        let end = self.scanned
            + self.buffer[self.scanned..].iter().position(|&b| b == b'\n').or_else(|| {
                self.scanned = self.buffer.len();
                None
            })?;
        let rest = self.buffer.split_off(end + 1);
        let mut line = std::mem::replace(&mut self.buffer, rest);
        line.pop();
        self.scanned = 0;
        Some(line)
    }
}

/// The last bytes of a stream of any length.
#[derive(Debug)]
pub struct Tail {
    buffer: Vec<u8>,
    keep: usize,
    cut: bool,
}

impl Tail {
    /// Keeps the last `keep` bytes.
    pub const fn new(keep: usize) -> Self {
        Self { buffer: Vec::new(), keep, cut: false }
    }

    /// Reads once.
    pub fn fill(&mut self, from: impl AsFd) -> io::Result<Read> {
        let read = read_chunk(from, &mut self.buffer)?;
        if let Some(excess) = self.buffer.len().checked_sub(self.keep)
            && excess > 0
        {
            self.buffer.drain(..excess);
            self.cut = true;
        }
        Ok(read)
    }

    /// As text; what is not UTF-8 is replaced, and `...` stands for what was cut off.
    pub fn into_text(self) -> String {
        let text = String::from_utf8_lossy(&self.buffer);
        let text = text.trim_end();
        if self.cut { format!("...{text}") } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use rustix::pipe::{PipeFlags, pipe_with};

    use super::*;

    #[test]
    fn lines_come_in_pieces() {
        let (read, write) = pipe_with(PipeFlags::NONBLOCK).unwrap();
        let mut lines = Lines::default();
        assert_eq!(lines.fill(&read).unwrap(), Read::Nothing);
        rustix::io::write(&write, b"on").unwrap();
        assert_eq!(lines.fill(&read).unwrap(), Read::Some(2));
        assert_eq!(lines.next_line(), None);
        rustix::io::write(&write, b"e\n\ntwo").unwrap();
        lines.fill(&read).unwrap();
        assert_eq!(
            [lines.next_line(), lines.next_line(), lines.next_line()],
            [Some(b"one".into()), Some(vec![]), None]
        );
        rustix::io::write(&write, b"\n").unwrap();
        drop(write);
        lines.fill(&read).unwrap();
        assert_eq!(lines.next_line(), Some(b"two".into()));
        assert_eq!(lines.fill(&read).unwrap(), Read::End);
    }

    #[test]
    fn only_the_end_is_kept() {
        let (read, write) = pipe_with(PipeFlags::NONBLOCK).unwrap();
        let mut tail = Tail::new(4);
        rustix::io::write(&write, b"abc").unwrap();
        tail.fill(&read).unwrap();
        rustix::io::write(&write, b"defg\n").unwrap();
        tail.fill(&read).unwrap();
        assert_eq!(tail.into_text(), "...efg");
    }
}
