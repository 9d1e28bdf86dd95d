//! What a script is like: its operations and sizes, and conditions on these that choose scripts.
//!
//! Features are those of the script as it is written, before anything is simplified or written out. Sizes are
//! those of the largest of its queries; what queries share counts once in each.

use std::collections::BTreeSet;

use harness_smtlib::names;
use harness_theory::{Op, Script, Sort, Term};

/// What can be asked of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// Names of the operations in it.
    pub operations: BTreeSet<&'static str>,
    /// Length of its text.
    pub bytes: u64,
    /// How many `check-sat`s it has.
    pub check_sats: u64,
    /// Declared variables.
    pub variables: u64,
    /// Assertions.
    pub assertions: u64,
    /// Different terms in the assertions.
    pub terms: u64,
    /// How deep Boolean connectives are nested.
    pub boolean_depth: u64,
}

impl Features {
    /// Of a script that is `bytes` long. Linear in the terms of all queries.
    pub fn of(script: &Script, bytes: usize) -> Self {
        let mut features =
            Self { bytes: bytes as u64, check_sats: script.queries.len() as u64, ..Self::default() };
        for query in &script.queries {
            let problem = &query.problem;
            let cone = problem.terms.cone(&problem.assertions);
            let mut depths = vec![0_u64; problem.terms.len()];
            for &id in &cone {
                if let Term::App(op, arguments) = problem.terms.get(id) {
                    features.operations.insert(op.name());
                    let below = arguments.iter().map(|argument| depths[argument.index()]).max().unwrap_or(0);
                    let truths = arguments.iter().all(|&argument| problem.terms.sort(argument) == Sort::Bool);
                    let connects = matches!(op, Op::Core(_)) && truths;
                    depths[id.index()] = below + u64::from(connects);
                    features.boolean_depth = features.boolean_depth.max(depths[id.index()]);
                }
            }
            features.variables = features.variables.max(problem.variables.len() as u64);
            features.assertions = features.assertions.max(problem.assertions.len() as u64);
            features.terms = features.terms.max(cone.len() as u64);
        }
        features
    }

    fn number(&self, name: Number) -> u64 {
        match name {
            Number::Bytes => self.bytes,
            Number::CheckSats => self.check_sats,
            Number::Variables => self.variables,
            Number::Assertions => self.assertions,
            Number::Terms => self.terms,
            Number::BooleanDepth => self.boolean_depth,
        }
    }
}

/// Features that are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Bytes,
    CheckSats,
    Variables,
    Assertions,
    Terms,
    BooleanDepth,
}

/// The names of numbers in conditions.
const NUMBERS: [(&str, Number); 6] = [
    ("bytes", Number::Bytes),
    ("check-sats", Number::CheckSats),
    ("variables", Number::Variables),
    ("assertions", Number::Assertions),
    ("terms", Number::Terms),
    ("boolean-depth", Number::BooleanDepth),
];

/// Whether a number stands to a bound in a certain way.
type Relation = fn(u64, u64) -> bool;

/// How a number may stand to a bound; a longer sign before a shorter one that it begins with.
const RELATIONS: [(&str, Relation); 5] = [
    ("<=", |a, b| a <= b),
    (">=", |a, b| a >= b),
    ("<", |a, b| a < b),
    (">", |a, b| a > b),
    ("=", |a, b| a == b),
];

/// A condition on features.
#[derive(Clone, Debug)]
pub struct Condition(Kind);

