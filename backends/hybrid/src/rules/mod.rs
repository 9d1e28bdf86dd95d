//! The rule library: constraints that one domain derives for the other.
//!
//! A rule looks at an edge, or at a string that is parsed as a number, and at what is known of integers.
//! Towards the numeric domain it gives a formula, towards the string domain languages of strings; what it
//! gives holds in every solution. [`RULES`] is the whole table, with each rule's pattern, what it derives,
//! why that is so and where it is from. A test tries every rule on all small assignments against the
//! evaluator.
//!
//! Rules `a.*` and `b.*` are those of the paper's table I, corrected where [`Rule::correction`] says so;
//! `c.*` are ours: what its section IV-C uses in the example (numbered constraints of path 4) and the same
//! for the other operations. `VOF` is Java's `valueOf` and `parseInt` of a string, which take a sign; rules
//! `t.*` say the same of `str.to_int`, which takes none. Rules for the order of strings are in
//! [`crate::relational`].
//!
//! Source: JST, section IV-C, table I.

mod to_numbers;
mod to_strings;

use std::collections::HashSet;
use std::sync::Arc;

use backends_api::{Budget, Probe, Stop};
use backends_graph::rules::{Counts, View, edge_rules, pair_rules};
use backends_graph::{Edge, IntFormula, Relation, RuleSet, StringVertex};
use harness_model::Regex;

use crate::facts::{Facts, Parsed};

