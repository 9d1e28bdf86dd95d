//! The append-only log. One record is one line, handed to the system in one write; nothing is kept back in
//! the process, so a killed process loses at most the line it was writing. The file is synced at most once a
//! second and at the end: a power cut loses at most the last second.

use std::fs::File;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use serde::Serialize;

/// No more often than this is the file synced while records come in.
pub const SYNC_EVERY: Duration = Duration::from_secs(1);

/// What a log is written to. Writes go to the end.
pub trait LogFile: Write {
    /// Makes what was written durable.
    fn sync(&mut self) -> io::Result<()>;
    /// Cuts everything off that is behind the first `length` bytes.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

impl LogFile for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

/// An append-only file of lines.
#[derive(Debug)]
pub struct Log<F: LogFile> {
    file: F,
    /// Bytes of whole lines in the file.
    length: u64,
    /// Whether there may be a part of a line behind them.
    torn: bool,
    unsynced: bool,
    last_sync: Instant,
    line: Vec<u8>,
}

impl<F: LogFile> Log<F> {
    /// Goes on behind the first `length` bytes of `file`, which are whole lines and the whole file.
    pub fn new(file: F, length: u64) -> Self {
        Self { file, length, torn: false, unsynced: false, last_sync: Instant::now(), line: Vec::new() }
    }

    /// Appends `value` as one line. When that fails, what was written of the line is cut off again, at once
    /// or, if that fails too, before the next line; the lines before it are untouched.
    pub fn append(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.mend()?;
        self.line.clear();
        serde_json::to_writer(&mut self.line, value)?;
        self.line.push(b'\n');
        self.torn = true;
        if let Err(error) = self.file.write_all(&self.line).and_then(|()| self.file.flush()) {
            // The cause is the news; that the cut may fail as well is remembered in `torn`.
            let _ = self.mend();
            return Err(error);
        }
        self.torn = false;
        self.unsynced = true;
        self.length += self.line.len() as u64;
        Ok(())
    }

    /// Makes all lines durable, if that was not done within [`SYNC_EVERY`]; says whether it was due.
    pub fn sync_if_due(&mut self) -> io::Result<bool> {
        let due = self.last_sync.elapsed() >= SYNC_EVERY;
        if due {
            self.sync()?;
        }
        Ok(due)
    }

    /// Makes all lines durable.
    pub fn sync(&mut self) -> io::Result<()> {
        if self.unsynced {
            self.file.sync()?;
            self.unsynced = false;
        }
        self.last_sync = Instant::now();
        Ok(())
    }

    fn mend(&mut self) -> io::Result<()> {
        if self.torn {
            self.file.cut(self.length)?;
            self.torn = false;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk with room for a number of bytes, which takes a few bytes a write.
    #[derive(Default)]
    struct Disk {
        bytes: Vec<u8>,
        room: usize,
        cut_fails: bool,
        syncs: usize,
    }

    impl Write for Disk {
        fn write(&mut self, from: &[u8]) -> io::Result<usize> {
            let room = self.room - self.bytes.len();
            if room == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            let taken = room.min(from.len()).min(7);
            self.bytes.extend_from_slice(&from[..taken]);
            Ok(taken)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl LogFile for Disk {
        fn sync(&mut self) -> io::Result<()> {
            self.syncs += 1;
            Ok(())
        }

        fn cut(&mut self, length: u64) -> io::Result<()> {
            if self.cut_fails {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.bytes.truncate(usize::try_from(length).unwrap());
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_leaves_whole_lines_and_the_log_goes_on_when_there_is_room() {
        let mut log = Log::new(Disk { room: 30, ..Disk::default() }, 0);
        log.append(&"first line").unwrap();
        let error = log.append(&"a second line that is too long").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert_eq!(log.file.bytes, b"\"first line\"\n");
        log.append(&"third").unwrap();
        log.file.room = 100;
        log.append(&"a second line that is too long").unwrap();
        assert_eq!(log.file.bytes, b"\"first line\"\n\"third\"\n\"a second line that is too long\"\n");
    }

    #[test]
    fn nothing_is_written_behind_a_torn_line() {
        let mut log = Log::new(Disk { room: 20, cut_fails: true, ..Disk::default() }, 0);
        log.append(&"first").unwrap();
        log.append(&"a line that is too long").unwrap_err();
        assert_eq!(log.file.bytes.len(), 20);
        log.append(&"x").unwrap_err();
        assert_eq!(log.file.bytes.len(), 20);
        log.file.cut_fails = false;
        log.append(&"x").unwrap();
        assert_eq!(log.file.bytes, b"\"first\"\n\"x\"\n");
    }

    #[test]
    fn synced_only_when_there_is_something_and_it_is_due() {
        let mut log = Log::new(Disk { room: 1000, ..Disk::default() }, 0);
        log.sync().unwrap();
        assert_eq!(log.file.syncs, 0);
        log.append(&1).unwrap();
        log.last_sync = Instant::now();
        log.sync_if_due().unwrap();
        assert_eq!(log.file.syncs, 0);
        log.sync().unwrap();
        log.sync().unwrap();
        assert_eq!(log.file.syncs, 1);
    }

    #[test]
    fn a_device_without_room() {
        let full = std::fs::OpenOptions::new().append(true).open("/dev/full").unwrap();
        assert_eq!(Log::new(full, 0).append(&1).unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
