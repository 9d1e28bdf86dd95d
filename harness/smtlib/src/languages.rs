//! Variables of sort `RegLan`: those that are defined are replaced, and those that words are only asked to be
//! in become truth values.
//!
//! - `(= r L)`, asserted, where `r` is a variable that is not in `L`: every model gives `r` the language `L`,
//!   and whatever the rest says, `r` may have it. So `L` stands in for `r` everywhere and the equation is
//!   true. Definitions are taken in order, each with those before it put in, so that none defines a variable
//!   by itself.
//! - Where `r` then stands only in `(str.in_re t r)`, these are a predicate of words: each becomes a fresh
//!   Boolean variable, and two of them are equal where their words are. That is Ackermann's reduction, as for
//!   functions, and loses nothing: the finitely many words that are to be in `r` are a regular language.
//!
//! Any other variable stays, and whoever cannot take it says so.

use harness_theory::op::{CoreOp, Op, StrOp};
use harness_theory::sort::Sort;
use harness_theory::term::{Term, TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::numbers::Numbers;

/// More definitions than this are not put in: each is a walk over all assertions.
const MOST_DEFINITIONS: usize = 64;

/// More words that are asked for in one language are not related.
const MOST_WORDS: usize = 256;

/// The assertions without what could be taken away of their languages.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// For each assertion what stands in its place.
    pub assertions: Vec<TermId>,
    /// More assertions, each with the place of one that it is there because of.
    pub more: Vec<(TermId, usize)>,
    /// The fresh variables.
    pub variables: Vec<VarId>,
}

/// Takes away what can be; `None` where no assertion has a variable of sort `RegLan`. `fresh` gives names
/// that no symbol of the script is. Cost: linear in the assertions for each definition, quadratic in the
/// words that are asked for in one language.
pub fn settle(
    terms: &mut Terms,
    assertions: &[TermId],
    mut fresh: impl FnMut(&str) -> String,
) -> Option<Settled> {
    if !terms.cone(assertions).into_iter().any(|id| is_language(terms, id)) {
        return None;
    }
    let mut now = assertions.to_vec();
    let mut defined: FxHashSet<TermId> = FxHashSet::default();
    while defined.len() < MOST_DEFINITIONS {
        let Some((variable, language)) = definition(terms, &now, &defined) else { break };
        defined.insert(variable);
        now = replaced(terms, &now, |_, id| (id == variable).then_some(language));
    }
    let mut settled = Settled { assertions: now, ..Settled::default() };
    predicates(terms, &mut settled, &mut fresh);
    Some(settled)
}

/// Whether the term is a variable of sort `RegLan`.
fn is_language(terms: &Terms, id: TermId) -> bool {
    matches!(terms.get(id), Term::Var(_)) && terms.sort(id) == Sort::RegLan
}

/// The first variable that an assertion says to be a language that it is not in, and that language.
fn definition(terms: &Terms, assertions: &[TermId], defined: &FxHashSet<TermId>) -> Option<(TermId, TermId)> {
    let mut todo: Vec<TermId> = assertions.iter().rev().copied().collect();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    while let Some(id) = todo.pop() {
        if !seen.insert(id) {
            continue;
        }
        let Term::App(Op::Core(op), sides) = terms.get(id) else { continue };
        if *op == CoreOp::And {
            todo.extend(sides.iter().rev());
        }
        if *op != CoreOp::Eq || terms.sort(sides[0]) != Sort::RegLan {
            continue;
        }
        for &variable in sides.iter().filter(|&&side| is_language(terms, side) && !defined.contains(&side)) {
            let other = sides.iter().copied().find(|&side| !terms.cone(&[side]).contains(&variable));
            if let Some(other) = other {
                return Some((variable, other));
            }
        }
    }
    None
}

/// The terms with others in the place of those that `instead` names; an equation of a language with itself is
/// true.
#[expect(clippy::expect_used, reason = "arguments are replaced by others of the same sort")]
fn replaced(
    terms: &mut Terms,
    roots: &[TermId],
    mut instead: impl FnMut(&Terms, TermId) -> Option<TermId>,
) -> Vec<TermId> {
    let mut new: FxHashMap<TermId, TermId> = FxHashMap::default();
    for old in terms.cone(roots) {
        let term = match (instead(terms, old), terms.get(old)) {
            (Some(other), _) => other,
            (None, Term::App(op, arguments)) => {
                let op = *op;
                let arguments: Vec<TermId> = arguments.iter().map(|argument| new[argument]).collect();
                let same = op == Op::Core(CoreOp::Eq)
                    && terms.sort(arguments[0]) == Sort::RegLan
                    && arguments.iter().all(|argument| *argument == arguments[0]);
                if same {
                    terms.bool(true)
                } else {
                    terms.app(op, &arguments).expect("the new term has the sorts of the old one")
                }
            }
            (None, Term::Var(_) | Term::Bool(_) | Term::Int(_) | Term::String(_)) => old,
        };
        new.insert(old, term);
    }
    roots.iter().map(|root| new[root]).collect()
}

