//! Recipes of public corpora: where one is, at which commit, under which licence, and how far its statuses
//! are to be believed.
//!
//! A recipe is facts about files that are not here. Those that are built in are the rows of
//! `corpora/recipes.csv`; a file of a user's own has the same columns.
//!
//! Invariant: a recipe that was read names an address of `https` or of this machine, a folder inside of the
//! repository, and a commit in hexadecimal digits; nothing in it is an option or a pattern to `git`.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use harness_model::Verdict;

use crate::error::{CorpusError, hint};

/// What is built in.
const BUILT_IN: &str = include_str!("../recipes.csv");

/// How errors call it.
const BUILT_IN_NAME: &str = "corpora/recipes.csv";

/// The licences that nobody has to accept by name: whoever fetches may use the files.
pub const PERMISSIVE: [&str; 9] =
    ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC-BY-4.0", "CC0-1.0", "ISC", "MIT", "Unlicense"];

/// What stands for a licence where there is none.
pub const NONE_STATED: &str = "none-stated";

/// The columns of a file of recipes.
const COLUMNS: [&str; 13] = [
    "name",
    "repository",
    "commit",
    "folder",
    "below",
    "ending",
    "files",
    "licence",
    "stated",
    "dialect",
    "status",
    "wrong",
    "summary",
];

/// The digits of a whole hash.
pub const WHOLE_HASH: usize = 40;

/// The fewest digits of a commit that still name one.
const FEWEST_DIGITS: usize = 10;

/// A public corpus: where it is and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// What `harness fetch` and configurations call it.
    pub name: String,
    /// The address of the repository.
    pub repository: String,
    /// The commit: the whole hash in lower case, or how it begins.
    pub commit: String,
    /// The suite's folder in the repository; `.` is the root.
    pub folder: String,
    /// Whether scripts in folders below that one belong to it.
    pub below: bool,
    /// How the names of its scripts end; empty for all files.
    pub ending: String,
    /// How many there are, where that is known.
    pub files: Option<u64>,
    /// An identifier of SPDX, a name of its own for a licence that has none, or [`NONE_STATED`].
    pub licence: String,
    /// Where the licence is stated, or why there is none.
    pub stated: String,
    /// In what notation the scripts are; for people.
    pub dialect: String,
    /// On whose word something is expected.
    pub status: Status,
    /// The scripts of which it is known that this word is wrong.
    pub wrong: Vec<KnownWrong>,
    /// What the scripts are about.
    pub summary: String,
}

/// On whose word something is expected of a corpus's scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Their own: `(set-info :status …)`.
    Declared,
    /// That of the nearest folder that is called `sat` or `unsat`.
    Folder,
    /// Nobody's: too much of it is wrong, or nothing is said.
    None,
}

impl Status {
    const ALL: [(&'static str, Self); 3] =
        [("declared", Self::Declared), ("folder", Self::Folder), ("none", Self::None)];
}

/// A script whose status is known to be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownWrong {
    /// Its path below the suite's folder.
    pub file: String,
    /// What is right, where that is known.
    pub right: Option<Verdict>,
}

impl Recipe {
    /// Whether the licence has to be accepted by name.
    pub fn needs_consent(&self) -> bool {
        !PERMISSIVE.contains(&self.licence.as_str())
    }

    /// Whether `path`, below the suite's folder, is one of its scripts.
    pub fn takes(&self, path: &str) -> bool {
        path.ends_with(&self.ending) && (self.below || !path.contains('/'))
    }

    /// The verdict in the name of the nearest folder above `path` that has one; `path` is below the suite's
    /// folder.
    pub fn folder_verdict(&self, path: &str) -> Option<(Verdict, String)> {
        let whole = format!("{}/{path}", self.folder);
        let (mut folder, _) = whole.rsplit_once('/')?;
        loop {
            let (above, name) = folder.rsplit_once('/').unwrap_or(("", folder));
            match name {
                "sat" => return Some((Verdict::Sat, folder.to_owned())),
                "unsat" => return Some((Verdict::Unsat, folder.to_owned())),
                _ if above.is_empty() => return None,
                _ => folder = above,
            }
        }
    }
}

/// Recipes in order of their names, each name once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipes(Vec<Recipe>);

impl Recipes {
    /// Those that are built in.
    ///
    /// # Errors
    ///
    /// When `corpora/recipes.csv` is wrong; a test reads it.
    pub fn built_in() -> Result<Self, CorpusError> {
        read(BUILT_IN.as_bytes(), Path::new(BUILT_IN_NAME)).map(Self)
    }

