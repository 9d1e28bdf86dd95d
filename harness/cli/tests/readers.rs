//! Every reader of what people write, and of what a run left, on damaged text: no panic, no hang, no growth.
//!
//! A case is a file of the repository and a list of damages, so that what fails shrinks to few damages, and
//! is kept in `proptest-regressions`. `PROPTEST_CASES=1000000 cargo test --release -p harness --test readers`
//! runs longer.
//!
//! A reader may refuse anything. It may not take longer than [`SLOWEST`] for a text of a few kilobytes, which
//! is a hundred times what it takes, nor more memory than [`MOST_MEMORY`] for all that run at once: with
//! more, an allocation fails and the test ends.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Once};
use std::time::{Duration, Instant};

use harness_config::{Config, Vocabulary};
use harness_model::record::Record;
use harness_model::run::RunInfo;
use harness_model::{Alphabet, Dialect, Task};
use proptest::prelude::*;
use rustix::process::{Resource, Rlimit, setrlimit};

const SLOWEST: Duration = Duration::from_secs(20);
const MOST_MEMORY: u64 = 4 << 30;
/// No text becomes longer.
const LONGEST: usize = 64 << 10;

/// One damage to a text. Places are parts of its length, out of `u16::MAX`.
#[derive(Clone, Debug)]
enum Damage {
    /// What stands between two places is left out.
    Cut(u16, u16),
    /// It stands there again, so many times.
    Repeat(u16, u16, u8),
    /// It stands somewhere else, too.
    Copy(u16, u16, u16),
    /// A byte is another one.
    Byte(u16, u8),
    /// A word that means something is put in.
    Word(u16, usize),
    /// Many of the same parenthesis.
    Deep(u16, u8),
    /// The rest is left out.
    End(u16),
}

/// What means something to one reader or another.
const WORDS: [&str; 56] = [
    "(",
    ")",
    "\"",
    "|",
    ";",
    "\n",
    "\r",
    "\t",
    "\\",
    "\\u{",
    "\\u{10FFFF}",
    "\u{0}",
    "\u{1F600}",
    "é",
    "-1",
    "0",
    "18446744073709551616",
    "99999999999999999999999999",
    "1e999",
    "(_ bv1 4096)",
    "(_ bv1 99999999)",
    "#xff",
    "#b",
    "(declare-fun f (String) String)",
    "(declare-sort S 0)",
    "(define-fun g ((x String)) String x)",
    "(check-sat)",
    "(push 1000)",
    "(pop)",
    "(reset)",
    "(let ((x x)) x)",
    "(forall ((i Int)) true)",
    "(as x Int)",
    "(_ re.loop 1 999999999)",
    "(str.replace_all s \"\" \"a\")",
    "(! true :named a)",
    "[",
    "]",
    "{",
    "}",
    ":",
    "- ",
    "? ",
    "&a",
    "*a",
    "<<: *a",
    "!!int ",
    "null",
    "true",
    "'",
    "{2147483647}",
    "(?:",
    "[^",
    "\\p{L}",
    "*+",
    "(?=",
];

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        3 => (any::<u16>(), any::<u16>()).prop_map(|(a, b)| Damage::Cut(a, b)),
        1 => (any::<u16>(), any::<u16>(), any::<u8>()).prop_map(|(a, b, n)| Damage::Repeat(a, b, n)),
        2 => (any::<u16>(), any::<u16>(), any::<u16>()).prop_map(|(a, b, c)| Damage::Copy(a, b, c)),
        3 => (any::<u16>(), any::<u8>()).prop_map(|(a, b)| Damage::Byte(a, b)),
        4 => (any::<u16>(), 0..WORDS.len()).prop_map(|(a, w)| Damage::Word(a, w)),
        1 => (any::<u16>(), any::<u8>()).prop_map(|(a, n)| Damage::Deep(a, n)),
        1 => any::<u16>().prop_map(Damage::End),
    ]
}

fn damages() -> impl Strategy<Value = (usize, Vec<Damage>)> {
    (any::<usize>(), prop::collection::vec(damage(), 0..6))
}

