//! Where programs that a strategy starts look for their libraries: where the user's environment says, even if
//! the worker has another place, as the copies of two builds have.

use std::ffi::OsString;
use std::process::Command;

/// The variable that says where libraries are looked for first.
pub const SEARCHED: &str = "LD_LIBRARY_PATH";

/// The variable of a worker that has another one: what the user's was; empty: there was none.
const OF_THE_USER: &str = "HARNESS_LIBRARIES_OF_THE_USER";

/// The variables of a worker that looks for its libraries in `path`, then where the user said.
pub fn of_worker(path: OsString) -> [(&'static str, OsString); 2] {
    let users = std::env::var_os(SEARCHED).unwrap_or_default();
    let mut all = path;
    if !users.is_empty() {
        all.push(":");
        all.push(&users);
    }
    [(SEARCHED, all), (OF_THE_USER, users)]
}

/// Gives the program the user's own place, where this process has another one.
pub fn of_user(command: &mut Command) {
    restore(command, std::env::var_os(OF_THE_USER));
}

fn restore(command: &mut Command, users: Option<OsString>) {
    let Some(users) = users else { return };
    command.env_remove(OF_THE_USER);
    if users.is_empty() {
        command.env_remove(SEARCHED);
    } else {
        command.env(SEARCHED, users);
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    fn changes(users: Option<&str>) -> Vec<(String, Option<String>)> {
        let mut command = Command::new("solver");
        restore(&mut command, users.map(OsString::from));
        let text = |text: &OsStr| text.to_string_lossy().into_owned();
        command.get_envs().map(|(name, value)| (text(name), value.map(text))).collect()
    }

    #[test]
    fn a_program_has_what_the_user_has() {
        let gone = (OF_THE_USER.to_owned(), None);
        assert_eq!(changes(None), []);
        assert_eq!(changes(Some("")), [gone.clone(), (SEARCHED.to_owned(), None)]);
        assert_eq!(changes(Some("/a:/b")), [gone, (SEARCHED.to_owned(), Some("/a:/b".to_owned()))]);
    }
}