    /// With those of a user's own file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, a row of it is wrong, or a name is there already.
    pub fn with(mut self, file: &Path) -> Result<Self, CorpusError> {
        let bytes = harness_files::read(file, harness_files::LISTED).map_err(|error| CorpusError::File {
            file: file.to_owned(),
            what: format!("the recipes cannot be read: {error}"),
        })?;
        for recipe in read(&bytes, file)? {
            if self.iter().any(|known| known.name == recipe.name) {
                let what = format!("the recipe '{}' is built in: give yours another name", recipe.name);
                return Err(CorpusError::File { file: file.to_owned(), what });
            }
            self.0.push(recipe);
        }
        self.0.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(self)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Recipe> {
        self.0.iter()
    }

    /// The one of this name.
    ///
    /// # Errors
    ///
    /// When there is none, with the nearest name.
    pub fn find(&self, name: &str) -> Result<&Recipe, CorpusError> {
        self.iter().find(|recipe| recipe.name == name).ok_or_else(|| {
            let mut hint = hint(name, self.iter().map(|recipe| recipe.name.as_str()));
            if hint.is_empty() {
                hint.push_str(": 'harness list recipes' shows all");
            }
            CorpusError::UnknownRecipe { name: name.to_owned(), hint }
        })
    }
}

fn read(bytes: &[u8], file: &Path) -> Result<Vec<Recipe>, CorpusError> {
    let wrong = |what: String| CorpusError::File { file: file.to_owned(), what };
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes);
    let header = reader.headers().map_err(|error| wrong(error.to_string()))?;
    if header.iter().ne(COLUMNS) {
        return Err(wrong(format!("the first line has to be {}", COLUMNS.join(","))));
    }
    let (mut recipes, mut names) = (Vec::new(), BTreeSet::new());
    for row in reader.records() {
        let row = row.map_err(|error| wrong(error.to_string()))?;
        let line = row.position().map_or(0, |position| usize::try_from(position.line()).unwrap_or(0));
        let wrong = |what: String| CorpusError::Line { file: file.to_owned(), line, what };
        let recipe = recipe(&row).map_err(|why| wrong(why.to_string()))?;
        if !names.insert(recipe.name.clone()) {
            return Err(wrong(format!("the recipe '{}' is there twice", recipe.name)));
        }
        recipes.push(recipe);
    }
    recipes.sort_by(|one: &Recipe, other| one.name.cmp(&other.name));
    Ok(recipes)
}

/// What is wrong with a row: the column, what stands there, and what should.
struct WrongField {
    column: &'static str,
    found: String,
    wanted: &'static str,
}

impl fmt::Display for WrongField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: '{}' should be {}", self.column, self.found, self.wanted)
    }
}

fn recipe(row: &csv::StringRecord) -> Result<Recipe, WrongField> {
    let field = |column: &'static str| {
        let place = COLUMNS.iter().position(|known| *known == column);
        place.and_then(|place| row.get(place)).unwrap_or_default().to_owned()
    };
    let checked = |column: &'static str, is_right: &dyn Fn(&str) -> bool, wanted: &'static str| {
        let found = field(column);
        if is_right(&found) { Ok(found) } else { Err(WrongField { column, found, wanted }) }
    };
    let below = checked("below", &|text| ["yes", "no"].contains(&text), "yes or no")?;
    let files =
        checked("files", &|text| text.is_empty() || text.parse::<u64>().is_ok(), "a number, or empty")?;
    let status = checked("status", &|text| status(text).is_some(), "declared, folder or none")?;
    let wrong = checked(
        "wrong",
        &|text| text.split_whitespace().all(|word| known_wrong(word).is_some()),
        "paths below the folder with blanks between, each with =sat or =unsat behind it where that is right",
    )?;
    Ok(Recipe {
        name: checked(
            "name",
            &is_name,
            "made of lower-case letters, digits, '-', '_' and '.', with '/' between its parts",
        )?,
        repository: checked("repository", &is_address, "an address that begins with https:// or file:///")?,
        commit: checked("commit", &is_commit, "10 to 40 hexadecimal digits in lower case")?,
        folder: checked(
            "folder",
            &is_folder,
            "a path in the repository without '..', '*', '?', '[' and '\\', or .",
        )?,
        below: below == "yes",
        ending: checked("ending", &is_ending, "such as .smt2, or empty")?,
        files: files.parse().ok(),
        licence: checked("licence", &is_word, "a name without blanks, or none-stated")?,
        stated: checked("stated", &is_text, "where the licence is stated, or why there is none")?,
        dialect: field("dialect"),
        status: self::status(&status).unwrap_or(Status::None),
        wrong: wrong.split_whitespace().filter_map(known_wrong).collect(),
        summary: checked("summary", &is_text, "a line of text")?,
    })
}

fn status(text: &str) -> Option<Status> {
    Status::ALL.iter().find(|(name, _)| *name == text).map(|(_, status)| *status)
}

fn known_wrong(word: &str) -> Option<KnownWrong> {
    let (file, right) = match word.rsplit_once('=') {
        None => (word, None),
        Some((file, "sat")) => (file, Some(Verdict::Sat)),
        Some((file, "unsat")) => (file, Some(Verdict::Unsat)),
        Some(_) => return None,
    };
    Some(KnownWrong { file: file.to_owned(), right }).filter(|_| is_folder(file) && file != ".")
}

fn is_name(text: &str) -> bool {
    let ok = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
    text.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && part.chars().all(ok))
}

fn is_address(text: &str) -> bool {
    ["https://", "file:///"].iter().any(|start| text.len() > start.len() && text.starts_with(start))
        && is_word(text)
}