fn damaged(seed: &[u8], damages: &[Damage]) -> Vec<u8> {
    let mut text = seed.to_vec();
    for damage in damages {
        let place = |part: u16| text.len() * usize::from(part) / usize::from(u16::MAX);
        // Most damages are near: pieces are short.
        let piece = |a: u16, b: u16| {
            let start = place(a);
            start..(start + usize::from(b) % 96).min(text.len())
        };
        match damage {
            Damage::Cut(a, b) => {
                let piece = piece(*a, *b);
                text.drain(piece);
            }
            Damage::Repeat(a, b, n) => {
                let piece = piece(*a, *b);
                let again = text[piece.clone()].repeat(usize::from(*n));
                text.splice(piece, again);
            }
            Damage::Copy(a, b, c) => {
                let (piece, at) = (text[piece(*a, *b)].to_vec(), place(*c));
                text.splice(at..at, piece);
            }
            Damage::Byte(a, byte) => {
                let at = place(*a);
                if let Some(old) = text.get_mut(at) {
                    *old = *byte;
                }
            }
            Damage::Word(a, word) => {
                let at = place(*a);
                text.splice(at..at, WORDS[*word].bytes());
            }
            Damage::Deep(a, n) => {
                let at = place(*a);
                let parenthesis = [b"(", b"[", b"{"][usize::from(*n) % 3];
                text.splice(at..at, parenthesis.repeat(20 * usize::from(*n)));
            }
            Damage::End(a) => {
                let at = place(*a);
                text.truncate(at);
            }
        }
        text.truncate(LONGEST);
    }
    text
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below `folder` with this extension, up to 20 KB, in order.
fn files(folder: &str, extension: &str) -> Vec<Vec<u8>> {
    let (mut folders, mut found) = (vec![root().join(folder)], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found.into_iter().map(|path| fs::read(path).unwrap()).filter(|text| text.len() < 20_000).collect()
}

static SCRIPTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| files("corpora", "smt2"));
static CONFIGS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| files("configs", "yaml"));
/// What a run left: heads, tasks and records, each of them a line of JSON.
static RUN: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let folder = root().join("configs/baseline/ci");
    let mut all = vec![fs::read(folder.join("run.json")).unwrap()];
    for name in ["tasks.jsonl", "records.jsonl"] {
        let text = fs::read(folder.join(name)).unwrap();
        all.extend(text.split(|&b| b == b'\n').filter(|line| !line.is_empty()).take(40).map(<[u8]>::to_vec));
    }
    all
});

const MODELS: [&str; 4] = [
    "sat\n(\n  (define-fun s () String \"a\\u{62}\")\n  (define-fun n () Int (- 3))\n  (define-fun p () Bool true)\n)\n((n 2)\n ((str.++ s s) \"x\"))\n",
    "sat\n(\n(declare-fun Obj!val!0 () Obj)\n(forall ((x Obj)) (= x Obj!val!0))\n(define-fun o () Obj Obj!val!0)\n(define-fun f ((x!0 String)) String (ite (= x!0 (seq.unit (_ Char 97))) \"x\" \"\"))\n(define-fun b () (_ BitVec 8) #x05))\n",
    "unsat\n(error \"line 3 column 5: no\")\nunknown\n(:reason-unknown (incomplete))\n",
    "sat\n(model (define-fun f ((_arg_1 String)) String (ite (= \"a\" _arg_1) \"x\" \"\")) (define-fun o () Obj (as @Obj_1 Obj)))\n",
];

const ASKED: &str = "(declare-sort Obj 0)(declare-const s String)(declare-const n Int)(declare-const p Bool)(declare-const o Obj)\
    (declare-const b (_ BitVec 8))(declare-fun f (String) String)(assert (= (f s) \"x\"))(assert (> (str.len s) n))\
    (assert (= (bvand b #x0f) #x05))(check-sat)(get-model)";

/// Runs a reader, which may say what it likes, in bounded time and memory.
fn bounded(text: &[u8], read: impl FnOnce()) -> Result<(), TestCaseError> {
    static LIMIT: Once = Once::new();
    LIMIT.call_once(|| {
        setrlimit(Resource::As, Rlimit { current: Some(MOST_MEMORY), maximum: Some(MOST_MEMORY) }).unwrap();
    });
    let start = Instant::now();
    read();
    prop_assert!(start.elapsed() < SLOWEST, "{:?} for {} bytes", start.elapsed(), text.len());
    Ok(())
}

