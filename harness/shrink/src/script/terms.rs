//! Terms replaced by smaller ones: by constants, by terms inside of them, by variables; operands left out;
//! `let` and definitions written out.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::ops::Range;

use harness_smtlib::print;
use harness_theory::Sort;
use harness_theory::op::{Op, ReOp, Shape};

use crate::edit::{Edit, halves};
use crate::outline::{Look, Node, Outline};

/// How many terms inside of a term are tried in its place, the nearest ones first.
const INSIDE: usize = 6;

/// How far inside they are.
const LOOKED_AT: usize = 40;

/// How many variables are tried in the place of a term.
const VARIABLES: usize = 2;

/// The simplest terms of a sort.
pub(super) const fn constants(sort: Sort) -> &'static [&'static str] {
    match sort {
        Sort::Bool => &["true", "false"],
        Sort::Int => &["0", "1"],
        Sort::String => &["\"\"", "\"a\""],
        Sort::RegLan => &["re.none", "re.all", "re.allchar", "(str.to_re \"\")"],
    }
}

/// The places of all nodes, those with the longest text first.
fn by_size(outline: &Outline<'_>) -> Vec<usize> {
    let mut places: Vec<usize> = (0..outline.nodes.len()).collect();
    places.sort_by_key(|&place| Reverse(outline.nodes[place].range.len()));
    places
}

/// Each term replaced by something shorter of its sort.
pub fn smaller(outline: &Outline<'_>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let fresh = fresh_name(outline);
    for place in by_size(outline) {
        let node = &outline.nodes[place];
        let length = node.range.len();
        let Some(sort) = node.sort else {
            edits.extend(inside(outline, node).map(|range| Edit::replace(node.range.clone(), range)));
            continue;
        };
        for constant in constants(sort).iter().filter(|constant| constant.len() <= length) {
            edits.push(Edit::replace(node.range.clone(), *constant));
        }
        edits.extend(inside(outline, node).map(|range| Edit::replace(node.range.clone(), range)));
        if node.look == Look::Atom {
            continue;
        }
        let named = outline.variables.iter().filter(|(_, of, _)| *of == Some(sort));
        for (name, ..) in named.take(VARIABLES) {
            edits.push(Edit::replace(node.range.clone(), print::symbol(name)));
        }
        if sort != Sort::RegLan
            && let Some(command) = outline.commands.iter().find(|c| c.range.contains(&node.range.start))
        {
            let declared = format!("(declare-const {fresh} {sort})\n");
            if declared.len() + fresh.len() < length {
                let at = command.range.start;
                edits.push(Edit::replace(node.range.clone(), fresh.as_str()).and(at..at, declared));
            }
        }
    }
    edits
}

/// A name that the script does not have.
fn fresh_name(outline: &Outline<'_>) -> String {
    let mut number = 0_u64;
    loop {
        let name = format!("v{number}");
        if !outline.is_taken(&name) {
            return name;
        }
        number += 1;
    }
}

/// The nearest terms of the same sort inside of a term; all of those directly inside where its sort is not
/// known.
fn inside<'o>(outline: &'o Outline<'_>, node: &'o Node) -> impl Iterator<Item = Range<usize>> + 'o {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut waiting: VecDeque<usize> = node.children.iter().copied().collect();
    let mut looked = 0;
    while let Some(place) = waiting.pop_front() {
        let child = &outline.nodes[place];
        looked += 1;
        if child.sort == node.sort || child.sort.is_none() {
            found.push(child.range.clone());
        }
        if found.len() >= INSIDE || looked >= LOOKED_AT {
            break;
        }
        waiting.extend(&child.children);
    }
    found.into_iter()
}

/// How few operands an application may have, where it may have fewer than it has.
fn least_operands(node: &Node) -> Option<usize> {
    let Look::Application(Some(op)) = node.look else { return None };
    match op.shape() {
        Shape::Many(_) | Shape::Chain(_) | Shape::Equality => Some(2),
        Shape::AtLeast(least, _) => Some(least),
        Shape::Fixed(_) | Shape::Choice => None,
    }
}

