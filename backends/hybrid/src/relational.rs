//! Order between strings: number representatives, and the relational graph.
//!
//! `s1 < s2 and s2 < s3 and s3 < s1` is hard for automata and easy for numbers: give each string a number
//! that is ordered as the string is. Finitely many words are always ordered as some numbers are (their places
//! in the sorted list of the words that differ), so what the numbers cannot satisfy the strings cannot
//! either.
//!
//! The relational graph has the strings as vertices and an arc from a string to each that it is made from or
//! compared with. Words are looked for in post-topological order: what a string depends on comes before it.
//!
//! Source: JST, section IV-B, the last part.

use std::collections::{BTreeMap, BTreeSet};

use backends_graph::{EdgeId, IntFormula, IntVertex, Relation, StringGraph, StringVertex, Sum};

/// What an edge says of the order of its strings.
enum Order {
    /// The first is before the second.
    Less(StringVertex, StringVertex),
    /// The first is before the second or equal to it.
    LessEqual(StringVertex, StringVertex),
    Equal(StringVertex, StringVertex),
    Unequal(StringVertex, StringVertex),
    /// The sign of the integer is the order of the strings.
    Sign(StringVertex, StringVertex, IntVertex),
}

impl Order {
    /// The order is total, so what is not before is after or equal. A prefix is before the whole or equal to
    /// it.
    #[allow(clippy::wildcard_enum_match_arm, reason = "no order follows from others")]
    fn of(relation: &Relation, positive: bool) -> Option<Self> {
        Some(match (relation, positive) {
            (&Relation::Less { s, t }, true) | (&Relation::LessEqual { s: t, t: s }, false) => {
                Self::Less(s, t)
            }
            (&Relation::LessEqual { s, t }, true) | (&Relation::Less { s: t, t: s }, false) => {
                Self::LessEqual(s, t)
            }
            (&Relation::Equal { a, b }, true) => Self::Equal(a, b),
            (&Relation::Equal { a, b }, false) => Self::Unequal(a, b),
            (&Relation::StartsWith { s, t }, true) => Self::LessEqual(t, s),
            (&Relation::Concat { a, r, .. }, _) => Self::LessEqual(a, r),
            (&Relation::CompareTo { s, t, i }, _) => Self::Sign(s, t, i),
            _ => return None,
        })
    }

    const fn strings(&self) -> (StringVertex, StringVertex) {
        match *self {
            Self::Less(s, t)
            | Self::LessEqual(s, t)
            | Self::Equal(s, t)
            | Self::Unequal(s, t)
            | Self::Sign(s, t, _) => (s, t),
        }
    }
}

/// The formula that a number is ordered as another, or `rank` of strings is.
fn formula(order: &Order, rank: &BTreeMap<StringVertex, IntVertex>) -> Option<IntFormula> {
    let (s, t) = order.strings();
    let (s, t) = (Sum::from(*rank.get(&s)?), Sum::from(*rank.get(&t)?));
    Some(match order {
        Order::Less(..) => s.lt(&t),
        Order::LessEqual(..) => s.le(&t),
        Order::Equal(..) => s.eq(&t),
        Order::Unequal(..) => s.ne(&t),
        Order::Sign(_, _, i) => {
            let (i, zero) = (Sum::from(*i), Sum::from(0_i64));
            IntFormula::or([
                IntFormula::and([s.lt(&t), i.lt(&zero)]),
                IntFormula::and([s.eq(&t), i.eq(&zero)]),
                IntFormula::and([t.lt(&s), zero.lt(&i)]),
            ])
        }
    })
}

