//! Both programs of a comparison, copied alike before anything is timed.
//!
//! A record's process takes the pages of its program from the file, page by page or in larger pieces, as they
//! happen to lie in memory: that depends on how the file was written, and on what the memory looked like
//! then. Two files with the same bytes differ by up to a quarter of the time of a short record. So neither
//! file is run from where it lies. Both are written anew, in the same large pieces, one after the other, in
//! turns; the libraries that they do not share are copied too, and the paths are equally long. What is left
//! by chance is drawn anew with every pair of copies.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context as _;
use backends_api::libraries;
use harness_exec::{ProcessExecutor, Renew, WorkerCommand};
use tempfile::TempDir;

/// So much is written at a time: the kernel keeps it in pieces as large as it can.
const PIECE: usize = 4 << 20;

/// Makes copies of two programs.
pub struct Copies {
    programs: [WorkerCommand; 2],
    libraries: [Vec<Library>; 2],
    folder: TempDir,
    count: AtomicUsize,
    /// By pair of workers: where its copies are.
    latest: Mutex<BTreeMap<usize, PathBuf>>,
}

/// A library that a program has loaded.
#[derive(Clone, Debug)]
struct Library {
    file: PathBuf,
    /// Which file it is: device and inode.
    identity: (u64, u64),
    /// Whether the other program has loaded the same file.
    shared: bool,
}

impl Copies {
    /// Of this program and the other one. `Ok(Err(_))` where one of them is no program that can be copied,
    /// such as a script that starts one: then both are to be run from where they lie, and a note says so.
    ///
    /// # Errors
    ///
    /// When one of them cannot be read or started, or there is no place for copies.
    pub fn of(this: WorkerCommand, other: WorkerCommand) -> anyhow::Result<Result<Self, String>> {
        for program in [&this, &other] {
            let file = program.program();
            let mut start = [0; 4];
            let whole = File::open(file).and_then(|mut file| file.read_exact(&mut start));
            if whole.is_err() || start != *b"\x7fELF" {
                return Ok(Err(format!(
                    "{} is no program but starts one: both are run from where they lie, so that times may differ by how the files lie \
                     in memory; name the program itself",
                    file.display()
                )));
            }
        }
        let mut libraries = [loaded(&this)?, loaded(&other)?];
        let identities =
            libraries.each_ref().map(|all| all.iter().map(|library| library.identity).collect::<Vec<_>>());
        for (mine, theirs) in libraries.iter_mut().zip(identities.iter().rev()) {
            for library in mine {
                library.shared = theirs.contains(&library.identity);
            }
        }
        let folder = tempfile::Builder::new().prefix("harness-").tempdir().context(
            "no directory for copies of the programs: set TMPDIR to one where programs may be run",
        )?;
        Ok(Ok(Self {
            programs: [this, other],
            libraries,
            folder,
            count: AtomicUsize::new(0),
            latest: Mutex::default(),
        }))
    }

    fn copy(&self, number: usize) -> io::Result<[WorkerCommand; 2]> {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let folder = self.folder.path().join(format!("{number:04}-{count:08}"));
        let before = match self.latest.lock() {
            Ok(mut latest) => latest.insert(number, folder.clone()),
            Err(_) => None,
        };
        if let Some(before) = before {
            fs::remove_dir_all(before)?;
        }
        let place = |side: usize| folder.join(side.to_string());
        // In turns, so that neither is the first one more often.
        let order = if count.is_multiple_of(2) { [0, 1] } else { [1, 0] };
        for side in order {
            let place = place(side);
            fs::create_dir_all(place.join("lib"))?;
            write_anew(self.programs[side].program(), &place.join("harness"))?;
            for library in &self.libraries[side] {
                let Some(name) = library.file.file_name() else { continue };
                let target = place.join("lib").join(name);
                if library.shared {
                    symlink(&library.file, target)?;
                } else {
                    write_anew(&library.file, &target)?;
                }
            }
        }
        Ok([0, 1].map(|side| {
            // A program that is copied does not find the libraries beside its old place. Programs that it
            // starts are not to find these.
            let variables = libraries::of_worker(place(side).join("lib").into_os_string());
            let copied = self.programs[side].at(place(side).join("harness"));
            variables.into_iter().fold(copied, |copied, (name, value)| copied.with_variable(name, value))
        }))
    }
}