/// Sizes of pieces of operands.
pub fn operand_grains(outline: &Outline<'_>) -> Vec<usize> {
    let counts =
        outline.nodes.iter().filter(|node| least_operands(node).is_some()).map(|node| node.children.len());
    halves(counts.max().unwrap_or(0))
}

/// Pieces of so many operands left out of applications that have more. Where a single one is left of a
/// function whose value has its sort, it stands for the application.
pub fn fewer_operands(outline: &Outline<'_>, size: usize) -> Vec<Edit> {
    let mut edits = Vec::new();
    for place in by_size(outline) {
        let node = &outline.nodes[place];
        let Some(least) = least_operands(node).filter(|_| node.children.len() > size) else { continue };
        for (number, piece) in node.children.chunks(size.max(1)).enumerate() {
            let left = node.children.len() - piece.len();
            if left >= least {
                edits.push(Edit::remove(piece.iter().map(|&child| outline.nodes[child].range.clone())));
            } else if left == 1 {
                let only = if number == 0 { node.children.last() } else { node.children.first() };
                if let Some(only) =
                    only.map(|&child| &outline.nodes[child]).filter(|only| only.sort == node.sort)
                {
                    edits.push(Edit::replace(node.range.clone(), only.range.clone()));
                }
            }
        }
    }
    edits
}

/// `let` and definitions without parameters: each name replaced by what it stands for, and not defined any
/// more; bodies in the place of their `let`.
pub fn written_out(outline: &Outline<'_>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for place in by_size(outline) {
        let node = &outline.nodes[place];
        if node.look != Look::Let {
            continue;
        }
        let Some(body) = node.children.last().map(|&body| outline.nodes[body].range.clone()) else {
            continue;
        };
        edits.push(Edit::replace(node.range.clone(), body.clone()));
        let bindings = outline.bindings(node);
        for (number, (name, bound)) in bindings.iter().enumerate() {
            let by = &outline.nodes[*bound].range;
            let uses = outline.uses(name).iter().map(|&at| outline.range(at));
            let uses = uses.filter(|range| range.start >= body.start && range.end <= body.end);
            let written = |edit: Edit, range: Range<usize>| edit.and(range, by.clone());
            if bindings.len() == 1 {
                let around = [node.range.start..body.start, body.end..node.range.end];
                edits.push(uses.fold(Edit::remove(around), written));
                continue;
            }
            let Some(pair) = outline
                .tokens
                .elements(node.at)
                .nth(1)
                .and_then(|list| outline.tokens.elements(list).nth(number))
            else {
                continue;
            };
            edits.push(uses.fold(Edit::cut(outline.range(pair)), written));
        }
    }
    for (place, command) in outline.commands.iter().enumerate() {
        let arguments = outline.arguments(place);
        let body = match (command.name.as_str(), arguments.as_slice()) {
            ("define-const", [_, _, body]) => *body,
            ("define-fun", [_, list, _, body]) if outline.tokens.after(*list) == list + 2 => *body,
            _ => continue,
        };
        let Some(Ok(name)) = arguments.first().map(|&at| outline.tokens.text(at)) else { continue };
        let uses = outline.uses(name).iter().filter(|at| Some(*at) != arguments.first());
        let by = outline.range(body);
        let written = |edit: Edit, &at: &usize| edit.and(outline.range(at), by.clone());
        edits.push(uses.fold(Edit::cut(command.range.clone()), written));
    }
    edits
}