/// Gives a number to each string whose order matters, and says how the numbers are ordered. None are made
/// where no edge compares strings by `<`, `<=` or `compareTo`. Cost: linear in the edges and, with a sort, in
/// the constants.
pub fn representatives(graph: &mut StringGraph) -> Vec<IntFormula> {
    let orders: Vec<Order> =
        graph.edges().iter().filter_map(|edge| Order::of(&edge.relation, edge.positive)).collect();
    let compares = |relation: &Relation| {
        matches!(relation, Relation::Less { .. } | Relation::LessEqual { .. } | Relation::CompareTo { .. })
    };
    if !graph.edges().iter().any(|edge| compares(&edge.relation)) {
        return Vec::new();
    }
    let named: BTreeSet<StringVertex> =
        orders.iter().flat_map(|order| <[StringVertex; 2]>::from(order.strings())).collect();
    let mut rank = BTreeMap::new();
    for s in named {
        let vertex = graph.result_int();
        rank.insert(s, vertex);
    }
    let mut formulas: Vec<IntFormula> = orders.iter().filter_map(|order| formula(order, &rank)).collect();
    // Constants are ordered as they are.
    let mut constants: Vec<StringVertex> =
        rank.keys().copied().filter(|s| graph.word(*s).is_some()).collect();
    constants.sort_by(|a, b| graph.word(*a).map(|w| w.chars()).cmp(&graph.word(*b).map(|w| w.chars())));
    for pair in constants.windows(2) {
        formulas.extend(formula(&Order::Less(pair[0], pair[1]), &rank));
    }
    formulas
}

/// The edges in the order in which the relational graph is searched: an edge comes once the last of its
/// strings does, and strings come after those that they depend on. Stable. Cost: linear in the graph, and a
/// sort.
pub fn post_topological(graph: &StringGraph) -> Vec<EdgeId> {
    let count = graph.strings().len();
    let mut on: Vec<Vec<usize>> = vec![Vec::new(); count];
    for edge in graph.edges() {
        let strings: Vec<StringVertex> = edge.relation.strings().collect();
        let (of, parts): (Option<StringVertex>, &[StringVertex]) = match edge.relation {
            // A comparison: the first string depends on what it is compared with.
            _ if edge.relation.is_predicate() => {
                (strings.first().copied(), strings.get(1..).unwrap_or_default())
            }
            // A function with a string as its result: that depends on the arguments.
            _ => match strings.split_last() {
                Some((r, arguments))
                    if matches!(edge.relation.result(), Some(backends_graph::Vertex::String(_))) =>
                {
                    (Some(*r), arguments)
                }
                _ => (None, &[]),
            },
        };
        if let Some(of) = of {
            on[of.index()].extend(parts.iter().map(|p| p.index()).filter(|p| *p != of.index()));
        }
    }
    let mut place: Vec<Option<usize>> = vec![None; count];
    let mut open = vec![false; count];
    let mut next = 0;
    for root in 0..count {
        let mut stack = vec![(root, 0)];
        while let Some((vertex, child)) = stack.pop() {
            if place[vertex].is_some() || (child == 0 && open[vertex]) {
                continue;
            }
            open[vertex] = true;
            match on[vertex].get(child) {
                Some(&part) => {
                    stack.push((vertex, child + 1));
                    stack.push((part, 0));
                }
                None => {
                    place[vertex] = Some(next);
                    next += 1;
                }
            }
        }
    }
    let last =
        |id: EdgeId| graph.edge(id).relation.strings().filter_map(|s| place[s.index()]).max().unwrap_or(0);
    let mut ids: Vec<EdgeId> = graph.edge_ids().collect();
    ids.sort_by_key(|id| last(*id));
    ids
}

#[cfg(test)]
mod tests {
    use super::*;
    use backends_api::Budget;
    use backends_graph::testkit::EnumeratedIntegers;
    use backends_graph::testkit::random::{Draw, random_graph};
    use backends_graph::{Edge, IntAnswer, IntegerSolvers};
    use harness_model::int::Int;
    use harness_model::{Alphabet, SmtString};

    /// The place of each word in the sorted list of the words that differ.
    fn numbering(words: &[SmtString]) -> Vec<Int> {
        let sorted: BTreeSet<_> = words.iter().map(|w| w.chars()).collect();
        words.iter().map(|w| Int::from(sorted.iter().position(|s| *s == w.chars()).unwrap_or(0))).collect()
    }

