//! Which cores the workers of a run are bound to, and how runs of one user keep out of each other's way.
//!
//! A core that a run uses is locked by a file of its own in the user's runtime folder, by `flock`: the lock
//! is gone with its process, however that ends, and nothing is cleaned up. Another run takes the cores that
//! are free first. Where there are too few it shares some, and says so: waiting would be worse in a script.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;
use rustix::process::getuid;

use crate::machine;
use crate::scheduler::RunError;

/// Cores, each taken by this run for as long as the value lives.
#[derive(Clone, Debug)]
pub struct Cores {
    all: Vec<Core>,
}

/// A core of a run.
#[derive(Clone, Debug)]
struct Core {
    number: u32,
    /// `None` where another run has it, or where cores cannot be locked.
    lock: Option<Arc<File>>,
    /// Whether another run has it.
    busy: bool,
}

impl Cores {
    /// As many cores as there are to be workers: of `wanted`, in its order, or of those that this process may
    /// use; free ones first.
    ///
    /// # Errors
    ///
    /// When there are fewer of them, or one that is wanted may not be used.
    pub fn take(workers: usize, wanted: Option<&[u32]>) -> Result<Self, RunError> {
        // Nothing is made for a number of workers that cannot be.
        let among = among(workers, wanted)?;
        Ok(Self::lock(workers, among, folder().as_deref()))
    }

    fn lock(workers: usize, among: Vec<u32>, folder: Option<&Path>) -> Self {
        let (mut all, mut busy) = (Vec::new(), Vec::new());
        for number in among {
            if all.len() == workers {
                break;
            }
            match folder.map_or(Ok(None), |folder| lock(folder, number)) {
                Ok(lock) => all.push(Core { number, lock, busy: false }),
                Err(Taken) => busy.push(Core { number, lock: None, busy: true }),
            }
        }
        busy.truncate(workers - all.len());
        all.append(&mut busy);
        all.sort_by_key(|core| core.number);
        Self { all }
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Their numbers.
    pub fn numbers(&self) -> Vec<u32> {
        self.all.iter().map(|core| core.number).collect()
    }

    /// Those of them that another run has too: times measured there are those of a busy machine.
    pub fn busy(&self) -> Vec<u32> {
        self.all.iter().filter(|core| core.busy).map(|core| core.number).collect()
    }

    /// Whether each of them is locked, so that other runs keep away.
    pub fn are_locked(&self) -> bool {
        self.all.iter().all(|core| core.lock.is_some())
    }
}

/// The cores that workers may be bound to, at least as many as there are to be workers.
fn among(workers: usize, wanted: Option<&[u32]>) -> Result<Vec<u32>, RunError> {
    let usable = machine::cores();
    if let Some(missing) = wanted.into_iter().flatten().find(|core| !usable.contains(core)) {
        return Err(RunError::NoSuchCore { core: *missing, usable });
    }
    let among = wanted.map_or(usable, <[u32]>::to_vec);
    if workers == 0 {
        return Err(RunError::NoWorkers);
    }
    if workers > among.len() {
        return Err(RunError::TooManyWorkers { asked: workers, cores: among.len() });
    }
    Ok(among)
}

/// The usable cores that other runs of this user have now.
pub fn in_use() -> Vec<u32> {
    let Some(folder) = folder() else { return Vec::new() };
    machine::cores().into_iter().filter(|&core| lock(&folder, core).is_err()).collect()
}

/// Another process has the core.
#[derive(Debug)]
struct Taken;

/// Locks a core; `None` where there is no lock to be had for another reason than that somebody has it.
fn lock(folder: &Path, core: u32) -> Result<Option<Arc<File>>, Taken> {
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(i32::try_from(OFlags::NOFOLLOW.bits()).unwrap_or(0))
        .open(folder.join(format!("core-{core}")));
    let Ok(file) = file else { return Ok(None) };
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(Arc::new(file))),
        Err(Errno::WOULDBLOCK) => Err(Taken),
        Err(_) => Ok(None),
    }
}

/// The folder of the locks, made if need be: in the user's runtime folder, or else beside other temporary
/// files, where it must be the user's own. `None` where there is no such place.
pub fn folder() -> Option<PathBuf> {
    let runtime =
        std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let beside = PathBuf::from(format!("/tmp/harness-cores-{}", getuid().as_raw()));
    runtime
        .map(|folder| folder.join("harness-cores"))
        .into_iter()
        .chain([beside])
        .find(|folder| own(folder).is_ok())
}

fn own(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let found = fs::symlink_metadata(folder)?;
    if found.is_dir() && found.uid() == getuid().as_raw() && found.mode() & 0o022 == 0 {
        Ok(())
    } else {
        Err(io::ErrorKind::PermissionDenied.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own, gone afterwards.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("harness-cores-test-{}-{name}", std::process::id()));
            DirBuilder::new().mode(0o700).create(&path).unwrap();
            Self(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn take(workers: usize, wanted: Option<&[u32]>, folder: Option<&Path>) -> Result<Cores, RunError> {
        Ok(Cores::lock(workers, among(workers, wanted)?, folder))
    }

    #[test]
    fn a_second_run_takes_what_is_free_and_shares_the_rest() {
        let folder = Folder::new("share");
        let usable = machine::cores();
        let first = take(1, None, Some(&folder.0)).unwrap();
        assert_eq!((first.numbers(), first.busy()), (vec![usable[0]], vec![]));
        assert!(first.are_locked());
        // Another file of the same process is another holder, as another process is.
        let all = take(usable.len(), None, Some(&folder.0)).unwrap();
        assert_eq!((all.numbers(), all.busy()), (usable.clone(), vec![usable[0]]));
        if let Some(&second) = usable.get(1) {
            drop(all);
            let next = take(1, None, Some(&folder.0)).unwrap();
            assert_eq!((next.numbers(), next.busy()), (vec![second], vec![]));
        }
        drop(first);
        assert_eq!(take(1, None, Some(&folder.0)).unwrap().numbers(), vec![usable[0]]);
    }

    #[test]
    fn wanted_cores_have_to_be_there() {
        let folder = Folder::new("wanted");
        let last = *machine::cores().last().unwrap();
        assert_eq!(take(1, Some(&[last]), Some(&folder.0)).unwrap().numbers(), [last]);
        let error = take(1, Some(&[last, 9999]), Some(&folder.0)).unwrap_err();
        assert!(error.to_string().contains("core 9999"), "{error}");
        let error = take(2, Some(&[last]), Some(&folder.0)).unwrap_err();
        assert!(matches!(error, RunError::TooManyWorkers { asked: 2, cores: 1 }));
        assert!(matches!(take(0, None, None), Err(RunError::NoWorkers)));
    }

    #[test]
    fn without_a_folder_nothing_is_locked() {
        let cores = take(1, None, None).unwrap();
        assert!(!cores.are_locked() && cores.busy().is_empty());
    }

    #[test]
    fn a_folder_that_others_may_write_to_is_not_used() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = Folder::new("open");
        own(&folder.0).unwrap();
        fs::set_permissions(&folder.0, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(own(&folder.0).is_err());
    }
}