/// Makes truth values of memberships in variables that stand nowhere else.
fn predicates(terms: &mut Terms, settled: &mut Settled, fresh: &mut impl FnMut(&str) -> String) {
    // For each variable the memberships in it, in order; and those that stand elsewhere.
    let mut asked: FxHashMap<TermId, Vec<(TermId, TermId)>> = FxHashMap::default();
    let mut elsewhere: FxHashSet<TermId> = FxHashSet::default();
    for id in terms.cone(&settled.assertions) {
        let arguments = terms.arguments(id);
        if let Term::App(Op::Str(StrOp::InRe), _) = terms.get(id)
            && is_language(terms, arguments[1])
        {
            asked.entry(arguments[1]).or_default().push((id, arguments[0]));
        } else {
            elsewhere.extend(arguments.iter().filter(|&&argument| is_language(terms, argument)));
        }
    }
    asked.retain(|variable, words| !elsewhere.contains(variable) && words.len() <= MOST_WORDS);
    let mut asked: Vec<(TermId, Vec<(TermId, TermId)>)> = asked.into_iter().collect();
    asked.sort_unstable_by_key(|(variable, _)| *variable);
    let mut stands_for: FxHashMap<TermId, TermId> = FxHashMap::default();
    for (variable, words) in &asked {
        let Term::Var(name) = *terms.get(*variable) else { continue };
        let name = terms.variables()[name.index()].name.clone();
        for (membership, _) in words {
            let variable = terms.variable(fresh(&name), Sort::Bool);
            settled.variables.push(variable);
            stands_for.insert(*membership, terms.var(variable));
        }
    }
    if stands_for.is_empty() {
        return;
    }
    let roots = settled.assertions.clone();
    // A word may itself depend on a membership, so the words of congruences are rewritten with the rest.
    let mut congruences: Vec<(TermId, usize)> = Vec::new();
    for (_, words) in &asked {
        let place =
            |id: TermId| roots.iter().position(|&root| terms.cone(&[root]).contains(&id)).unwrap_or_default();
        let places: Vec<usize> = words.iter().map(|&(membership, _)| place(membership)).collect();
        for (i, &(one, word)) in words.iter().enumerate() {
            for &(other, another) in &words[..i] {
                let constant = |id| matches!(terms.get(id), Term::String(_));
                if constant(word) && constant(another) {
                    continue;
                }
                let mut numbers = Numbers::new(terms);
                let equal = numbers.app(CoreOp::Eq, &[another, word]);
                let same = numbers.app(CoreOp::Eq, &[other, one]);
                congruences.push((numbers.app(CoreOp::Implies, &[equal, same]), places[i]));
            }
        }
    }
    let all: Vec<TermId> = roots.iter().copied().chain(congruences.iter().map(|(term, _)| *term)).collect();
    let mut all = replaced(terms, &all, |_, id| stands_for.get(&id).copied());
    let more = all.split_off(roots.len());
    settled.assertions = all;
    settled.more = more.into_iter().zip(congruences).map(|(term, (_, place))| (term, place)).collect();
}

#[cfg(test)]
mod tests {
    use crate::print;
    use crate::read;

    fn settled(script: &str) -> Vec<String> {
        let query = read(script.as_bytes()).unwrap().queries.remove(0);
        let problem = query.problem;
        assert_eq!(problem.assertions.len(), query.assertion_offsets.len());
        problem.assertions.iter().map(|&a| print::term(&problem.terms, a)).collect()
    }

    const SCRIPT: &str = "(declare-const r RegLan)(declare-const q RegLan)(declare-const x String)\
                          (declare-const y String)";

    #[test]
    fn languages_that_are_defined_are_replaced() {
        for (assertions, left) in [
            (
                "(assert (= r (str.to_re \"a\")))(assert (str.in_re x r))",
                vec!["true", "(str.in_re x (str.to_re \"a\"))"],
            ),
            // One after the other, and inside of a conjunction.
            (
                "(assert (str.in_re x q))(assert (and (= (re.* r) q) (= re.allchar r)))",
                vec!["(str.in_re x (re.* re.allchar))", "(and true true)"],
            ),
            // By itself it is defined by nothing.
            ("(assert (= r (re.* r)))(assert (str.in_re x r))", vec!["(= r (re.* r))", "(str.in_re x r)"]),
            // The second equation is one of languages.
            (
                "(assert (= r re.all))(assert (= r (re.* re.allchar)))(assert (str.in_re x r))",
                vec!["true", "(= re.all (re.* re.allchar))", "(str.in_re x re.all)"],
            ),
            // What only holds in a case defines nothing.
            ("(assert (or (= r re.all) (= x y)))", vec!["(or (= r re.all) (= x y))"]),
        ] {
            assert_eq!(settled(&format!("{SCRIPT}{assertions}(check-sat)")), left, "{assertions}");
        }
    }

    #[test]
    fn memberships_in_any_language_are_a_predicate() {
        let left = settled(&format!(
            "{SCRIPT}(assert (str.in_re x r))(assert (not (str.in_re \"\" r)))(assert (str.in_re y q))\
             (assert (not (str.in_re y r)))(check-sat)"
        ));
        let expected = [
            "r!1",
            "(not r!2)",
            "q!4",
            "(not r!3)",
            "(=> (= x \"\") (= r!1 r!2))",
            "(=> (= x y) (= r!1 r!3))",
            "(=> (= \"\" y) (= r!2 r!3))",
        ];
        assert_eq!(left, expected);
    }
}