    fn numbers_allow(graph: &mut StringGraph) -> bool {
        let mut formulas = representatives(graph);
        // The enumerating solver wants bounds; as many numbers as strings are enough.
        let count = i64::try_from(graph.strings().len()).unwrap();
        let mut solver = EnumeratedIntegers.solver().unwrap();
        for vertex in graph.int_vertices() {
            solver.declare(vertex);
            let value = Sum::from(vertex);
            match graph.number(vertex) {
                Some(number) => formulas.push(value.eq(&Sum::from(number.clone()))),
                None => {
                    formulas.push(Sum::from(-count).le(&value));
                    formulas.push(value.le(&Sum::from(count)));
                }
            }
        }
        formulas.iter().for_each(|f| solver.assert(f));
        !matches!(solver.solve(&[], &Budget::unlimited()).unwrap(), IntAnswer::Unsat)
    }

    #[test]
    fn a_cycle_is_refuted_by_numbers_alone() {
        for (closing, holds) in [(true, false), (false, true)] {
            let mut g = StringGraph::new(Alphabet::Ascii);
            let s: Vec<StringVertex> = (0..3).map(|i| g.declare_string(format!("s{i}"))).collect();
            for i in 0..3 {
                let relation = Relation::Less { s: s[i], t: s[(i + 1) % 3] };
                g.add_edge(Edge { relation, positive: closing || i < 2 });
            }
            assert_eq!(numbers_allow(&mut g), holds);
        }
        // A prefix is not after the whole, and constants are ordered as they are.
        let mut g = StringGraph::new(Alphabet::Ascii);
        let (s, b, ba) = (g.declare_string("s"), g.constant("b"), g.constant("ba"));
        g.add_edge(Edge::positive(Relation::StartsWith { s, t: ba }));
        g.add_edge(Edge::negative(Relation::Less { s: b, t: s }));
        assert!(!numbers_allow(&mut g));
    }

    #[test]
    fn words_are_ordered_as_their_numbers() {
        let mut draw = Draw::new(11);
        let letters = ["", "a", "ab", "b", "ba", "aa"];
        for _ in 0..400 {
            let mut g = StringGraph::new(Alphabet::Ascii);
            let s: Vec<StringVertex> = (0..4).map(|i| g.declare_string(format!("s{i}"))).collect();
            let words: Vec<SmtString> = (0..4).map(|_| draw.one(&letters).into()).collect();
            let mut orders = Vec::new();
            for _ in 0..6 {
                let (a, b) = (draw.below(4), draw.below(4));
                let relation = match draw.below(4) {
                    0 => Relation::Less { s: s[a], t: s[b] },
                    1 => Relation::LessEqual { s: s[a], t: s[b] },
                    2 => Relation::StartsWith { s: s[a], t: s[b] },
                    _ => Relation::Equal { a: s[a], b: s[b] },
                };
                let word = |v: StringVertex| words[v.index()].clone();
                let edge = Edge::positive(relation.clone());
                let holds = backends_graph::evaluate::edge_holds(&g, &edge, word, |_| Int::ZERO).unwrap();
                orders.extend(Order::of(&relation, holds));
            }
            let rank: BTreeMap<_, _> = s.iter().map(|&v| (v, IntVertex::at(v.index()))).collect();
            let numbers = numbering(&words);
            for order in &orders {
                let formula = formula(order, &rank).unwrap();
                assert!(formula.eval(&|v| numbers[v.index()].clone()), "{words:?}");
            }
        }
    }

    #[test]
    fn what_a_string_depends_on_comes_first() {
        // The paper's example: s1 < s2, s2 starts with s3.
        let mut g = StringGraph::new(Alphabet::Ascii);
        let (s1, s2, s3) = (g.declare_string("s1"), g.declare_string("s2"), g.declare_string("s3"));
        let xy = g.constant("xy");
        g.add_edge(Edge::positive(Relation::Less { s: s1, t: s2 }));
        g.add_edge(Edge::positive(Relation::StartsWith { s: s2, t: s3 }));
        g.add_edge(Edge::positive(Relation::EndsWith { s: s3, t: xy }));
        let order: Vec<usize> = post_topological(&g).iter().map(|e| e.index()).collect();
        assert_eq!(order, [2, 1, 0]);
        let mut draw = Draw::new(3);
        for _ in 0..200 {
            let graph = random_graph(&mut draw, 6);
            let mut ids = post_topological(&graph);
            ids.sort_unstable();
            assert_eq!(ids, graph.edge_ids().collect::<Vec<_>>());
        }
    }
}
