//! Reads files that people name: configurations, scripts, models, expressions.
//!
//! A name may be that of anything: a device without end, a pipe that nobody writes to, a file of the kernel
//! that only looks like one. So every read has a limit of size and of kind, and no opening waits. Knows
//! nothing of what is in the files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::{OFlags, fcntl_setfl};

/// What may be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// So many bytes.
    pub bytes: u64,
    /// Whether it may be a pipe, as a shell makes it of `<(command)`.
    pub pipe: bool,
}

/// Of a configuration.
pub const CONFIG: Limit = Limit { bytes: 16 << 20, pipe: true };

/// Of a script or a model that a command line names.
pub const PROBLEM: Limit = Limit { bytes: 1 << 30, pipe: true };

/// Of a script or a list of expressions that a configuration names.
pub const LISTED: Limit = Limit { bytes: 256 << 20, pipe: false };

/// Reads the whole file. A pipe that nobody writes to is empty.
///
/// # Errors
///
/// When it cannot be read, is of another kind, or is longer than the limit.
pub fn read(path: &Path, limit: Limit) -> io::Result<Vec<u8>> {
    // Looked at first: opening a device may do something.
    let kind = fs::metadata(path)?.file_type();
    let what = if kind.is_file() || (kind.is_fifo() && limit.pipe) {
        None
    } else if kind.is_dir() {
        Some("it is a folder")
    } else if kind.is_fifo() {
        Some("it is a pipe")
    } else {
        Some("it is a device or a socket")
    };
    if let Some(what) = what {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{what}, and no file")));
    }
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or(0);
    let file: File = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if kind.is_fifo() {
        // Now that it is open, whoever writes to it is waited for.
        fcntl_setfl(&file, OFlags::empty())?;
    }
    within(file, limit.bytes)
}

/// Reads to the end.
///
/// # Errors
///
/// When it cannot be read, or there are more than so many bytes.
pub fn within(input: impl Read, bytes: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    input.take(bytes.saturating_add(1)).read_to_end(&mut content)?;
    if content.len() as u64 > bytes {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it is longer than {} MiB, which is the limit", bytes >> 20),
        ));
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Limit = Limit { bytes: 1 << 20, pipe: false };

    #[test]
    fn devices_folders_and_what_never_ends_are_refused() {
        for (path, what) in [
            ("/dev/zero", "a device"),
            ("/dev/null", "a device"),
            ("/proc", "a folder"),
            ("/nowhere/at/all", "No such file"),
        ] {
            let error = read(path.as_ref(), SMALL).unwrap_err();
            assert!(error.to_string().contains(what), "{path}: {error}");
        }
        // Longer than what is behind it.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sparse");
        File::create(&path).and_then(|file| file.set_len(1 << 40)).unwrap();
        let error = read(&path, SMALL).unwrap_err();
        assert!(error.to_string().contains("longer than 1 MiB"), "{error}");
    }

    #[test]
    fn a_file_is_read_up_to_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, vec![7; 1 << 20]).unwrap();
        assert_eq!(read(&path, SMALL).unwrap().len(), 1 << 20);
        fs::write(&path, vec![7; (1 << 20) + 1]).unwrap();
        assert_eq!(read(&path, SMALL).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert!(within(io::repeat(0), 1 << 20).is_err());
    }

    #[test]
    fn a_pipe_that_nobody_writes_to_does_not_hang() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        let (kind, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR);
        rustix::fs::mknodat(rustix::fs::CWD, &path, kind, mode, 0).unwrap();
        assert!(read(&path, SMALL).unwrap_err().to_string().contains("a pipe"));
        let piped = Limit { pipe: true, ..SMALL };
        assert_eq!(read(&path, piped).unwrap(), Vec::<u8>::new());
    }
}
