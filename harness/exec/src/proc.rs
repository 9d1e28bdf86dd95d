//! What `/proc` says of processes: who descends from whom, what they use, what they carry in their
//! environment.
//!
//! A process may end while it is looked at; then it counts as gone, with nothing used.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use rustix::process::Pid;

/// What the live processes of a tree use at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// How many there are.
    pub processes: usize,
    /// Processor time of each and of the children that it has waited for, in clock ticks' precision.
    pub cpu: Duration,
    /// Sum of the resident sets; what processes share counts for each of them.
    pub rss_bytes: u64,
}

/// All descendants of `root`, without itself, parents before their children.
pub fn descendants(root: Pid) -> Vec<Pid> {
    let mut found = Vec::new();
    let mut next = vec![root];
    let mut scanned = None;
    while let Some(pid) = next.pop() {
        let children = match listed_children(pid) {
            Some(children) => children,
            None => {
                scanned.get_or_insert_with(all_children).get(&pid.as_raw_pid()).cloned().unwrap_or_default()
            }
        };
        next.extend_from_slice(&children);
        found.extend(children);
    }
    found
}

/// What all descendants of `root` use together, without itself.
pub fn sample(root: Pid) -> Sample {
    descendants(root).into_iter().fold(Sample::default(), |sum, pid| {
        let (cpu, rss) = (cpu(pid).unwrap_or_default(), rss(pid).unwrap_or_default());
        Sample { processes: sum.processes + 1, cpu: sum.cpu + cpu, rss_bytes: sum.rss_bytes + rss }
    })
}

/// The processes whose environment, as it was when they were started or forked off, has the entry
/// `name=value`.
pub fn marked(name: &str, value: &str) -> Vec<Pid> {
    let entry = format!("{name}={value}").into_bytes();
    pids()
        .filter(|pid| {
            let environ = fs::read(format!("/proc/{}/environ", pid.as_raw_pid())).unwrap_or_default();
            environ.split(|&b| b == 0).any(|variable| variable == entry)
        })
        .collect()
}

/// The kernel's own list, one a thread; `None` where the kernel does not keep it, or the process is gone.
fn listed_children(pid: Pid) -> Option<Vec<Pid>> {
    let mut children = Vec::new();
    for thread in fs::read_dir(format!("/proc/{}/task", pid.as_raw_pid())).ok()? {
        let list = fs::read_to_string(thread.ok()?.path().join("children")).ok()?;
        children.extend(list.split_ascii_whitespace().filter_map(|n| Pid::from_raw(n.parse().ok()?)));
    }
    Some(children)
}

/// Children by parent, from every process there is.
fn all_children() -> BTreeMap<i32, Vec<Pid>> {
    let mut children = BTreeMap::<i32, Vec<Pid>>::new();
    for pid in pids() {
        if let Some(parent) = stat(pid).and_then(|stat| field(&stat, 4)) {
            children.entry(i32::try_from(parent).unwrap_or(0)).or_default().push(pid);
        }
    }
    children
}

fn pids() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
}

fn stat(pid: Pid) -> Option<String> {
    fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid())).ok()
}

/// A numeric field of `/proc/PID/stat`, numbered from 1 as in proc(5). The second is a name in parentheses
/// that may hold anything, blanks and parentheses included.
fn field(stat: &str, number: usize) -> Option<u64> {
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_ascii_whitespace().nth(number.checked_sub(3)?)?.parse().ok()
}

fn cpu(pid: Pid) -> Option<Duration> {
    let stat = stat(pid)?;
    let ticks: u64 = (14..=17).filter_map(|number| field(&stat, number)).sum();
    let per_second = rustix::param::clock_ticks_per_second().max(1);
    Some(Duration::from_nanos(ticks.saturating_mul(1_000_000_000 / per_second)))
}

fn rss(pid: Pid) -> Option<u64> {
    statm(pid).map(|[resident, _]| resident)
}

/// The resident memory that is no file's: what a forked child starts with. `None` when the process is gone.
pub fn own_memory(pid: Pid) -> Option<u64> {
    statm(pid).map(|[resident, of_files]| resident.saturating_sub(of_files))
}

/// What is resident, and how much of it belongs to files; in bytes.
fn statm(pid: Pid) -> Option<[u64; 2]> {
    let statm = fs::read_to_string(format!("/proc/{}/statm", pid.as_raw_pid())).ok()?;
    let mut pages = statm.split_ascii_whitespace().skip(1).map(|number| number.parse::<u64>().ok());
    let mut bytes = || Some(pages.next()??.saturating_mul(rustix::param::page_size() as u64));
    Some([bytes()?, bytes()?])
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use rustix::process::getpid;

    use super::*;

    #[test]
    fn names_may_hold_anything() {
        let stat = "12 (a) b) S 1 12 12 0 -1 4194560 1 2 3 4 50 6 7 8 20 0 1";
        assert_eq!(field(stat, 4), Some(1));
        assert_eq!((14..=17).filter_map(|n| field(stat, n)).sum::<u64>(), 71);
        assert_eq!(field("12 (cut", 4), None);
    }

    #[test]
    fn finds_a_child_and_what_it_uses() {
        let mut child = Command::new("sleep")
            .arg("60")
            .env("HARNESS_PROC_TEST", "yes")
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let pid = Pid::from_child(&child);
        assert!(descendants(getpid()).contains(&pid));
        assert!(all_children()[&getpid().as_raw_pid()].contains(&pid));
        assert!(sample(getpid()).rss_bytes > 0);
        // Between fork and exec the child still has our own environment.
        while !marked("HARNESS_PROC_TEST", "yes").contains(&pid) {
            assert_eq!(child.try_wait().unwrap(), None);
        }
        assert!(!marked("HARNESS_PROC_TEST", "ye").contains(&pid));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!descendants(getpid()).contains(&pid));
    }
}
