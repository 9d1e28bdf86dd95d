//! Systems of regular constraints: long strings, random systems, and inputs that change what a query means.

use std::fmt::Write as _;

use harness_model::{Alphabet, Expected, Question, SolutionKind, SystemFormat, SystemSource, Task, Verdict};

use crate::error::GeneratorError;
use crate::params::Params;
use crate::random::Random;
use crate::{Family, GeneratorInfo, ParamInfo};

fn task(
    id: String,
    family: &str,
    alphabet: Alphabet,
    (text, format): (String, SystemFormat),
    expected: Option<(Verdict, String)>,
) -> Task {
    let source = SystemSource { text, format, queries: 1, solution: SolutionKind::Words };
    Task {
        parameters: Default::default(),
        id,
        family: family.to_owned(),
        question: Question::of_system(alphabet, source),
        expected: expected.map(|(verdict, source)| Expected { verdicts: vec![verdict], source }),
    }
}

/// One variable in `[a-c]*a[a-c]{n+1}` and in `[a-c]*b[a-c]{n}` (Hooimeijer, *Decision Procedures for String
/// Constraints*, section 4.2.3).
pub struct LongSystems;

/// The largest count: one that every strategy reads.
const LARGEST: u32 = 100_000;

impl Family for LongSystems {
    fn info(&self) -> GeneratorInfo {
        GeneratorInfo {
            name: "long-systems",
            summary: "a variable in [a-c]*a[a-c]{n+1} and in [a-c]*b[a-c]{n}: a shortest value has n + 2 characters",
            scripts: false,
            params: &[ParamInfo {
                name: "n",
                summary: "a number or a list of them; 10, 100 and 1000 by default",
            }],
        }
    }

    fn tasks(
        &self,
        params: &Params<'_>,
        _: u64,
        alphabets: &[Alphabet],
    ) -> Result<Vec<Task>, GeneratorError> {
        let sizes = params.ints("n", &[10, 100, 1000], 1, LARGEST)?;
        let one = |alphabet: Alphabet, n: u32| {
            let letters = "(re.range \"a\" \"c\")";
            let member = |letter: &str, count: u32| {
                format!(
                    "(assert (str.in_re v (re.++ (re.* {letters}) (str.to_re \"{letter}\") ((_ re.^ {count}) {letters}))))\n"
                )
            };
            let text = format!(
                "(set-logic QF_S)\n(declare-const v String)\n{}{}(check-sat)\n",
                member("a", n + 1),
                member("b", n)
            );
            let why = format!("by construction: 'ab' and any {n} letters of a to c are a value");
            let id = format!("long-systems/{alphabet}/n{n}");
            let task =
                task(id, "long-systems", alphabet, (text, SystemFormat::Smtlib), Some((Verdict::Sat, why)));
            Task { parameters: super::sizes([("n", n)]), ..task }
        };
        Ok(alphabets.iter().flat_map(|&alphabet| sizes.iter().map(move |&n| one(alphabet, n))).collect())
    }
}

/// Random systems over two letters, with chains, shared variables and cycles.
pub struct RandomSystems;

impl Family for RandomSystems {
    fn info(&self) -> GeneratorInfo {
        GeneratorInfo {
            name: "random-systems",
            summary: "systems over two letters: chains of variables, shared ones, cycles; no verdict is known",
            scripts: false,
            params: &[
                ParamInfo { name: "count", summary: "how many; 100 by default" },
                ParamInfo { name: "variables", summary: "at most so many in each; 3 by default" },
                ParamInfo { name: "concatenations", summary: "at most so many in each; 3 by default" },
                ParamInfo { name: "states", summary: "at most so many in each automaton; 4 by default" },
            ],
        }
    }

