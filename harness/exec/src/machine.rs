//! What is known of the machine, as far as it can change a time.

use std::fs;

use harness_model::run::Machine;
use rustix::thread::{CpuSet, sched_getaffinity};

/// The cores that this process may use, ascending; never none. Core 0 where the kernel does not say.
pub fn cores() -> Vec<u32> {
    let allowed = sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
    let cores: Vec<u32> = (0..CpuSet::MAX_CPU)
        .filter(|&core| allowed.is_set(core))
        .filter_map(|c| u32::try_from(c).ok())
        .collect();
    if cores.is_empty() { vec![0] } else { cores }
}

/// Looks at the machine. What the system does not tell is empty or 0.
pub fn machine() -> Machine {
    let uname = rustix::system::uname();
    Machine {
        cpu: processor(&read("/proc/cpuinfo")),
        cores: u32::try_from(cores().len()).unwrap_or(u32::MAX),
        memory_bytes: memory(&read("/proc/meminfo")),
        kernel: format!("{} {}", uname.sysname().to_string_lossy(), uname.release().to_string_lossy()),
        os: system(&read("/etc/os-release")),
    }
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// The first processor's model name, with single spaces.
fn processor(cpuinfo: &str) -> String {
    let name = cpuinfo.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        matches!(key.trim(), "model name" | "Processor" | "cpu model").then_some(value)
    });
    name.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn memory(meminfo: &str) -> u64 {
    let kib = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:")?.split_whitespace().next()?.parse().ok());
    kib.map_or(0, |kib: u64| kib.saturating_mul(1024))
}

fn system(os_release: &str) -> String {
    let name = os_release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    name.unwrap_or_default().trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_kernel_writes() {
        assert_eq!(
            processor("processor\t: 0\nmodel name\t: Some  CPU @ 2GHz\nflags : a\n"),
            "Some CPU @ 2GHz"
        );
        assert_eq!(memory("MemTotal:       2048 kB\nMemFree: 1 kB\n"), 2048 * 1024);
        assert_eq!(
            system("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"),
            "Debian GNU/Linux 12 (bookworm)"
        );
    }

    #[test]
    fn what_is_missing_is_empty() {
        assert_eq!((processor(""), memory("MemTotal: ?"), system("")), (String::new(), 0, String::new()));
    }

    #[test]
    fn this_machine() {
        let machine = machine();
        assert!(machine.cores >= 1 && machine.memory_bytes > 0);
        assert!(machine.kernel.starts_with("Linux "));
    }
}