/// Loops and ranges in simpler words: `(re.* r)` for a loop, the language of one word for a range.
pub fn plainer_expressions(outline: &Outline<'_>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for place in by_size(outline) {
        let node = &outline.nodes[place];
        let Look::Application(Some(Op::Re(op))) = node.look else { continue };
        let Some(first) = node.children.first().map(|&child| outline.of_node(&outline.nodes[child])) else {
            continue;
        };
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "all others are made smaller as terms: by what is inside of them"
        )]
        match op {
            ReOp::Range => edits.push(Edit::replace(node.range.clone(), format!("(str.to_re {first})"))),
            ReOp::Loop(..) | ReOp::Power(_) => {
                for simple in ["re.*", "re.+", "re.opt"] {
                    edits.push(Edit::replace(node.range.clone(), format!("({simple} {first})")));
                }
            }
            _ => {}
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::super::testkit::{assert_has, asserted, made};
    use super::*;

    #[test]
    fn terms_become_constants_of_their_sort() {
        let made = asserted("(= (str.len (str.++ x y)) n)", smaller);
        assert_has(
            &made,
            &[
                "true",
                "false",
                "(= 0 n)",
                "(= (str.len \"\") n)",
                "(= (str.len x) n)",
                "(= (str.len (str.++ x y)) 0)",
            ],
        );
    }

    #[test]
    fn terms_become_terms_inside_of_them() {
        let made = asserted("(not (or p (= x (str.replace x (str.at x n) y))))", smaller);
        assert_has(
            &made,
            &["(or p (= x (str.replace x (str.at x n) y)))", "p", "(not p)", "(not (or p (= x y)))"],
        );
    }

    #[test]
    fn languages_become_languages_inside_of_them() {
        let made = asserted("(str.in_re x (re.comp (re.++ (re.* (str.to_re \"b\")) re.allchar)))", smaller);
        assert_has(
            &made,
            &[
                "(str.in_re x re.none)",
                "(str.in_re x (re.++ (re.* (str.to_re \"b\")) re.allchar))",
                "(str.in_re x (re.comp re.allchar))",
            ],
        );
    }

    #[test]
    fn large_terms_become_fresh_variables() {
        let script = "(declare-const v0 Int)(assert (= \"\" (str.replace_all \"abcabc\" \"bc\" \"cccccccccccccc\")))(check-sat)";
        let made = made(script, smaller);
        let wanted = "(declare-const v0 Int)(declare-const v1 String)(assert (= \"\" v1))(check-sat)";
        assert!(made.contains(&wanted.to_owned()), "{made:?}");
    }

    #[test]
    fn operands_go_in_pieces() {
        let term = "(and p (= n 0) (= n 1) (= n 2) (distinct n 3 4))";
        let outline =
            |edits: fn(&Outline<'_>, usize) -> Vec<Edit>, size| asserted(term, move |o| edits(o, size));
        let made = outline(fewer_operands, 3);
        assert!(made.contains(&"(and (= n 2) (distinct n 3 4))".to_owned()), "{made:?}");
        assert!(made.contains(&"(and p (= n 0) (= n 1))".to_owned()), "{made:?}");
        let made = outline(fewer_operands, 1);
        assert!(made.contains(&"(and p (= n 0) (= n 1) (= n 2) (distinct n 4))".to_owned()), "{made:?}");
        assert_eq!(made.len(), 8, "{made:?}");
        assert_eq!(
            asserted("(str.++ x y \"\")", |o| fewer_operands(o, 2)),
            [""; 0],
            "a string is not asserted"
        );
        let made = asserted("(or p (= n 1) (= n 2))", |o| fewer_operands(o, 2));
        assert_eq!(made, ["(= n 2)", "(or p (= n 1))"]);
    }

    #[test]
    fn names_of_terms_are_written_out() {
        let made = asserted("(let ((a x) (b y)) (let ((c (str.++ a b))) (= c b)))", written_out);
        assert_has(
            &made,
            &[
                "(let ((a x) (b y)) (= (str.++ a b) b))",
                "(let ((b y)) (let ((c (str.++ x b))) (= c b)))",
                "(let ((a x)) (let ((c (str.++ a y))) (= c y)))",
            ],
        );
        let script =
            "(declare-const x String)(define-fun t () Int (str.len x))(assert (= t (+ t 1)))(check-sat)";
        let made = super::super::testkit::made(script, written_out);
        assert_eq!(made, ["(declare-const x String)(assert (= (str.len x) (+ (str.len x) 1)))(check-sat)"]);
    }

    #[test]
    fn ranges_and_loops_get_simpler_words() {
        let made = asserted("(str.in_re x ((_ re.loop 2 5) (re.range \"b\" \"z\")))", plainer_expressions);
        assert_has(
            &made,
            &[
                "(str.in_re x (re.* (re.range \"b\" \"z\")))",
                "(str.in_re x ((_ re.loop 2 5) (str.to_re \"b\")))",
            ],
        );
    }
}