fn vocabulary() -> Vocabulary {
    Vocabulary {
        families: backends::registry().families().map(|family| family.spec().clone()).collect(),
        unavailable: Vec::new(),
        corpora: vec!["regexes/li2009".to_owned(), "smtlib/core".to_owned()],
        recipes: Vec::new(),
        generators: vec!["hybrid".to_owned(), "random-graphs".to_owned(), "long".to_owned()],
        problems: Vec::new(),
        layouts: reports::layout::ALL.iter().map(|layout| layout.name().to_owned()).collect(),
    }
}

fn cases(default: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    ProptestConfig { cases, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn scripts((which, damages) in damages()) {
        let text = damaged(&SCRIPTS[which % SCRIPTS.len()], &damages);
        bounded(&text, || {
            for alphabet in [Alphabet::Unicode, Alphabet::Utf16, Alphabet::Ascii] {
                let _ = harness_smtlib::read_in(&text, alphabet);
            }
            let _ = harness_smtlib::tree::read(&text);
        })?;
    }

    #[test]
    fn models((which, damages) in damages(), script in any::<bool>()) {
        let text = damaged(MODELS[which % MODELS.len()].as_bytes(), &damages);
        let asked = if script { damaged(ASKED.as_bytes(), &damages) } else { ASKED.into() };
        bounded(&text, || {
            let _ = harness_smtlib::reply::read(&text);
            let (model, asked) = (String::from_utf8_lossy(&text), String::from_utf8_lossy(&asked));
            let _ = harness_smtlib::ground::substitute(&asked, &model);
            let Ok(read) = harness_smtlib::read(asked.as_bytes()) else { return };
            for query in &read.queries {
                let _ = harness_judge::check_model(&asked, query, &model, Alphabet::Unicode);
            }
        })?;
    }

    #[test]
    fn configs((which, damages) in damages()) {
        let text = damaged(&CONFIGS[which % CONFIGS.len()], &damages);
        bounded(&text, || {
            let text = String::from_utf8_lossy(&text);
            let base = root().join("configs");
            let _ = Config::parse(&text, &base.join("damaged.yaml"), &base, &vocabulary());
        })?;
    }

    #[test]
    fn runs((which, damages) in damages()) {
        let text = damaged(&RUN[which % RUN.len()], &damages);
        bounded(&text, || {
            let _ = serde_json::from_slice::<RunInfo>(&text);
            let _ = serde_json::from_slice::<Task>(&text);
            let _ = serde_json::from_slice::<Record>(&text);
        })?;
    }

}

proptest! {
    // Each is read in four dialects, over three alphabets, as a whole and as something to be found.
    #![proptest_config(cases(150))]

    #[test]
    fn expressions((which, damages) in damages()) {
        let seed = EXPRESSIONS[which % EXPRESSIONS.len()];
        let text = damaged(seed.as_bytes(), &damages);
        bounded(&text, || {
            let text = String::from_utf8_lossy(&text);
            for dialect in Dialect::ALL {
                for alphabet in [Alphabet::Ascii, Alphabet::Utf16, Alphabet::Unicode] {
                    let _ = harness_regex::parse(&text, dialect, alphabet);
                    let _ = harness_regex::parse_search(&text, dialect, alphabet);
                }
            }
        })?;
    }
}

const EXPRESSIONS: [&str; 6] = [
    r"^(?:[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#]+)*|\x22(?:[\x01-\x08])*\x22)@[\w.-]{2,63}$",
    r"(?i)(?<year>\d{4})-(?<month>0[1-9]|1[0-2])\b[^\S\r\n]*+(?x: a # comment
        b)",
    r"[\p{L}&&[^\p{Lu}]]{1,3}|[a-z-[aeiou]]+|\Q.*\E|\u0041|\x{1F600}",
    r"((a|b)*?c){2,}(?>d|e)?+[[:alpha:]]\d\D\s\S\w\W",
    r"(?s-i:.)(?#note)\A\z\Z\G\R\h\H\v\V\N\X",
    r"",
];
