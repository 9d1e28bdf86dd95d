//! Tasks made of a user's own systems of regular constraints.
//!
//! Each file that can be read is a task. What is expected of it is what a table of statuses says, if there is
//! one. A file that cannot be read is told, with its place, and left out. Names and families are those of
//! scripts, after paths below the folder that the user gave.

use std::collections::BTreeSet;
use std::path::Path;

use harness_model::{Alphabet, Expected, Question, SolutionKind, SystemFormat, SystemSource, Task};
use harness_systems::document;

use crate::claims::Claims;
use crate::script_files::ScriptFiles;
use crate::scripts::text_of;
use crate::user_scripts::{BadScript, Roots};

/// How systems are read.
#[derive(Clone, Copy)]
pub struct SystemChoice<'a> {
    /// The patterns that named the files, as they were written.
    pub patterns: &'a [&'a str],
    /// What they are written in; without it, each file's ending says so.
    pub format: Option<SystemFormat>,
    /// What is wanted of each.
    pub solution: SolutionKind,
    /// A table of what is expected.
    pub claims: Option<&'a Claims>,
}

/// A user's systems, read in one alphabet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserSystems {
    /// One for each file that can be used.
    pub tasks: Vec<Task>,
    /// What is wrong with the others, in their order.
    pub bad: Vec<BadScript>,
}

impl UserSystems {
    /// Reads `files`, whose strings are over `alphabet`. Ids and families begin with `systems`.
    ///
    /// # Errors
    ///
    /// When the table of what is expected is about none of them.
    pub fn read(files: &ScriptFiles, choice: &SystemChoice<'_>, alphabet: Alphabet) -> Result<Self, String> {
        let mut this = Self::default();
        let roots = Roots::new(files.base(), choice.patterns);
        let mut names = BTreeSet::new();
        let mut in_table = 0_usize;
        let listed = files.files();
        for (file, trouble) in &listed {
            if let Some(trouble) = trouble {
                this.bad.push(BadScript::whole(file, (*trouble).to_owned()));
                continue;
            }
            let claimed = choice.claims.and_then(|claims| claims.of(file));
            in_table += usize::from(claimed.is_some());
            match read(file, choice, claimed, alphabet) {
                Ok((source, expected)) => {
                    let clean = roots.name(file, None);
                    let mut name = clean.clone();
                    for number in 2.. {
                        if names.insert(name.clone()) {
                            break;
                        }
                        name = format!("{clean}-{number}");
                    }
                    let family = match name.rsplit_once('/') {
                        Some((folder, _)) => format!("systems/{folder}"),
                        None => "systems".to_owned(),
                    };
                    let id = format!("systems/{alphabet}/{name}");
                    this.tasks.push(Task {
                        parameters: Default::default(),
                        id,
                        family,
                        question: Question::of_system(alphabet, source),
                        expected,
                    });
                }
                Err(bad) => this.bad.push(bad),
            }
        }
        if choice.claims.is_some() && in_table == 0 && !listed.is_empty() {
            return Err("it is about none of these files: paths in it are relative to its folder".to_owned());
        }
        Ok(this)
    }
}

fn read(
    file: &Path,
    choice: &SystemChoice<'_>,
    claimed: Option<&Expected>,
    alphabet: Alphabet,
) -> Result<(SystemSource, Option<Expected>), BadScript> {
    let whole = |message: String| BadScript::whole(file, message);
    let by_ending = || SystemFormat::of_ending(file.extension()?.to_str()?);
    let Some(format) = choice.format.or_else(by_ending) else {
        return Err(whole(
            "its ending does not say what it is written in: give the entry a 'format', dprle or hampi"
                .to_owned(),
        ));
    };
    let bytes = harness_files::read(file, harness_files::LISTED).map_err(|error| whole(error.to_string()))?;
    let text = text_of(&bytes);
    let document = document::read(&text, format, alphabet).map_err(|error| BadScript {
        file: file.to_owned(),
        position: Some((error.position.line, error.position.column)),
        unsupported: error.kind == harness_systems::ErrorKind::Unsupported,
        message: error.message,
    })?;
    let queries = document.queries.len();
    if queries == 0 {
        return Err(whole("it asks for no solution: there is no 'solve' in it".to_owned()));
    }
    if let Some(Expected { verdicts, source }) = claimed.filter(|claimed| claimed.verdicts.len() != queries) {
        let said = verdicts.len();
        return Err(whole(format!(
            "{source} says {said} statuses, but the file asks for {queries} solutions"
        )));
    }
    let source = SystemSource { text, format, queries, solution: choice.solution };
    Ok((source, claimed.cloned()))
}

#[cfg(test)]
mod tests {
    use harness_model::Verdict;

    use super::*;

    #[test]
    fn files_become_tasks_and_faults_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("d/a.dprle", "a < [ s: x f: y d: x -> y on {'a'} ]; solve(); solve_all();");
        write("d/b.dprle", "a <\n;");
        write("d/c.txt", "solve();");
        write("h/a.hmp", "var v : 3; assert v contains \"ab\";");
        write("h/none.dprle", "push();");
        write("t.csv", "file,status\nd/a.dprle,sat unknown\nh/a.hmp,sat\n");
        let mut files = ScriptFiles::new(folder.path());
        files.add("*/*").unwrap();
        let claims = Claims::read(&folder.path().join("t.csv")).unwrap();
        let choice = SystemChoice {
            patterns: &["*/*"],
            format: None,
            solution: SolutionKind::All,
            claims: Some(&claims),
        };
        let read = UserSystems::read(&files, &choice, Alphabet::Latin1).unwrap();
        let ids: Vec<&str> = read.tasks.iter().map(|task| task.id.as_str()).collect();
        assert_eq!(ids, ["systems/latin1/d/a", "systems/latin1/h/a"]);
        assert_eq!((read.tasks[0].question.asked(), read.tasks[1].family.as_str()), (2, "systems/h"));
        assert_eq!(read.tasks[0].expected.as_ref().unwrap().verdicts, [Verdict::Sat, Verdict::Unknown]);
        assert_eq!(read.tasks[0].question.as_system().unwrap().solution, SolutionKind::All);
        let bad: Vec<String> = read.bad.iter().map(ToString::to_string).collect();
        assert!(
            bad[0].ends_with(
                "d/b.dprle:2:1: expected a name, an automaton in '[' and ']', or 'neg' with one, found ';'"
            ),
            "{bad:?}"
        );
        assert!(bad[1].contains("c.txt: its ending does not say"), "{bad:?}");
        assert!(bad[2].contains("none.dprle: it asks for no solution"), "{bad:?}");
        let named = SystemChoice { format: Some(SystemFormat::Dprle), claims: None, ..choice };
        let read = UserSystems::read(&files, &named, Alphabet::Latin1).unwrap();
        assert!(read.tasks.iter().any(|task| task.id.ends_with("d/c")));
    }
}
