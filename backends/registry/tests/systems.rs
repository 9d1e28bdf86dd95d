//! Systems of regular constraints: every strategy that takes them, on the examples of the text, on edges, and
//! on random ones, against the judge, each other, and a search of all short words.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

use backends_api::{BackendError, Budget, Probe};
use harness_check::inclusion::{Inclusion, equivalence};
use harness_check::matcher::matches;
use harness_judge::{Checked, check_system, words_of};
use harness_model::{
    Alphabet, Answer, Char, CharSet, Languages, Question, Regex, SmtString, SolutionKind, SystemFormat,
    SystemSource, Verdict, Witness,
};
use harness_systems::{Language, Relation, System, document, dprle};

const ALPHABET: Alphabet = Alphabet::Latin1;

/// The strategies whose own question this is, each with an option that matters.
const OWN: [&str; 9] = [
    "dprle",
    "dprle-bdd",
    "dprle-minimise",
    "dprle-published",
    "strsolve",
    "strsolve-bdd",
    "strsolve-hashset",
    "strsolve-published",
    "strsolve-variables-declared",
];

fn source(text: &str, solution: SolutionKind) -> SystemSource {
    let document =
        document::read(text, SystemFormat::Dprle, ALPHABET).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let queries = document.queries.len();
    SystemSource { text: text.to_owned(), format: SystemFormat::Dprle, queries, solution }
}

fn system(source: &SystemSource) -> System {
    let document = document::read_source(source, ALPHABET).unwrap();
    document.queries[0].system.clone().unwrap()
}

fn ask(name: &str, source: &SystemSource) -> Result<Answer, BackendError> {
    let registry = backends::registry();
    let strategy = registry.resolve(name).unwrap_or_else(|| panic!("{name}"));
    let strategy = strategy.build();
    let question = Question::of_system(ALPHABET, source.clone());
    let (budget, probe) = (Budget::with_steps(20_000_000), Probe::new());
    let mut run = strategy.prepare(&question, &budget, &probe)?;
    Ok(run.run(&probe)?.answers.remove(0))
}

/// The verdict, after the judge has found a solution to be one.
fn verdict(name: &str, source: &SystemSource) -> Verdict {
    let answer = ask(name, source).unwrap_or_else(|error| panic!("{name}: {error}\n{}", source.text));
    if answer.verdict == Verdict::Sat {
        let checked = check_system(source, ALPHABET, 0, &answer);
        assert_eq!(checked, Some(Checked::Proof), "{name}: {answer:?}\n{}", source.text);
    }
    answer.verdict
}

/// The value of each variable.
fn words(name: &str, text: &str) -> Vec<String> {
    let source = source(text, SolutionKind::Words);
    let answer = ask(name, &source).unwrap();
    let Some(Witness::Model(model)) = &answer.witness else { panic!("{name}: {answer:?}") };
    let words = words_of(&system(&source), model, ALPHABET).unwrap();
    words.iter().map(ToString::to_string).collect()
}

fn assignments(name: &str, text: &str) -> Vec<Languages> {
    let source = source(text, SolutionKind::All);
    assert_eq!(verdict(name, &source), Verdict::Sat, "{name}");
    match ask(name, &source).unwrap().witness {
        Some(Witness::Languages(all)) => all,
        other => panic!("{name}: {other:?}"),
    }
}

/// Whether an assignment has these languages, in the order of the names.
fn has(assignment: &Languages, expected: &[(&str, Regex)]) -> bool {
    expected.iter().all(|(name, regex)| {
        let automaton = dprle::read_automaton(&assignment[*name], ALPHABET).unwrap();
        let found = Language::Automaton(automaton).regex().unwrap().into_owned();
        equivalence(&found, regex, ALPHABET, 1_000_000) == Inclusion::Holds
    })
}

fn only(text: &str) -> Regex {
    Regex::literal(&SmtString::from(text))
}

fn letter(c: char) -> Regex {
    Regex::set(CharSet::single(Char(u32::from(c))))
}

fn any() -> Regex {
    Regex::set(CharSet::full(ALPHABET)).star()
}