fn is_commit(text: &str) -> bool {
    let digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    (FEWEST_DIGITS..=WHOLE_HASH).contains(&text.len()) && text.chars().all(digit)
}

fn is_folder(text: &str) -> bool {
    let part = |part: &str| !part.is_empty() && ![".", "..", ".git"].contains(&part);
    text == "." || (text.split('/').all(part) && is_text(text) && !text.contains(['*', '?', '[', '\\']))
}

fn is_ending(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
}

fn is_word(text: &str) -> bool {
    is_text(text) && !text.contains(char::is_whitespace)
}

fn is_text(text: &str) -> bool {
    !text.is_empty() && !text.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str =
        "a/b,https://x.org/r,0123456789ab,s/t,yes,.smt2,3,MIT,LICENSE,smtlib-2.6,declared,,some";

    fn parse(row: &str) -> Result<Recipe, String> {
        let text = format!("{}\n{row}\n", COLUMNS.join(","));
        let recipes = read(text.as_bytes(), Path::new("r.csv")).map_err(|error| error.to_string())?;
        Ok(recipes[0].clone())
    }

    #[test]
    fn the_built_in_ones_can_be_read() {
        let all = Recipes::built_in().unwrap();
        assert!(all.iter().count() > 100);
        for recipe in all.iter() {
            assert!(recipe.repository.starts_with("https://"), "{}", recipe.name);
            assert_eq!(
                recipe.licence == NONE_STATED,
                recipe.stated.contains("no licence") || recipe.stated.contains("not said")
            );
        }
        // Of its expected verdicts 142 of 468 are wrong.
        assert_eq!(all.find("regex-smt/regexlib-membership/sat").unwrap().status, Status::None);
        let said = all.find("cvc5/regres1").unwrap_err().to_string();
        assert_eq!(said, "there is no recipe 'cvc5/regres1': did you mean 'cvc5/regress1'?");
        let said = all.find("no such").unwrap_err().to_string();
        assert_eq!(said, "there is no recipe 'no such': 'harness list recipes' shows all");
    }

    #[test]
    fn a_row_is_a_recipe_or_says_what_is_wrong() {
        assert_eq!(parse(ROW).unwrap().files, Some(3));
        for (from, to, why) in [
            ("a/b", "A/b", "name: 'A/b'"),
            ("a/b", "../b", "name: '../b'"),
            ("https://x.org/r", "ext::sh -c x", "repository: 'ext::sh -c x'"),
            ("https://x.org/r", "--upload-pack=x", "repository: "),
            ("0123456789ab", "0123", "commit: '0123'"),
            ("0123456789ab", "0123456789AB", "commit: "),
            ("s/t", "s/../../t", "folder: "),
            ("s/t", "s/*", "folder: "),
            ("s/t", "/etc", "folder: "),
            (",yes,", ",maybe,", "below: 'maybe' should be yes or no"),
            (",3,", ",many,", "files: 'many'"),
            ("MIT", "", "licence: ''"),
            ("declared", "sure", "status: 'sure'"),
            (",,some", ",x.smt2=maybe,some", "wrong: "),
            (",,some", ",../x.smt2,some", "wrong: "),
            (",some", "", "fields"),
        ] {
            let said = parse(&ROW.replacen(from, to, 1)).unwrap_err();
            assert!(said.contains(why), "{from} -> {to}: {said}");
        }
        let said = parse(&format!("{ROW}\n{ROW}")).unwrap_err();
        assert!(said.starts_with("r.csv:3: the recipe 'a/b' is there twice"), "{said}");
        let said = read(b"name,commit\n", Path::new("r.csv")).unwrap_err().to_string();
        assert!(said.contains("the first line has to be name,repository,"), "{said}");
    }

    #[test]
    fn which_files_belong_to_it_and_what_folders_say() {
        let recipe = parse(ROW).unwrap();
        assert!(recipe.takes("x/y.smt2") && !recipe.takes("y.txt"));
        let flat = Recipe { below: false, ..recipe.clone() };
        assert!(flat.takes("y.smt2") && !flat.takes("x/y.smt2"));
        let verdict = |folder: &str, path: &str| {
            let recipe = Recipe { folder: folder.to_owned(), ..recipe.clone() };
            recipe.folder_verdict(path).map(|(verdict, folder)| format!("{verdict} {folder}"))
        };
        assert_eq!(verdict("s/unsat", "x.smt2").as_deref(), Some("unsat s/unsat"));
        assert_eq!(verdict("s/unsat", "sat/deep/x.smt2").as_deref(), Some("sat s/unsat/sat"));
        assert_eq!(verdict(".", "sat/x.smt2").as_deref(), Some("sat ./sat"));
        assert_eq!(verdict("s", "sat.smt2"), None);
    }

    #[test]
    fn known_wrong_statuses_may_say_what_is_right() {
        let recipe = parse(&ROW.replace(",,some", ",a.smt2 b/c.smt2=unsat,some")).unwrap();
        let wrong: Vec<_> = recipe.wrong.iter().map(|one| (one.file.as_str(), one.right)).collect();
        assert_eq!(wrong, [("a.smt2", None), ("b/c.smt2", Some(Verdict::Unsat))]);
    }
}