#[derive(Clone, Debug)]
enum Kind {
    /// Whether it has the operation of this name.
    Has(&'static str, bool),
    Compares(Number, fn(u64, u64) -> bool, u64),
}

impl Condition {
    /// Reads a condition: `has(OPERATION)`, `not has(OPERATION)`, or a number, a relation and a bound, such
    /// as `terms <= 100`.
    ///
    /// # Errors
    ///
    /// When it is none: what it could be.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (wanted, rest) = match text.strip_prefix("not ") {
            Some(rest) => (false, rest.trim_start()),
            None => (true, text),
        };
        if let Some(name) = rest.strip_prefix("has(").and_then(|rest| rest.strip_suffix(')')) {
            return operation(name.trim()).map(|name| Self(Kind::Has(name, wanted)));
        }
        let wrong = || {
            let names: Vec<&str> = NUMBERS.iter().map(|(name, _)| *name).collect();
            let signs: Vec<&str> = RELATIONS.iter().map(|(sign, _)| *sign).collect();
            format!(
                "'{text}' is no condition: write has(OPERATION), not has(OPERATION), or one of {}, then one of {}, then a \
                 whole number",
                names.join(", "),
                signs.join(", ")
            )
        };
        let place = text.find(['<', '>', '=']).filter(|_| wanted).ok_or_else(wrong)?;
        let (name, compared) = text.split_at(place);
        let (_, number) = NUMBERS.iter().find(|(known, _)| *known == name.trim()).ok_or_else(wrong)?;
        let (sign, relation) =
            RELATIONS.iter().find(|(sign, _)| compared.starts_with(sign)).ok_or_else(wrong)?;
        let bound = compared[sign.len()..].trim().parse().map_err(|_| wrong())?;
        Ok(Self(Kind::Compares(*number, *relation, bound)))
    }

    /// Whether a script with these features meets it.
    pub fn holds(&self, features: &Features) -> bool {
        match &self.0 {
            Kind::Has(name, wanted) => features.operations.contains(name) == *wanted,
            Kind::Compares(number, relation, bound) => relation(features.number(*number), *bound),
        }
    }
}

/// The operation that `name` spells, under its name today.
fn operation(name: &str) -> Result<&'static str, String> {
    if let Some(spelling) = names::spelled(name) {
        return Ok(spelling.op.name());
    }
    let all = || Op::all().map(|op| op.name());
    if let Some(same) = all().find(|known| *known == name) {
        return Ok(same);
    }
    let near = all().min_by_key(|known| strsim::osa_distance(known, name)).unwrap_or_default();
    Err(format!("there is no operation '{name}': did you mean '{near}'?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features() -> Features {
        let text = "(declare-const x String)(declare-const n Int)(assert (= x \"a\"))(check-sat)\
            (assert (or (and (str.prefixof \"b\" x) (not (= n 1))) (str.in_re x ((_ re.^ 2) re.allchar))))(check-sat)";
        Features::of(&harness_smtlib::read(text.as_bytes()).unwrap(), text.len())
    }

    #[test]
    fn features_are_those_of_the_text() {
        let Features { operations, bytes, check_sats, variables, assertions, terms, boolean_depth } =
            features();
        let expected = ["=", "and", "not", "or", "re.^", "re.allchar", "str.in_re", "str.prefixof"];
        assert_eq!(operations.into_iter().collect::<Vec<_>>(), expected);
        assert_eq!([check_sats, variables, assertions, boolean_depth], [2, 2, 2, 3]);
        assert_eq!(terms, 14);
        assert!(bytes > 100);
    }

    #[test]
    fn conditions_choose() {
        let features = features();
        for (text, holds) in [
            ("has(str.prefixof)", true),
            ("has( str.in.re )", true),
            ("has(re.^)", true),
            ("has(str.replace_all)", false),
            ("not has(str.replace_all)", true),
            ("check-sats = 2", true),
            ("terms<14", false),
            ("terms <= 14", true),
            ("boolean-depth > 3", false),
            ("bytes >= 10", true),
        ] {
            assert_eq!(Condition::parse(text).unwrap().holds(&features), holds, "{text}");
        }
        for (text, part) in [
            ("has(str.replaceal)", "did you mean 'str.replace"),
            ("terms", "is no condition"),
            ("terms < many", "is no condition"),
            ("not terms < 3", "is no condition"),
            ("depth < 3", "bytes, check-sats, variables, assertions, terms, boolean-depth"),
        ] {
            assert!(Condition::parse(text).unwrap_err().contains(part), "{text}");
        }
    }
}