const DPRLE: [&str; 3] = ["dprle", "dprle-ranges", "dprle-minimise"];

/// Examples 2.1 and 2.4, the shape of figure 1.1: a filter that looks at the end alone.
#[test]
fn inputs_that_end_with_a_digit_and_have_a_quote() {
    let text = "v1 < [ s: a f: b d: a -> a on any a -> b on { '0'-'9' } ];
        nid < [ s: a f: e d: a -> b on {'n'} b -> c on {'i'} c -> d on {'d'} d -> e on {'_'} ];
        nid . v1 < [ s: a f: b d: a -> a on any a -> b on { ''' } b -> b on any ]; solve();";
    let quote = Regex::concat([any(), letter('\''), any()]);
    let digit = Regex::concat([any(), Regex::set(CharSet::from_ranges([(48, 57)]))]);
    let expected = [("v1", Regex::Inter([quote, digit].into())), ("nid", only("nid_"))];
    for name in DPRLE {
        let all = assignments(name, text);
        assert!(all.len() == 1 && has(&all[0], &expected), "{name}: {all:?}");
    }
}

#[test]
fn bounds_of_one_variable_are_intersected() {
    // Example 2.2: (xx)+y and x*y.
    let text = "v1 < [ s: a f: e d: a -> b on {'x'} b -> c on {'x'} c -> a on epsilon c -> e on {'y'} ];
        v1 < [ s: a f: b d: a -> a on {'x'} a -> b on {'y'} ]; solve();";
    let expected = Regex::concat([Regex::concat([letter('x'), letter('x')]).repeat(1, None), letter('y')]);
    for name in DPRLE {
        let all = assignments(name, text);
        assert!(all.len() == 1 && has(&all[0], &[("v1", expected.clone())]), "{name}: {all:?}");
    }
}

#[test]
fn two_assignments_cannot_be_merged() {
    // Example 2.3.
    let text = "v1 < [ s: a f: d d: a -> b on {'x'} b -> c on {'y'} c -> d on {'y'} d -> b on epsilon ];
        v2 < [ s: a f: c d: a -> b on {'y'} b -> a on {'y'} a -> c on {'z'} ];
        v1 . v2 < [ s: a f: e d: a -> b on {'x'} b -> c on {'y'} c -> d on {'y'} d -> e on {'z'}
                                 d -> f on {'y'} f -> g on {'y'} g -> e on {'z'} ]; solve_all();";
    let one = [("v1", only("xyy")), ("v2", Regex::union([only("z"), only("yyz")]))];
    let two = [("v1", Regex::union([only("xyy"), only("xyyyy")])), ("v2", only("z"))];
    for name in DPRLE {
        let all = assignments(name, text);
        assert_eq!(all.len(), 2, "{name}: {all:?}");
        assert!(
            all.iter().any(|found| has(found, &one)) && all.iter().any(|found| has(found, &two)),
            "{name}"
        );
    }
    // What the cuts give by themselves is a solution, and no largest one.
    let published = ask("dprle-published", &source(text, SolutionKind::All)).unwrap();
    let checked = check_system(&source(text, SolutionKind::All), ALPHABET, 0, &published);
    assert!(matches!(checked, Some(Checked::Refuted(_))), "{checked:?}");
}

#[test]
fn a_variable_in_two_concatenations_satisfies_both() {
    // The shape of figure 2.8, with the solutions that section 2.3.4 has.
    let text = "va < [ s: a f: d d: a -> b on {'o'} b -> c on {'p'} c -> d on {'p'} d -> b on epsilon ];
        vb < [ s: a f: c d: a -> a on {'p'} a -> b on {'q'} b -> c on {'q'} ];
        vc < [ s: a f: b d: a -> a on {'q'} a -> b on {'r'} ];
        va . vb < [ s: a f: g d: a -> b on {'o'} b -> c on {'p'} c -> d on {'p'} d -> e on {'p'} e -> f on {'p'}
                                 f -> g on {'p'} g -> g on {'q'} ];
        vb . vc < [ s: a f: f d: a -> a on {'p'} a -> b on {'q'} b -> c on {'q'} c -> d on {'q'} d -> e on {'q'}
                                 e -> f on {'r'} ]; solve_all();";
    let one = [("va", only("opp")), ("vb", only("pppqq")), ("vc", only("qqr"))];
    let two = [("va", only("opppp")), ("vb", only("pqq")), ("vc", only("qqr"))];
    for name in DPRLE {
        let all = assignments(name, text);
        assert_eq!(all.len(), 2, "{name}: {all:?}");
        assert!(
            all.iter().any(|found| has(found, &one)) && all.iter().any(|found| has(found, &two)),
            "{name}"
        );
    }
}

#[test]
fn the_search_goes_back_where_it_has_to() {
    // Examples 4.1 and 4.2: v1 may not take the letter that v2 begins with.
    let text = "v1 < [ s: a f: a d: a -> a on {'a'} ];
        v2 < [ s: a f: c d: a -> b on {'a'} b -> b on {'a'} b -> c on {'b'} ];
        v1 . v2 < [ s: a f: c d: a -> b on {'a'} b -> c on {'b'} ]; solve();";
    for name in OWN {
        assert_eq!(words(name, text), ["", "ab"], "{name}");
    }
}

#[test]
fn a_cycle_of_two_is_cut() {
    // Example 4.3.
    let text = "v1 < [ s: a f: a d: a -> a on {'a'} ]; v2 < [ s: a f: a d: a -> a on {'b'} ];
        v1 . v2 < [ s: a f: c d: a -> b on {'a'} b -> c on {'a'} c -> c on {'b'} ];
        v2 . v1 < [ s: a f: c d: a -> b on {'b'} b -> c on {'b'} c -> c on {'a'} ]; solve();";
    for name in OWN {
        assert_eq!(words(name, text), ["aa", "bb"], "{name}");
    }
}

#[test]
fn edges_get_their_verdicts() {
    let round = "[ s: a f: a d: a -> b on {'a'} b -> a on {'b'} ]";
    let (sat, unsat) = (Verdict::Sat, Verdict::Unsat);
    for (text, expected) in [
        // Infinite in each variable.
        (format!("v0 < {round}; v1 < {round}; v0 . v1 < {round}; v1 . v0 < {round}; solve();"), sat),
        // An empty language.
        ("v0 < [ s: a f: b d: ]; solve();".to_owned(), unsat),
        (format!("v0 . v1 < [ s: a f: b d: ]; v0 < {round}; solve();"), unsat),
        // A cycle through three, satisfiable and not.
        (
            format!(
                "v0 . v1 < {round}; v1 . v2 < {round}; v2 . v0 < {round}; v0 < neg [ s: a f: a d: ]; solve();"
            ),
            sat,
        ),
        (
            format!(
                "v0 . v1 < {round}; v1 . v2 < {round}; v2 . v0 < {round}; v0 < [ s: a f: b d: a -> b on {{'b'}} ]; solve();"
            ),
            unsat,
        ),
        // A variable twice in one concatenation, and all that is known of it.
        ("v0 . v0 < [ s: a f: c d: a -> b on {'a'} b -> c on any ]; solve();".to_owned(), sat),
        ("v0 . v0 < [ s: a f: c d: a -> b on {'a'} b -> c on {'b'} ]; solve();".to_owned(), unsat),
        // The empty word alone, and nothing said at all.
        ("v0 . v1 < [ s: a f: a d: ]; solve();".to_owned(), sat),
        ("v0 < v1; solve();".to_owned(), sat),
        // Everything is excluded.
        ("v0 < neg [ s: a f: a d: a -> a on any ]; solve();".to_owned(), unsat),
    ] {
        let source = source(&text, SolutionKind::Words);
        for name in OWN {
            assert_eq!(verdict(name, &source), expected, "{name}: {text}");
        }
    }
}

/// A small pseudo-random sequence.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn automaton(&mut self) -> String {
        let states = 1 + self.below(4);
        let neg = if self.below(8) == 0 { "neg " } else { "" };
        let mut text = format!("{neg}[ s: q0 f: q{} d:", self.below(states));
        for _ in 0..=states + self.below(states) {
            let label = ["{'a'}", "{'b'}", "{'a'}", "{'b'}", "{'a','b'}", "epsilon"]
                [usize::try_from(self.below(6)).unwrap()];
            text += &format!(" q{} -> q{} on {label}", self.below(states), self.below(states));
        }
        text + " ]"
    }

    /// Chains, shared variables and cycles.
    fn system(&mut self) -> String {
        let variables = 1 + self.below(3);
        let mut text = String::new();
        for variable in 0..variables {
            if self.below(4) > 0 {
                text += &format!("v{variable} < {};\n", self.automaton());
            }
        }
        for _ in 0..self.below(4) {
            let pieces: Vec<String> =
                (0..2 + self.below(2)).map(|_| format!("v{}", self.below(variables))).collect();
            text += &format!("{} < {};\n", pieces.join(" . "), self.automaton());
        }
        if text.is_empty() {
            text = format!("v0 < {};\n", self.automaton());
        }
        text + "solve();"
    }
}

/// Whether short words over the two letters and a third are a solution.
fn short_solution(system: &System) -> bool {
    let words: Vec<SmtString> = (0..4u32)
        .flat_map(|length| {
            (0..3u32.pow(length)).map(move |mut number| {
                let mut word = String::new();
                for _ in 0..length {
                    word.push(['a', 'b', 'c'][(number % 3) as usize]);
                    number /= 3;
                }
                SmtString::from(word.as_str())
            })
        })
        .collect();
    let bounds: Vec<(&harness_systems::Constraint, Regex)> = system
        .constraints
        .iter()
        .map(|constraint| (constraint, constraint.language.regex().unwrap().into_owned()))
        .collect();
    let mut digits = vec![0usize; system.variables.len()];
    loop {
        let values: Vec<SmtString> = digits.iter().map(|&digit| words[digit].clone()).collect();
        let holds = bounds.iter().all(|(constraint, regex)| {
            let word = System::word(&constraint.pieces, &values);
            matches(regex, &word) == (constraint.relation == Relation::In)
        });
        if holds {
            return true;
        }
        let Some(place) = digits.iter().position(|&digit| digit + 1 < words.len()) else { return false };
        digits[place] += 1;
        digits[..place].fill(0);
    }
}

#[test]
fn random_systems_get_the_same_verdict_from_all() {
    let mut draw = Draw(20_261_129);
    let mut counts = [0usize; 2];
    for _ in 0..400 {
        let text = draw.system();
        let source = source(&text, SolutionKind::Words);
        let first = verdict("strsolve", &source);
        counts[usize::from(first == Verdict::Sat)] += 1;
        for name in OWN {
            assert_eq!(verdict(name, &source), first, "{name}\n{text}");
        }
        if first == Verdict::Unsat {
            assert!(!short_solution(&system(&source)), "{text}");
        }
    }
    assert!(counts.iter().all(|&count| count > 40), "{counts:?}");
}

/// Systems of one variable, which Hampi takes: what it refutes has no value within its bound.
#[test]
fn random_systems_of_one_variable_get_the_same_verdict_from_hampi() {
    let names = if cfg!(feature = "z3") { vec!["hampi", "hampi-sat"] } else { vec!["hampi-sat"] };
    let mut draw = Draw(11);
    let mut counts = [0usize; 3];
    for _ in 0..120 {
        let mut text = String::new();
        for _ in 0..=draw.below(3) {
            let left = if draw.below(4) == 0 { "v0 . v0" } else { "v0" };
            text += &format!("{left} < {};\n", draw.automaton());
        }
        text += "solve();";
        let source = source(&text, SolutionKind::Words);
        let first = verdict("strsolve", &source);
        for name in &names {
            let own = verdict(name, &source);
            match own {
                Verdict::UnsatWithinBound => {
                    assert!(first == Verdict::Unsat || words("strsolve", &text)[0].len() > 15, "{text}");
                }
                _ => assert_eq!(own, first, "{name}\n{text}"),
            }
            counts[match own {
                Verdict::Sat => 0,
                Verdict::Unsat => 1,
                _ => 2,
            }] += 1;
        }
    }
    assert!(counts[0] > 40 && counts[2] > 10, "{counts:?}");
}

/// Systems of one variable and two constraints on it alone, which strategies for operations take as a product
/// or a difference.
#[test]
fn random_systems_of_two_languages_get_the_same_verdict_from_operations() {
    let mut names = vec!["sfa-bdd-eager", "sfa-ranges-lazy", "classes-lazy", "hampi-sat-shortest"];
    if cfg!(feature = "z3") {
        names.push("sfa-predicate-lazy");
    }
    let mut draw = Draw(12);
    let mut counts = [0_usize; 2];
    for _ in 0..80 {
        let text = format!("v0 < {};\nv0 < {};\nsolve();", draw.automaton(), draw.automaton());
        if text.matches("neg").count() == 2 {
            continue;
        }
        let source = source(&text, SolutionKind::Words);
        let first = verdict("strsolve", &source);
        for name in &names {
            let own = verdict(name, &source);
            if own != Verdict::UnsatWithinBound {
                assert_eq!(own, first, "{name}\n{text}");
            }
        }
        counts[usize::from(first == Verdict::Sat)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
    let text = |inside: &str| format!("(declare-const v String)\n{inside}(check-sat)");
    let smtlib = |inside: &str| SystemSource {
        text: text(inside),
        format: SystemFormat::Smtlib,
        queries: 1,
        solution: SolutionKind::Words,
    };
    let a = "(str.in_re v (re.* (str.to_re \"ab\")))";
    let difference = format!("(assert (not {a}))\n(assert (str.in_re v (re.* (re.range \"a\" \"b\"))))\n");
    assert_eq!(verdict("classes-lazy", &smtlib(&difference)), Verdict::Sat);
    for (inside, reason) in [
        (format!("(assert {a})"), "a system of another number of constraints than two"),
        (
            format!("(assert (not {a}))(assert (not (str.in_re v re.none)))"),
            "two languages that are excluded",
        ),
        (format!("(assert {a})(assert (str.in_re (str.++ v v) re.all))"), "a concatenation"),
    ] {
        match ask("classes-lazy", &smtlib(&inside)) {
            Err(BackendError::Unsupported(why)) => assert!(why.starts_with(reason), "{why}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn languages_of_random_systems_are_largest_and_leave_nothing_out() {
    let mut draw = Draw(7);
    let mut solved = 0;
    for _ in 0..150 {
        let text = draw.system();
        let all = source(&text, SolutionKind::All);
        let answer = match ask("dprle-ranges", &all) {
            // A variable twice in a concatenation.
            Err(BackendError::Unsupported(_)) => continue,
            other => other.unwrap_or_else(|error| panic!("{error}\n{text}")),
        };
        let words = verdict("strsolve", &source(&text, SolutionKind::Words));
        assert_eq!(answer.verdict, words, "{text}");
        if answer.verdict == Verdict::Sat {
            match check_system(&all, ALPHABET, 0, &answer) {
                Some(Checked::Proof) => solved += 1,
                Some(Checked::Unchecked(_)) => {}
                other => panic!("{other:?}: {answer:?}\n{text}"),
            }
        }
    }
    assert!(solved > 30, "{solved}");
}

/// Strategies of scripts take the script that a system is.
#[cfg(feature = "z3")]
#[test]
fn strategies_of_scripts_answer_systems() {
    let mut draw = Draw(3);
    for _ in 0..40 {
        let text = draw.system();
        let source = source(&text, SolutionKind::Words);
        let expected = verdict("strsolve", &source);
        let answer = ask("z3", &source).unwrap();
        if answer.verdict != Verdict::Unknown {
            assert_eq!(answer.verdict, expected, "{text}");
        }
    }
    let languages = source("v0 < [ s: a f: a d: ]; solve();", SolutionKind::All);
    assert!(matches!(ask("z3", &languages), Err(BackendError::Unsupported(_))));
    assert!(matches!(ask("strsolve", &languages), Err(BackendError::Unsupported(_))));
}