/// What a rule does.
#[derive(Clone, Copy)]
pub enum Apply {
    /// An edge implies a formula.
    Edge(fn(&Facts<'_>, &Edge) -> IntFormula),
    /// An edge implies a formula, by the rule of this name that string graphs have (`backends_graph::rules`).
    Shared(&'static str),
    /// Two edges with one source imply a formula, by the rule of this name that string graphs have.
    SharedPair(&'static str),
    /// That a string is parsed implies a formula.
    Parsed(fn(&Facts<'_>, &Parsed) -> IntFormula),
    /// A parsed string and an edge imply a formula.
    ParsedEdge(fn(&Facts<'_>, &Parsed, &Edge) -> IntFormula),
    /// An edge, and what is known of integers, imply languages.
    EdgeLanguage(fn(&Facts<'_>, &Edge) -> Vec<(StringVertex, Regex)>),
    /// That a string is parsed, and what is known of its number, implies a language.
    ParsedLanguage(fn(&Facts<'_>, &Parsed) -> Option<Regex>),
    /// What is known of the length of a string implies a language.
    LengthLanguage(fn(&Facts<'_>, StringVertex) -> Option<Regex>),
}

impl Apply {
    /// Whether what it derives is for the numeric domain; else it is for strings.
    pub const fn is_to_numbers(self) -> bool {
        matches!(
            self,
            Self::Edge(_) | Self::Shared(_) | Self::SharedPair(_) | Self::Parsed(_) | Self::ParsedEdge(_)
        )
    }
}

/// A rule of the library.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Its number: the paper's, or ours.
    pub number: &'static str,
    /// The counter that counts its applications.
    pub name: &'static str,
    /// The constraint that is observed.
    pub observed: &'static str,
    /// What is derived.
    pub derived: &'static str,
    /// Why it holds in every solution.
    pub proof: &'static str,
    /// What the paper has instead, and an assignment for which that is wrong; empty where nothing was changed
    /// or the rule is ours.
    pub correction: &'static str,
    /// The rule itself.
    pub apply: Apply,
}

impl Rule {
    const fn new(
        number: &'static str,
        name: &'static str,
        [observed, derived, proof, correction]: [&'static str; 4],
        apply: Apply,
    ) -> Self {
        Self { number, name, observed, derived, proof, correction, apply }
    }

    /// Where it is from.
    pub fn source(&self) -> &'static str {
        if self.number.starts_with(['a', 'b']) { "JST, table I" } else { "ours, after JST, section IV-C" }
    }
}

/// The table.
pub const RULES: &[Rule] = &[
    Rule::new(
        "a.1",
        "rule_a1",
        ["s3 = s1.concat(s2)", "L(s3) = L(s1) + L(s2)", "the characters of both, one after the other", ""],
        Apply::Shared("rule_length_concat"),
    ),
    Rule::new(
        "a.2",
        "rule_a2",
        ["s2 = s1.trim()", "L(s2) <= L(s1)", "trimming adds no character", ""],
        Apply::Shared("rule_length_trim"),
    ),
    Rule::new(
        "a.3",
        "rule_a3",
        [
            "s2 = s1.substring(i, j), here substr(s1, i, n) with n = j - i",
            "0 <= i < L(s1), n > 0 and n <= L(s1) - i: L(s2) = n; the first two and n > L(s1) - i: L(s2) = L(s1) - i; else L(s2) = 0",
            "the definition of str.substr; where Java's substring is defined, its conditions 0 <= i <= j <= L(s1) are asserted beside it and \
             L(s2) = j - i follows",
            "the paper's j <= L(s2) must be j <= L(s1): \"abc\".substring(2, 3) = \"c\" has j = 3 > L(s2) = 1",
        ],
        Apply::Edge(to_numbers::substring),
    ),
    Rule::new(
        "b.1",
        "rule_b1",
        [
            "i = s.lastIndexOf(c), l <= i <= h, l >= 0, c a constant",
            "s is l to h characters, then c, then anything",
            "an index that is not -1 is an occurrence",
            "the paper's s.substring(i, i+1).equals(c) is wrong for i = -1 (\"a\".lastIndexOf(\"b\")) and for a c of other than one character",
        ],
        Apply::EdgeLanguage(to_strings::last_index_of),
    ),
    Rule::new(
        "b.2",
        "rule_b2",
        [
            "s.charAt(0) = '-' and n = VOF(s)",
            "n <= 0",
            "a minus sign and digits write the opposite of a number that is not negative",
            "the paper's n < 0 is wrong for \"-0\"",
        ],
        Apply::ParsedEdge(to_numbers::minus),
    ),
    Rule::new(
        "b.3",
        "rule_b3",
        [
            "s.charAt(0) is not '-' (the paper: is '+') and n = VOF(s)",
            "n >= 0",
            "without a minus sign the digits write n themselves",
            "the paper's n > 0 is wrong for \"+0\"",
        ],
        Apply::ParsedEdge(to_numbers::no_minus),
    ),
    Rule::new(
        "b.4",
        "rule_b4",
        [
            "VOF(s) = n, n a known number",
            "s is n's digits, with zeros and a sign before them where n allows that",
            "zeros in front and a plus sign change nothing, and every string of the format whose value is n is of this form",
            "the paper's s.equals(\"n\") is wrong for \"05\" and \"+5\"",
        ],
        Apply::ParsedLanguage(to_strings::known),
    ),
    Rule::new(
        "b.5",
        "rule_b5",
        [
            "VOF(s) < 0",
            "s starts with '-', and has as many digits as the bounds of VOF(s) allow",
            "without a minus sign the value is not negative",
            "",
        ],
        Apply::ParsedLanguage(to_strings::negative),
    ),
    Rule::new(
        "b.6",
        "rule_b6",
        [
            "VOF(s) > c",
            "s does not start with '-', and has at least the digits of c + 1",
            "a minus sign makes the value 0 or less; n digits write less than 10^n",
            "\"log(c)\" is the number of decimal digits here",
        ],
        Apply::ParsedLanguage(to_strings::positive),
    ),
    Rule::new(
        "b.7",
        "rule_b7",
        [
            "VOF(s) < c",
            "s starts with '-', or has after its zeros in front at most the digits of c - 1",
            "more digits than that, the first of them not 0, write at least c",
            "the paper's L(s) <= log(c) is wrong for \"0001\" and for c = 5, s = \"3\"",
        ],
        Apply::ParsedLanguage(to_strings::below),
    ),
    Rule::new(
        "b.8",
        "rule_b8",
        [
            "L(s.trim()) = c",
            "L(s) >= c; L(s) = c where s starts and ends with other characters than blanks is not derived",
            "rule a.2; here the known least length of the trimmed string is a bound of its own",
            "",
        ],
        Apply::Edge(to_numbers::trimmed),
    ),
    Rule::new(
        "c.1",
        "rule_c1",
        [
            "n = VOF(s)",
            "L(s) >= 1; for k = 0..9: n >= 10^k implies L(s) >= k + 1, n <= -10^k implies L(s) >= k + 2",
            "there is a digit; n digits write less than 10^n, and a minus sign is one character more",
            "",
        ],
        Apply::Parsed(to_numbers::parsed),
    ),
    Rule::new(
        "c.24",
        "rule_c24",
        [
            "n = VOF(s) and c = s.charAt(i)",
            "c is the code of a digit, or i = 0 and c is that of a sign",
            "the format of numbers",
            "",
        ],
        Apply::ParsedEdge(to_numbers::format),
    ),
    Rule::new(
        "c.23",
        "rule_c23",
        [
            "n = VOF(s), which is a term over w = str.to_int(s) and r = str.to_int(s.substring(1))",
            "with a sign w = -1 and r >= 0; without one, for L(s) = k <= 10, w - r is one of 0, 10^(k-1), ..., 9 * 10^(k-1); r < 10^(k-1)",
            "the first digit counts 10^(k-1) and the rest is r; the paper has VOF as one number, so this says no more than VOF does",
            "",
        ],
        Apply::Parsed(to_numbers::parts),
    ),
    Rule::new(
        "c.2",
        "rule_c2",
        [
            "VOF(s) < 0 and c = s.charAt(i)",
            "i = 0 implies c = '-' (rule b.5 towards numbers)",
            "without a minus sign the value is not negative",
            "",
        ],
        Apply::ParsedEdge(to_numbers::minus_is_first),
    ),
    Rule::new(
        "c.3",
        "rule_c3",
        [
            "the length of s is known to be from l to h",
            "s is from l to h characters",
            "what the paper's section IV-C does for s.length() > 5",
            "",
        ],
        Apply::LengthLanguage(to_strings::length),
    ),
    Rule::new(
        "c.4",
        "rule_c4",
        [
            "i = s.indexOf(c, 0), l <= i <= h, c a constant",
            "l >= 0: s is l to h characters, then c, then anything; h < 0: c is nowhere in s",
            "an index that is not -1 is an occurrence; every occurrence has an index",
            "",
        ],
        Apply::EdgeLanguage(to_strings::index_of),
    ),
    Rule::new(
        "c.5",
        "rule_c5",
        [
            "c = s.charAt(i), i a known number, l <= c <= h",
            "s is i characters, then one of the codes from l to h, then anything",
            "the character at i is the one of code c",
            "",
        ],
        Apply::EdgeLanguage(to_strings::char_at),
    ),
    Rule::new(
        "c.6",
        "rule_c6",
        [
            "s = valueOf(n) by str.from_int, l <= n <= h",
            "s is empty where n may be negative, or as many digits as the bounds allow",
            "the definition of str.from_int: no zeros in front, no sign",
            "",
        ],
        Apply::EdgeLanguage(to_strings::from_int),
    ),
    Rule::new(
        "t.1",
        "rule_t1",
        [
            "n = str.to_int(s)",
            "n >= -1; L(s) = 0 implies n = -1; for k = 0..9: n >= 10^k implies L(s) >= k + 1",
            "the definition of str.to_int; n digits write less than 10^n",
            "",
        ],
        Apply::Shared("rule_to_int"),
    ),
    Rule::new(
        "t.2",
        "rule_t2",
        [
            "n = str.to_int(s), l <= n <= h",
            "l >= 0: s is digits as b.4, b.6 and b.7 say, without a sign; h < 0: s is not digits",
            "as there; -1 is the value of everything else and of nothing but that",
            "",
        ],
        Apply::EdgeLanguage(to_strings::to_int),
    ),
    Rule::new(
        "c.25",
        "rule_c25",
        [
            "s != t, and t is a part of s: by trim, substring, charAt, startsWith, endsWith, contains or concat, and parts of parts",
            "L(t) < L(s)",
            "a part that is as long as the whole is the whole",
            "",
        ],
        Apply::Shared("rule_length_proper_part"),
    ),
    Rule::new(
        "c.7",
        "rule_c7",
        ["c = s.charAt(i)", "0 <= i < L(s), and c is a code", "charAt is defined inside only", ""],
        Apply::Shared("rule_char_at"),
    ),
    Rule::new(
        "c.8",
        "rule_c8",
        [
            "i = s.indexOf(t, from)",
            "i = -1 or 0 <= from <= i and i + L(t) <= L(s); i = from for an empty t inside",
            "an occurrence ends inside the string (the paper's constraint 2 of path 4)",
            "",
        ],
        Apply::Shared("rule_index_of"),
    ),
    Rule::new(
        "c.9",
        "rule_c9",
        ["i = s.lastIndexOf(t, from)", "i = -1 or 0 <= i <= from and i + L(t) <= L(s)", "as c.8", ""],
        Apply::Shared("rule_last_index_of"),
    ),
    Rule::new(
        "c.26",
        "rule_c26",
        [
            "i = s.lastIndexOf(t, from) and s.startsWith(u), t at the place p of u (both constants, or t = u and p = 0)",
            "from >= p implies i >= p",
            "what stands at a place of a prefix stands there in the string",
            "",
        ],
        Apply::SharedPair("rule_last_index_in_prefix"),
    ),
    Rule::new(
        "c.10",
        "rule_c10",
        [
            "s.startsWith(t), s.endsWith(t), s.contains(t)",
            "L(t) <= L(s)",
            "the characters of t stand in s at different places",
            "",
        ],
        Apply::Shared("rule_length_part"),
    ),
    Rule::new(
        "c.11",
        "rule_c11",
        [
            "not s.startsWith(t), not s.endsWith(t), not s.contains(t)",
            "L(t) >= 1",
            "the empty string is a part of every string",
            "",
        ],
        Apply::Shared("rule_length_not_part"),
    ),
    Rule::new(
        "c.12",
        "rule_c12",
        ["not s.equals(t)", "L(s) + L(t) >= 1", "there is one empty string", ""],
        Apply::Shared("rule_length_unequal"),
    ),
    Rule::new(
        "c.13",
        "rule_c13",
        [
            "s.matches(r)",
            "L(s) is between the lengths of the shortest and the longest word of r",
            "by induction over r",
            "",
        ],
        Apply::Shared("rule_length_language"),
    ),
    Rule::new(
        "c.14",
        "rule_c14",
        ["s is a digit", "L(s) = 1", "a digit is one character", ""],
        Apply::Shared("rule_length_digit"),
    ),
    Rule::new(
        "c.15",
        "rule_c15",
        ["r = str.at(s, i)", "L(r) = 1 for 0 <= i < L(s), else 0", "the definition of str.at", ""],
        Apply::Shared("rule_length_at"),
    ),
    Rule::new(
        "c.16",
        "rule_c16",
        [
            "r = s.replace(t, by), the first occurrence",
            "L(r) = L(s), or L(r) = L(s) - L(t) + L(by)",
            "nothing changes, or one occurrence of t is gone and one of by is new",
            "",
        ],
        Apply::Shared("rule_length_replace"),
    ),
    Rule::new(
        "c.17",
        "rule_c17",
        [
            "r = s.replace(t, by), all occurrences",
            "as c.16 for each occurrence: bounds of L(r)",
            "occurrences do not overlap",
            "",
        ],
        Apply::Shared("rule_length_replace_all"),
    ),
    Rule::new(
        "c.18",
        "rule_c18",
        [
            "r = s.replaceFirst(re, by), s.replaceAll(re, by)",
            "bounds of L(r)",
            "as c.16 and c.17, a match being of any length up to L(s)",
            "",
        ],
        Apply::Shared("rule_length_replace_re"),
    ),
    Rule::new(
        "c.19",
        "rule_c19",
        ["r = s.toLowerCase(), s.toUpperCase()", "L(r) = L(s)", "letters of ASCII are mapped one by one", ""],
        Apply::Shared("rule_length_case"),
    ),
    Rule::new(
        "c.20",
        "rule_c20",
        ["c = str.to_code(s)", "L(s) = 1 and c is a code, or c = -1", "the definition of str.to_code", ""],
        Apply::Shared("rule_to_code"),
    ),
    Rule::new(
        "c.21",
        "rule_c21",
        ["r = str.from_code(c)", "L(r) = 1 for a code c, else 0", "the definition of str.from_code", ""],
        Apply::Shared("rule_from_code"),
    ),
    Rule::new(
        "c.22",
        "rule_c22",
        [
            "r = str.from_int(n)",
            "n < 0 and L(r) = 0, or L(r) >= k + 1 exactly when n >= 10^k",
            "the definition of str.from_int",
            "",
        ],
        Apply::Shared("rule_from_int"),
    ),
];

/// What the rules derive for the numeric domain, each formula once. Counts applications by the rules' names.
pub fn to_numbers(facts: &Facts<'_>, budget: &Budget, probe: &Probe) -> Result<Vec<IntFormula>, Stop> {
    let mut counts = Counts::default();
    let mut seen: HashSet<IntFormula> = HashSet::new();
    let mut derived = Vec::new();
    let mut take = |rule: &Rule, formula: IntFormula| {
        if formula != IntFormula::Bool(true) {
            counts.add(rule.name);
            if seen.insert(formula.clone()) {
                derived.push(formula);
            }
        }
    };
    for rule in RULES {
        budget.tick()?;
        numbers_of(rule, facts, &mut |formula| take(rule, formula));
    }
    counts.report(probe);
    Ok(derived)
}

/// What one rule derives for the numeric domain.
pub(crate) fn numbers_of(rule: &Rule, facts: &Facts<'_>, take: &mut dyn FnMut(IntFormula)) {
    let edges = facts.graph().edges();
    match rule.apply {
        Apply::Edge(apply) => edges.iter().for_each(|edge| take(apply(facts, edge))),
        Apply::Shared(name) => {
            if let Some(shared) = edge_rules(RuleSet::Sound).iter().find(|rule| rule.name == name) {
                edges.iter().for_each(|edge| take((shared.apply)(&facts.view, edge)));
            }
        }
        Apply::SharedPair(name) => {
            let Some(shared) = pair_rules(RuleSet::Sound).find(|rule| rule.name == name) else { return };
            for (i, first) in edges.iter().enumerate() {
                let source = View::source(first);
                let others =
                    edges.iter().enumerate().filter(|&(j, second)| i != j && View::source(second) == source);
                for (_, second) in others.filter(|_| source.is_some()) {
                    take((shared.apply)(&facts.view, first, second));
                }
            }
        }
        Apply::Parsed(apply) => facts.parsed().iter().for_each(|parsed| take(apply(facts, parsed))),
        Apply::ParsedEdge(apply) => {
            for parsed in facts.parsed() {
                edges.iter().for_each(|edge| take(apply(facts, parsed, edge)));
            }
        }
        Apply::EdgeLanguage(_) | Apply::ParsedLanguage(_) | Apply::LengthLanguage(_) => {}
    }
}

/// What the rules derive for the string domain: edges that say that strings are in languages. Counts
/// applications by the rules' names.
pub fn to_strings(facts: &Facts<'_>, budget: &Budget, probe: &Probe) -> Result<Vec<Edge>, Stop> {
    let mut counts = Counts::default();
    let mut derived = Vec::new();
    for rule in RULES {
        budget.tick()?;
        languages_of(rule, facts, &mut |s, regex| {
            counts.add(rule.name);
            derived.push(Edge::positive(Relation::InRe { s, regex: Arc::new(regex) }));
        });
    }
    counts.report(probe);
    Ok(derived)
}

/// What one rule derives for the string domain. Nothing is said of constants.
pub(crate) fn languages_of(rule: &Rule, facts: &Facts<'_>, take: &mut dyn FnMut(StringVertex, Regex)) {
    let graph = facts.graph();
    let mut take = |s: StringVertex, regex: Regex| {
        if graph.word(s).is_none() {
            take(s, regex);
        }
    };
    match rule.apply {
        Apply::EdgeLanguage(apply) => {
            for edge in graph.edges() {
                apply(facts, edge).into_iter().for_each(|(s, regex)| take(s, regex));
            }
        }
        Apply::ParsedLanguage(apply) => {
            for parsed in facts.parsed() {
                if let Some(regex) = apply(facts, parsed) {
                    take(parsed.s, regex);
                }
            }
        }
        Apply::LengthLanguage(apply) => {
            for s in graph.string_vertices() {
                if let Some(regex) = apply(facts, s) {
                    take(s, regex);
                }
            }
        }
        Apply::Edge(_)
        | Apply::Shared(_)
        | Apply::SharedPair(_)
        | Apply::Parsed(_)
        | Apply::ParsedEdge(_) => {}
    }
}
