//! How a program is found, and what the words of a command stand for.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use harness_model::Limits;
use rustix::fs::{Access, access};
use rustix::io::Errno;

/// Stands for the path of the script.
pub const FILE: &str = "{file}";

/// All that words of a command may have in braces.
pub const PLACEHOLDERS: [&str; 6] = [FILE, "{wall_s}", "{wall_ms}", "{cpu_s}", "{cpu_ms}", "{memory_mib}"];

/// What a program is told where no limits are enforced: more than it will use, and a number that every
/// program can read.
const NO_LIMITS: Limits =
    Limits { wall: Duration::from_secs(1_000_000), cpu: Duration::from_secs(1_000_000), memory: 1 << 40 };

/// The first thing in braces in a word that looks like a placeholder and is none: lower-case letters and `_`.
pub fn unknown_placeholder(word: &str) -> Option<&str> {
    word.match_indices('{').find_map(|(start, _)| {
        let end = start + word[start..].find('}')? + 1;
        let whole = &word[start..end];
        let name = &whole[1..whole.len() - 1];
        let looks = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        (looks && !PLACEHOLDERS.contains(&whole)).then_some(whole)
    })
}

/// The arguments with what their placeholders stand for. Times are rounded up, memory down: a program that
/// ends just before a limit of the record would, rather meets that limit.
pub fn arguments(words: &[String], file: Option<&Path>, limits: Option<Limits>) -> Vec<String> {
    let limits = limits.unwrap_or(NO_LIMITS);
    let seconds = |time: Duration| (time.as_secs() + u64::from(time.subsec_nanos() > 0)).max(1).to_string();
    let millis = |time: Duration| time.as_nanos().div_ceil(1_000_000).max(1).to_string();
    let mut values = vec![
        ("{wall_s}", seconds(limits.wall)),
        ("{wall_ms}", millis(limits.wall)),
        ("{cpu_s}", seconds(limits.cpu)),
        ("{cpu_ms}", millis(limits.cpu)),
        ("{memory_mib}", (limits.memory >> 20).max(1).to_string()),
    ];
    values.extend(file.map(|file| (FILE, file.display().to_string())));
    let fill =
        |word: &String| values.iter().fold(word.clone(), |word, (name, value)| word.replace(name, value));
    words.iter().map(fill).collect()
}

/// Where the program is: one with a `/` in its name there, any other in a folder of `PATH`.
///
/// # Errors
///
/// When there is none that may be executed: why, and how to mend it.
pub fn find(program: &str) -> Result<PathBuf, String> {
    find_in(program, env::var_os("PATH").as_deref())
}

fn find_in(program: &str, path: Option<&OsStr>) -> Result<PathBuf, String> {
    if program.contains('/') {
        let path = PathBuf::from(program);
        return match usable(&path) {
            Ok(()) => Ok(path),
            Err(Errno::NOENT | Errno::NOTDIR) => Err(format!("the program '{program}' is not there")),
            Err(Errno::ACCESS) => Err(format!(
                "the program '{program}' may not be executed: 'chmod +x {program}' allows it, if it is a program"
            )),
            Err(error) => Err(format!("the program '{program}' cannot be used: {error}")),
        };
    }
    let mut forbidden = None;
    for folder in path.map(env::split_paths).into_iter().flatten() {
        let place = folder.join(program);
        match usable(&place) {
            Ok(()) => return Ok(place),
            Err(Errno::ACCESS) if place.is_file() => forbidden = forbidden.or(Some(place)),
            Err(_) => {}
        }
    }
    Err(match forbidden {
        Some(place) => {
            format!("the program '{program}' may not be executed: 'chmod +x {}' allows it", place.display())
        }
        None => format!(
            "the program '{program}' is not installed: no folder of PATH has it (scripts/setup.sh --solvers installs \
             some solvers)"
        ),
    })
}

/// Whether the file can be started.
fn usable(path: &Path) -> Result<(), Errno> {
    access(path, Access::EXEC_OK)?;
    if path.is_dir() { Err(Errno::ISDIR) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn placeholders_are_known_by_name() {
        assert_eq!(unknown_placeholder("-t={wall_s}:{file}"), None);
        assert_eq!(unknown_placeholder("a {} {A} {1} }{ {"), None);
        assert_eq!(unknown_placeholder("-t={wall_s} {walls}"), Some("{walls}"));
    }

    #[test]
    fn limits_are_told_rounded() {
        let words = ["-T:{wall_s}", "{wall_ms}/{cpu_ms}", "{cpu_s}", "m={memory_mib}", "{file}", "x"];
        let words = words.map(str::to_owned);
        let limits = Limits {
            wall: Duration::from_micros(2_500_500),
            cpu: Duration::from_millis(10),
            memory: (64 << 20) + 9,
        };
        let told = arguments(&words, Some(Path::new("/tmp/a b.smt2")), Some(limits));
        assert_eq!(told, ["-T:3", "2501/10", "1", "m=64", "/tmp/a b.smt2", "x"]);
        assert_eq!(arguments(&words[..1], None, None), ["-T:1000000"]);
    }

    #[test]
    fn a_program_is_found_or_it_is_said_why_not() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str, mode| {
            let path = folder.path().join(name);
            fs::write(&path, "#!/bin/sh\n").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            path
        };
        let (good, plain) = (make("good", 0o755), make("plain", 0o644));
        let path = env::join_paths([Path::new("/nowhere"), folder.path()]).unwrap();
        let find = |program: &str| find_in(program, Some(&path));
        assert_eq!(find("good"), Ok(good.clone()));
        assert_eq!(find(good.to_str().unwrap()), Ok(good));
        assert!(find("plain").unwrap_err().contains("may not be executed"));
        assert!(find(plain.to_str().unwrap()).unwrap_err().contains("chmod +x"));
        assert!(find("absent").unwrap_err().contains("is not installed"));
        assert!(find("/nowhere/absent").unwrap_err().contains("is not there"));
        assert!(find(folder.path().to_str().unwrap()).is_err());
        assert!(find_in("good", None).is_err());
    }
}