    fn tasks(
        &self,
        params: &Params<'_>,
        seed: u64,
        alphabets: &[Alphabet],
    ) -> Result<Vec<Task>, GeneratorError> {
        let count = params.int("count", 100, 1, 1_000_000)?;
        let most = Shape {
            variables: params.int("variables", 3, 1, 20)?,
            concatenations: params.int("concatenations", 3, 0, 20)?,
            states: params.int("states", 4, 1, 20)?,
        };
        let mut tasks = Vec::new();
        for &alphabet in alphabets {
            for number in 0..count {
                let text = random_system(&mut Random::new(seed, number.into()), most);
                let id = format!("random-systems/{alphabet}/s{seed}/{number}");
                tasks.push(task(id, "random-systems", alphabet, (text, SystemFormat::Dprle), None));
            }
        }
        Ok(tasks)
    }
}

/// How large random systems are at most.
#[derive(Clone, Copy)]
struct Shape {
    variables: u32,
    concatenations: u32,
    states: u32,
}

/// Each variable has a bound of its own with three chances in four; a concatenation has two or three places,
/// in any of which any variable may stand.
fn random_system(random: &mut Random, most: Shape) -> String {
    let variables = 1 + random.below(most.variables);
    let concatenations = random.below(most.concatenations + 1);
    let mut text = String::new();
    for variable in 0..variables {
        if random.below(4) > 0 {
            let _ = writeln!(text, "v{variable} < {};", random_automaton(random, most.states));
        }
    }
    for _ in 0..concatenations {
        let pieces = 2 + random.below(2);
        let pieces: Vec<String> = (0..pieces).map(|_| format!("v{}", random.below(variables))).collect();
        let _ = writeln!(text, "{} < {};", pieces.join(" . "), random_automaton(random, most.states));
    }
    if text.is_empty() {
        let _ = writeln!(text, "v0 < {};", random_automaton(random, most.states));
    }
    text.push_str("solve();\n");
    text
}

/// Moves on `a`, `b`, both or nothing; one in eight automata stands for all other words over these letters
/// and others.
fn random_automaton(random: &mut Random, most: u32) -> String {
    let states = 1 + random.below(most);
    let mut text = if random.below(8) == 0 { "neg ".to_owned() } else { String::new() };
    let _ = write!(text, "[ s: q0 f: q{} d:", random.below(states));
    for _ in 0..=states + random.below(states) {
        let label = ["{ 'a' }", "{ 'b' }", "{ 'a', 'b' }", "epsilon"][random.weighted(&[4, 4, 2, 1])];
        let _ = write!(text, " q{} -> q{} on {label}", random.below(states), random.below(states));
    }
    text.push_str(" ]");
    text
}

/// Inputs of web pages that pass the checks of the page and change what its query means: the shape of the
/// example that the study opens with, at the numbers of constraints of its figure 2.11. The pages are made
/// up.
pub struct Injection;

/// The pages of the figure: name, and number of constraints.
const PAGES: [(&str, u32); 17] = [
    ("eve/edit", 29),
    ("utopia/login", 16),
    ("utopia/profile", 16),
    ("utopia/styles", 156),
    ("utopia/comm", 102),
    ("warp/cxapp", 10),
    ("warp/ax_help", 4),
    ("warp/usr_reg", 10),
    ("warp/ax_ed", 10),
    ("warp/cart_shop", 31),
    ("warp/req_redir", 41),
    ("warp/secure", 81),
    ("warp/a_cont", 10),
    ("warp/usr_prf", 66),
    ("warp/xw_mn", 387),
    ("warp/castvote", 10),
    ("warp/pay_nfo", 10),
];

impl Family for Injection {
    fn info(&self) -> GeneratorInfo {
        GeneratorInfo {
            name: "sql-injection",
            summary: "inputs that pass a page's checks and change the meaning of its query; the sizes of figure 2.11",
            scripts: false,
            params: &[ParamInfo {
                name: "fixed",
                summary: "whether the filters look at whole inputs, so that there is no such input; false by default",
            }],
        }
    }

