//! Which means of limiting and measuring work on this machine: for `harness doctor`.

use std::fs;
use std::path::Path;

use rustix::process::{PidfdFlags, Resource, getpid, getrlimit, pidfd_open};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::cores;
use crate::machine;

/// One of the means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What it is.
    pub name: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    /// Whether nothing can be run without it.
    pub required: bool,
    /// How it is here, or why it does not work.
    pub state: Result<String, String>,
}

/// Tries each of the means; changes nothing that lasts.
pub fn limits_check() -> Vec<Check> {
    let check = |name, purpose, required, state| Check { name, purpose, required, state };
    vec![
        check("pinning", "one worker a core", false, pinning()),
        check("core locks", "two runs at once keep to different cores", false, core_locks()),
        check("pidfd", "a child's end is seen at once", true, pidfd()),
        check("subreaper", "no descendant escapes a limit", true, subreaper()),
        check("/proc", "processor time and memory of a tree while it runs", true, proc()),
        check("children lists", "finding descendants without reading all of /proc", false, children()),
        check(
            "hard limits",
            "the kernel's own limits do not forbid more than is asked for",
            false,
            rlimits(),
        ),
    ]
}

/// Binds a thread of its own to the first core.
fn pinning() -> Result<String, String> {
    let first = machine::cores().first().copied().unwrap_or(0);
    let bound = std::thread::spawn(move || {
        let mut only = CpuSet::new();
        only.set(usize::try_from(first).unwrap_or(0));
        sched_setaffinity(None, &only)?;
        sched_getaffinity(None).map(|now| now == only)
    });
    match bound.join() {
        Ok(Ok(true)) => Ok(format!("{} usable cores", machine::cores().len())),
        Ok(Ok(false)) => Err("the kernel ignored it: times of concurrent workers will vary more".into()),
        Ok(Err(error)) => Err(format!("{error}: times of concurrent workers will vary more")),
        Err(_) => Err("the trial failed".into()),
    }
}

/// Says which cores other runs have.
fn core_locks() -> Result<String, String> {
    let Some(folder) = cores::folder() else {
        return Err("neither XDG_RUNTIME_DIR nor /tmp has a folder for them: runs at once may share a core; see --cores".into());
    };
    let used: Vec<String> = cores::in_use().iter().map(ToString::to_string).collect();
    let used = if used.is_empty() {
        "no other run has one now".to_owned()
    } else {
        format!("other runs have {}", used.join(", "))
    };
    Ok(format!("in {}; {used}", folder.display()))
}

fn pidfd() -> Result<String, String> {
    match pidfd_open(getpid(), PidfdFlags::empty()) {
        Ok(_) => Ok("works".into()),
        Err(error) => Err(format!("{error}: needs Linux 5.3, and a sandbox that allows pidfd_open")),
    }
}

/// Asks for the setting and leaves it as it is: it would change to whom orphans of this process fall.
fn subreaper() -> Result<String, String> {
    match rustix::process::child_subreaper() {
        Ok(_) => Ok("works".into()),
        Err(error) => Err(format!("{error}: a sandbox forbids prctl")),
    }
}

fn proc() -> Result<String, String> {
    for file in ["stat", "statm", "environ"] {
        fs::read(Path::new("/proc/self").join(file))
            .map_err(|error| format!("/proc/self/{file}: {error}; mount /proc"))?;
    }
    Ok("readable".into())
}

fn children() -> Result<String, String> {
    match fs::read("/proc/thread-self/children") {
        Ok(_) => Ok("kept by this kernel".into()),
        Err(_) => Err("not kept by this kernel (CONFIG_PROC_CHILDREN): all of /proc is read instead".into()),
    }
}

fn rlimits() -> Result<String, String> {
    let set: Vec<String> =
        [(Resource::Data, "data"), (Resource::As, "address space"), (Resource::Cpu, "cpu")]
            .into_iter()
            .filter_map(|(resource, name)| Some(format!("{name} {}", getrlimit(resource).maximum?)))
            .collect();
    if set.is_empty() {
        Ok("none".into())
    } else {
        Err(format!("{}: records that need more end as memout or crash; see ulimit -H", set.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tests_need_works() {
        for check in limits_check() {
            assert!(!check.required || check.state.is_ok(), "{check:?}");
        }
    }
}