impl Renew for Copies {
    fn renew(&self, number: usize) -> Result<[WorkerCommand; 2], String> {
        self.copy(number).map_err(|error| {
            format!(
                "the programs cannot be copied to {}: {error}; set TMPDIR to a directory with room where programs may be run",
                self.folder.path().display()
            )
        })
    }
}

/// Writes a file anew, in large pieces; it may be run.
fn write_anew(from: &Path, to: &Path) -> io::Result<()> {
    let mut from = File::open(from)?;
    let mut to = OpenOptions::new().write(true).create_new(true).mode(0o755).open(to)?;
    let mut piece = vec![0; PIECE];
    loop {
        let mut filled = 0;
        while filled < PIECE {
            match from.read(&mut piece[filled..])? {
                0 => break,
                read => filled += read,
            }
        }
        if filled == 0 {
            return Ok(());
        }
        to.write_all(&piece[..filled])?;
    }
}

/// The libraries that a worker of this program has loaded when it is ready, under all names that they have in
/// their directories.
fn loaded(program: &WorkerCommand) -> anyhow::Result<Vec<Library>> {
    let mut worker = ProcessExecutor::new(program.clone(), None);
    let pid = worker.start().map_err(anyhow::Error::msg)?;
    let own = fs::metadata(program.program())?;
    let maps = fs::read_to_string(format!("/proc/{pid}/maps"))
        .with_context(|| format!("{}: what it has loaded cannot be read", program.program().display()))?;
    let mut found: Vec<Library> = Vec::new();
    for file in maps.lines().filter_map(mapped) {
        let Ok(metadata) = fs::metadata(file) else { continue };
        let identity = (metadata.dev(), metadata.ino());
        if !metadata.is_file() || identity == (own.dev(), own.ino()) {
            continue;
        }
        for file in names_of(Path::new(file), identity) {
            if !found.iter().any(|library| library.file.file_name() == file.file_name()) {
                found.push(Library { file, identity, shared: false });
            }
        }
    }
    Ok(found)
}

/// The file of a line of `/proc/PID/maps`, if it is one of a library.
fn mapped(line: &str) -> Option<&str> {
    let path = line.split_once('/').map(|(before, _)| &line[before.len()..])?;
    let name = path.rsplit('/').next()?;
    // The loader itself is named by the program, and not looked for.
    let library = name.ends_with(".so") || name.contains(".so.");
    (library && !name.starts_with("ld-linux")).then_some(path)
}

/// All names in its directory under which a library is found.
fn names_of(file: &Path, identity: (u64, u64)) -> Vec<PathBuf> {
    let mut names = vec![file.to_owned()];
    let beside = file.parent().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    let links = beside.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()));
    let same = links
        .map(|entry| entry.path())
        .filter(|path| fs::metadata(path).is_ok_and(|found| (found.dev(), found.ino()) == identity));
    names.extend(same);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_among_what_is_mapped() {
        let line = |path| format!("7f00-7f10 r-xp 00000000 fe:00 123                   {path}");
        assert_eq!(mapped(&line("/usr/lib/libz3.so.5.4")), Some("/usr/lib/libz3.so.5.4"));
        assert_eq!(mapped(&line("/a b/libm.so")), Some("/a b/libm.so"));
        assert_eq!(mapped(&line("/usr/lib/ld-linux-x86-64.so.2")), None);
        assert_eq!(mapped(&line("/usr/bin/harness")), None);
        assert_eq!(mapped("7f00-7f10 rw-p 00000000 00:00 0                   [heap]"), None);
    }

    #[test]
    fn a_copy_has_the_same_bytes_and_may_be_run() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        let bytes: Vec<u8> = (0..PIECE + 1000).map(|n| u8::try_from(n % 251).unwrap()).collect();
        fs::write(&from, &bytes).unwrap();
        write_anew(&from, &to).unwrap();
        assert!(fs::read(&to).unwrap() == bytes);
        assert_eq!(fs::metadata(&to).unwrap().mode() & 0o111, 0o111);
    }

    #[test]
    fn a_script_is_not_copied() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("worker");
        fs::write(&script, "#!/bin/sh\nexec harness worker\n").unwrap();
        let script = WorkerCommand::new(script, ["worker"]);
        let refused = Copies::of(script.clone(), script).unwrap();
        assert!(refused.err().unwrap().contains("is no program but starts one"));
    }
}