    fn tasks(
        &self,
        params: &Params<'_>,
        seed: u64,
        alphabets: &[Alphabet],
    ) -> Result<Vec<Task>, GeneratorError> {
        let fixed = params.flag("fixed", false)?;
        let mut tasks = Vec::new();
        for &alphabet in alphabets {
            for (stream, (name, constraints)) in PAGES.iter().enumerate() {
                let mut random = Random::new(seed, stream as u64);
                // One page has long texts in its query, which every product carries along.
                let long = *name == "warp/secure";
                let text = page(&mut random, *constraints, long, fixed);
                let (verdict, why) = if fixed {
                    (
                        Verdict::Unsat,
                        "by construction: every input is of digits, and no text of the query has a quote",
                    )
                } else {
                    (Verdict::Sat, "by construction: a quote, a space, 'OR 1' and a digit pass every check")
                };
                let id = format!("sql-injection/{alphabet}/{}{name}", if fixed { "fixed/" } else { "" });
                let family = if fixed { "sql-injection/fixed" } else { "sql-injection" };
                tasks.push(task(
                    id,
                    family,
                    alphabet,
                    (text, SystemFormat::Dprle),
                    Some((verdict, why.to_owned())),
                ));
            }
        }
        Ok(tasks)
    }
}

/// The digits as DPRLE writes sets.
const DIGITS: &str = "{ '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' }";

/// Some inputs, checks of each, and the query. The number of inclusions is `constraints`.
fn page(random: &mut Random, constraints: u32, long: bool, fixed: bool) -> String {
    let inputs = if constraints < 10 { 1 } else { 1 + random.below(3) };
    let mut text = String::new();
    // The filter of the inputs: a digit at the end, and where the page is right at every place.
    let filter = if fixed {
        format!("[ s: a f: b d: a -> b on {DIGITS} b -> b on {DIGITS} ]")
    } else {
        format!("[ s: a f: b d: a -> a on any a -> b on {DIGITS} ]")
    };
    for input in 0..inputs {
        let _ = writeln!(text, "input{input} < {filter};");
    }
    // What the query is made of: texts without quotes, which are names for themselves.
    let mut query = Vec::new();
    for piece in 0..=inputs {
        let length = if long { 300 + random.below(300) } else { 10 + random.below(20) };
        let _ = writeln!(text, "text{piece} < {};", word(random, length));
        query.push(format!("text{piece}"));
        if piece < inputs {
            query.push(format!("input{piece}"));
        }
    }
    // The query itself is an inclusion too.
    let left = constraints.saturating_sub(2 * inputs + 2);
    // Checks on the way: the input is not some word, has some length, is without some characters.
    for number in 0..left {
        let input = number % inputs;
        let check = match random.below(3) {
            0 => {
                let length = 3 + random.below(10);
                format!("neg {}", word(random, length))
            }
            1 => {
                let longest = 12 + random.below(30);
                let mut automaton = "[ s: q0 f: end d: q0 -> end on epsilon".to_owned();
                for place in 0..longest {
                    let next = place + 1;
                    let _ = write!(automaton, " q{place} -> q{next} on any q{next} -> end on epsilon");
                }
                automaton + " ]"
            }
            _ => {
                let rare = char::from_u32('A' as u32 + 15 + random.below(11)).unwrap_or('Z');
                let rare = if rare == 'R' { 'Z' } else { rare };
                format!("[ s: a f: a d: a -> a on neg {{ '{rare}', \\0{:02} }} ]", 1 + random.below(31))
            }
        };
        let _ = writeln!(text, "input{input} < {check};");
    }
    // The query is another one than was meant: a quote ends a value, and a condition follows.
    let _ = writeln!(
        text,
        "{} < [ s: a f: d d: a -> a on any a -> b on {{ ''' }} b -> c on {{ ' ' }} c -> e on {{ 'O' }} \
         e -> d on {{ 'R' }} d -> d on any ];",
        query.join(" . ")
    );
    text.push_str("solve();\n");
    text
}

/// An automaton with one word of letters and blanks.
fn word(random: &mut Random, length: u32) -> String {
    let mut automaton = format!("[ s: q0 f: q{length} d:");
    for place in 0..length {
        let letter = match random.below(27) {
            26 => ' ',
            letter => char::from_u32('a' as u32 + letter).unwrap_or('a'),
        };
        let _ = write!(automaton, " q{place} -> q{} on {{ '{letter}' }}", place + 1);
    }
    automaton + " ]"
}
