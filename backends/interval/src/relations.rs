//! Inference of relations: new facts from pairs of facts about the words of two vertices, until nothing new
//! is inferred.
//!
//! Facts are of a few [`Kind`]s; a [`Rule`] has one or two premises over up to three vertices and a
//! conclusion, or none where the premises contradict each other. All rules are in [`RULES`], and a test tries
//! each on all words of a small alphabet. So `s1 > s2 ≥ s3 ≥ s1` is refuted without a value: the first two
//! give `s1 > s3`, which clashes with the third.
//!
//! *Consumption*: with `s.beginsWith(t)` the constraint `s.contains(t)` says nothing more and is dropped
//! ([`Relations::consumed`]).
//!
//! Source: Li and Ghosh, PASS, section 4, second set of rules, of which the paper shows four; all others here
//! are ours. Its "`s.beginsWith(s1)` ⟹ `s ≥ s1`" is the rule `prefix-is-not-after`.

use backends_api::{Budget, Stop};
use backends_graph::reasons::Reasons;
use backends_graph::{Edge, EdgeId, IntFormula, Relation, StringGraph, StringVertex, Sum};

use crate::refine::Refiner;

/// A relation between the words `x` and `y` of two vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `x = y`
    Equal,
    /// `x ≠ y`
    Differ,
    /// `x` is before `y`
    Less,
    /// `x` is before `y` or equal
    LessEqual,
    /// `y` is a prefix of `x`
    Prefix,
    /// `y` is a suffix of `x`
    Suffix,
    /// `y` occurs in `x`
    Infix,
    /// `y` is no prefix of `x`
    NoPrefix,
    /// `y` is no suffix of `x`
    NoSuffix,
    /// `y` does not occur in `x`
    NoInfix,
    /// `|x| ≤ |y|`
    NotLonger,
    /// `|x| < |y|`
    Shorter,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Equal,
        Self::Differ,
        Self::Less,
        Self::LessEqual,
        Self::Prefix,
        Self::Suffix,
        Self::Infix,
        Self::NoPrefix,
        Self::NoSuffix,
        Self::NoInfix,
        Self::NotLonger,
        Self::Shorter,
    ];

    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// A fact about two of the vertices 0, 1 and 2 of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact(pub Kind, pub u8, pub u8);

/// `premises ⟹ conclusion`; without a conclusion the premises have no solution.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// One fact or two. The first is about the vertices 0 and 1, the second about any two of 0, 1 and 2.
    pub premises: (Fact, Option<Fact>),
    /// What follows.
    pub conclusion: Option<Fact>,
}

const fn one(name: &'static str, a: Fact, b: Fact) -> Rule {
    Rule { name, premises: (a, None), conclusion: Some(b) }
}

const fn two(name: &'static str, a: Fact, b: Fact, c: Fact) -> Rule {
    Rule { name, premises: (a, Some(b)), conclusion: Some(c) }
}

const fn clash(name: &'static str, a: Fact, b: Fact) -> Rule {
    Rule { name, premises: (a, Some(b)), conclusion: None }
}

use Kind::{
    Differ, Equal, Infix, Less, LessEqual, NoInfix, NoPrefix, NoSuffix, NotLonger, Prefix, Shorter, Suffix,
};

/// Every rule.
pub const RULES: &[Rule] = &[
    one("equal-is-symmetric", Fact(Equal, 0, 1), Fact(Equal, 1, 0)),
    one("differ-is-symmetric", Fact(Differ, 0, 1), Fact(Differ, 1, 0)),
    one("equal-is-not-after", Fact(Equal, 0, 1), Fact(LessEqual, 0, 1)),
    one("equal-is-prefix", Fact(Equal, 0, 1), Fact(Prefix, 0, 1)),
    one("equal-is-suffix", Fact(Equal, 0, 1), Fact(Suffix, 0, 1)),
    one("less-is-not-after", Fact(Less, 0, 1), Fact(LessEqual, 0, 1)),
    one("less-differs", Fact(Less, 0, 1), Fact(Differ, 0, 1)),
    one("less-has-no-prefix", Fact(Less, 0, 1), Fact(NoPrefix, 0, 1)),
    one("prefix-is-not-after", Fact(Prefix, 0, 1), Fact(LessEqual, 1, 0)),
    one("prefix-is-infix", Fact(Prefix, 0, 1), Fact(Infix, 0, 1)),
    one("suffix-is-infix", Fact(Suffix, 0, 1), Fact(Infix, 0, 1)),
    one("infix-is-not-longer", Fact(Infix, 0, 1), Fact(NotLonger, 1, 0)),
    one("no-infix-is-no-prefix", Fact(NoInfix, 0, 1), Fact(NoPrefix, 0, 1)),
    one("no-infix-is-no-suffix", Fact(NoInfix, 0, 1), Fact(NoSuffix, 0, 1)),
    one("no-prefix-differs", Fact(NoPrefix, 0, 1), Fact(Differ, 0, 1)),
    one("no-suffix-differs", Fact(NoSuffix, 0, 1), Fact(Differ, 0, 1)),
    one("shorter-is-not-longer", Fact(Shorter, 0, 1), Fact(NotLonger, 0, 1)),
    one("shorter-has-no-infix", Fact(Shorter, 0, 1), Fact(NoInfix, 0, 1)),
    two("equal-carries-equal", Fact(Equal, 0, 1), Fact(Equal, 1, 2), Fact(Equal, 0, 2)),
    two("equal-carries-differ", Fact(Equal, 0, 1), Fact(Differ, 1, 2), Fact(Differ, 0, 2)),
    two("less-than-less-equal", Fact(Less, 0, 1), Fact(LessEqual, 1, 2), Fact(Less, 0, 2)),
    two("less-equal-than-less", Fact(LessEqual, 0, 1), Fact(Less, 1, 2), Fact(Less, 0, 2)),
    two("less-equal-carries", Fact(LessEqual, 0, 1), Fact(LessEqual, 1, 2), Fact(LessEqual, 0, 2)),
    two("less-equal-both-ways", Fact(LessEqual, 0, 1), Fact(LessEqual, 1, 0), Fact(Equal, 0, 1)),
    two("less-equal-and-differ", Fact(LessEqual, 0, 1), Fact(Differ, 0, 1), Fact(Less, 0, 1)),
    two("prefix-of-prefix", Fact(Prefix, 0, 1), Fact(Prefix, 1, 2), Fact(Prefix, 0, 2)),
    two("suffix-of-suffix", Fact(Suffix, 0, 1), Fact(Suffix, 1, 2), Fact(Suffix, 0, 2)),
    two("infix-of-infix", Fact(Infix, 0, 1), Fact(Infix, 1, 2), Fact(Infix, 0, 2)),
    two("infix-as-long-is-equal", Fact(Infix, 0, 1), Fact(NotLonger, 0, 1), Fact(Equal, 0, 1)),
    two("not-longer-carries", Fact(NotLonger, 0, 1), Fact(NotLonger, 1, 2), Fact(NotLonger, 0, 2)),
    two("shorter-than-not-longer", Fact(Shorter, 0, 1), Fact(NotLonger, 1, 2), Fact(Shorter, 0, 2)),
    two("not-longer-than-shorter", Fact(NotLonger, 0, 1), Fact(Shorter, 1, 2), Fact(Shorter, 0, 2)),
    two("infix-and-differ-is-shorter", Fact(Infix, 0, 1), Fact(Differ, 0, 1), Fact(Shorter, 1, 0)),
    // What 1 has, 0 would have; and what 0 has not, none of its parts has.
    two("part-of-no-infix", Fact(Infix, 0, 1), Fact(NoInfix, 0, 2), Fact(NoInfix, 1, 2)),
    two("part-of-no-prefix", Fact(Prefix, 0, 1), Fact(NoPrefix, 0, 2), Fact(NoPrefix, 1, 2)),
    two("part-of-no-suffix", Fact(Suffix, 0, 1), Fact(NoSuffix, 0, 2), Fact(NoSuffix, 1, 2)),
    two("no-infix-of-what-is-around", Fact(NoInfix, 0, 1), Fact(Infix, 2, 1), Fact(NoInfix, 0, 2)),
    two("no-prefix-of-what-starts-so", Fact(NoPrefix, 0, 1), Fact(Prefix, 2, 1), Fact(NoPrefix, 0, 2)),
    two("no-suffix-of-what-ends-so", Fact(NoSuffix, 0, 1), Fact(Suffix, 2, 1), Fact(NoSuffix, 0, 2)),
    clash("equal-clashes-with-differ", Fact(Equal, 0, 1), Fact(Differ, 0, 1)),
    clash("less-clashes-with-equal", Fact(Less, 0, 1), Fact(Equal, 0, 1)),
    clash("less-clashes-with-not-before", Fact(Less, 0, 1), Fact(LessEqual, 1, 0)),
    clash("prefix-clashes", Fact(Prefix, 0, 1), Fact(NoPrefix, 0, 1)),
    clash("suffix-clashes", Fact(Suffix, 0, 1), Fact(NoSuffix, 0, 1)),
    clash("infix-clashes", Fact(Infix, 0, 1), Fact(NoInfix, 0, 1)),
    clash("shorter-clashes", Fact(Shorter, 0, 1), Fact(NotLonger, 1, 0)),
];

/// What pairs of searches for the same word in the same word say of their places. A first occurrence is not
/// after the last one, where the search for that one looks at the whole word; and if the first search starts
/// at the front, it finds what the other one finds.
pub fn places(refiner: &Refiner<'_>) -> Vec<(IntFormula, Reasons)> {
    let graph = refiner.graph;
    let mut found = Vec::new();
    for (here, first) in graph.edges().iter().enumerate() {
        let Relation::IndexOf { s, t, from, i } = first.relation else { continue };
        for (there, last) in graph.edges().iter().enumerate() {
            let Relation::LastIndexOf { s: other, t: what, from: up_to, i: j } = last.relation else {
                continue;
            };
            if (s, t) != (other, what) || !refiner.is_whole(s, t, up_to) {
                continue;
            }
            let (i, j, zero) = (graph.sum_of(i), graph.sum_of(j), Sum::from(0_i64));
            let mut reasons = refiner.reasons_at(here);
            reasons.extend(&refiner.reasons_at(there));
            found.push((i.le(&j), reasons.clone()));
            if refiner.int(from).only() == Some(0) {
                found.push((IntFormula::or([j.lt(&zero), zero.le(&i)]), reasons));
            }
        }
    }
    found
}

/// Relations of more vertices than this are not inferred: the facts grow with the square, the work with the
/// cube.
pub const MAX_VERTICES: usize = 48;

/// Facts about the vertices of one graph.
#[derive(Clone, Debug)]
pub struct Relations {
    count: usize,
    /// Kinds as bits, by pair.
    facts: Vec<u16>,
    /// How many facts were inferred.
    pub inferred: u64,
    /// The rule that refuted the facts.
    pub refuted: Option<&'static str>,
}

impl Relations {
    /// No fact about `count` vertices but that each is itself.
    pub fn new(count: usize) -> Self {
        let mut this = Self { count, facts: vec![0; count * count], inferred: 0, refuted: None };
        for v in 0..count {
            this.facts[v * count + v] = [Equal, LessEqual, Prefix, Suffix, Infix, NotLonger]
                .into_iter()
                .fold(0, |bits, kind| bits | kind.bit());
        }
        this
    }

    /// The facts that the edges of the refiner's graph say, and what is known of constants and lengths.
    /// `None` for a graph of too many vertices.
    pub fn of(refiner: &Refiner<'_>) -> Option<Self> {
        let graph = refiner.graph;
        let count = graph.strings().len();
        if count > MAX_VERTICES {
            return None;
        }
        let mut this = Self::new(count);
        for edge in refiner.edges() {
            this.read(refiner, edge);
        }
        for a in graph.string_vertices() {
            for b in graph.string_vertices().filter(|&b| a != b) {
                this.compare(refiner, a, b);
            }
        }
        Some(this)
    }

    fn read(&mut self, refiner: &Refiner<'_>, edge: &Edge) {
        // A limit that is reached says nothing.
        if let Ok(Some((s, r))) = refiner.unchanged(edge) {
            self.say(Equal, s, r);
        }
        let pick = |yes: Kind, no: Kind| if edge.positive { yes } else { no };
        match edge.relation {
            Relation::Equal { a, b } => self.say(pick(Equal, Differ), a, b),
            Relation::StartsWith { s, t } => self.say(pick(Prefix, NoPrefix), s, t),
            Relation::EndsWith { s, t } => self.say(pick(Suffix, NoSuffix), s, t),
            Relation::Contains { s, t } => self.say(pick(Infix, NoInfix), s, t),
            Relation::Less { s, t } if edge.positive => self.say(Less, s, t),
            Relation::Less { s, t } => self.say(LessEqual, t, s),
            Relation::LessEqual { s, t } if edge.positive => self.say(LessEqual, s, t),
            Relation::LessEqual { s, t } => self.say(Less, t, s),
            Relation::CompareTo { s, t, i } => {
                let sign = refiner.int(i);
                if sign.at_least(1) {
                    self.say(Less, t, s);
                } else if sign.at_least(0) {
                    self.say(LessEqual, t, s);
                }
                if sign.at_most(-1) {
                    self.say(Less, s, t);
                } else if sign.at_most(0) {
                    self.say(LessEqual, s, t);
                }
                if !sign.has(0) {
                    self.say(Differ, s, t);
                }
            }
            Relation::Concat { a, b, r } => {
                self.say(Prefix, r, a);
                self.say(Suffix, r, b);
            }
            Relation::At { s, r, .. } | Relation::Substr { s, r, .. } | Relation::Trim { s, r } => {
                self.say(Infix, s, r);
            }
            Relation::IndexOf { s, t, i, .. } | Relation::LastIndexOf { s, t, i, .. }
                if refiner.int(i).at_least(0) =>
            {
                self.say(Infix, s, t);
            }
            Relation::ToLower { s, r } | Relation::ToUpper { s, r } => {
                self.say(NotLonger, s, r);
                self.say(NotLonger, r, s);
            }
            // Nothing that a kind of fact can say.
            Relation::InRe { .. }
            | Relation::IsDigit { .. }
            | Relation::CharAt { .. }
            | Relation::IndexOf { .. }
            | Relation::LastIndexOf { .. }
            | Relation::Replace { .. }
            | Relation::ReplaceAll { .. }
            | Relation::ReplaceRe { .. }
            | Relation::ReplaceReAll { .. }
            | Relation::ToCode { .. }
            | Relation::FromCode { .. }
            | Relation::ToInt { .. }
            | Relation::FromInt { .. } => {}
        }
    }

    /// What values say of two vertices.
    fn compare(&mut self, refiner: &Refiner<'_>, a: StringVertex, b: StringVertex) {
        let ((_, longest), (shortest, _)) = (refiner.lengths(a), refiner.lengths(b));
        if let Some(longest) = longest {
            if longest < shortest {
                self.say(Shorter, a, b);
            } else if longest == shortest {
                self.say(NotLonger, a, b);
            }
        }
        if let (Some(x), Some(y)) = (refiner.only(a), refiner.only(b)) {
            for kind in Kind::ALL.into_iter().filter(|kind| kind.holds(x.chars(), y.chars())) {
                self.say(kind, a, b);
            }
        }
    }

    fn say(&mut self, kind: Kind, x: StringVertex, y: StringVertex) {
        self.add(kind, x.index(), y.index());
    }

    /// Adds a fact about the vertices at two places; whether it is new.
    pub fn add(&mut self, kind: Kind, x: usize, y: usize) -> bool {
        let bits = &mut self.facts[x * self.count + y];
        let new = *bits & kind.bit() == 0;
        *bits |= kind.bit();
        new
    }

    /// Whether the fact is known.
    pub fn knows(&self, kind: Kind, x: usize, y: usize) -> bool {
        self.facts[x * self.count + y] & kind.bit() != 0
    }

    /// Applies all rules until nothing new follows, or the facts are refuted. Facts are finitely many, so
    /// this ends.
    pub fn settle(&mut self, budget: &Budget) -> Result<(), Stop> {
        let mut changed = true;
        while std::mem::take(&mut changed) && self.refuted.is_none() {
            for rule in RULES {
                for x in 0..self.count {
                    for y in 0..self.count {
                        budget.tick()?;
                        changed |= self.apply(rule, x, y);
                    }
                }
            }
        }
        Ok(())
    }

    /// Applies the rule with 0 and 1 at these places, and 2 anywhere.
    fn apply(&mut self, rule: &Rule, x: usize, y: usize) -> bool {
        let (Fact(first, _, _), second) = rule.premises;
        if !self.knows(first, x, y) {
            return false;
        }
        // Two vertices, or a third one that the second premise names.
        let third = second.is_some_and(|Fact(_, a, b)| a == 2 || b == 2);
        let places = if third { 0..self.count } else { 0..1 };
        let mut changed = false;
        for z in places {
            let place = |v: u8| [x, y, z][usize::from(v).min(2)];
            if let Some(Fact(kind, a, b)) = second
                && !self.knows(kind, place(a), place(b))
            {
                continue;
            }
            match rule.conclusion {
                None => self.refuted = Some(rule.name),
                Some(Fact(kind, a, b)) => {
                    if self.add(kind, place(a), place(b)) {
                        self.inferred += 1;
                        changed = true;
                    }
                }
            }
        }
        changed
    }

    /// What was inferred that narrows values further than the edges it was inferred from, as edges that are
    /// not in the graph: equalities, and negative facts with a constant.
    pub fn edges(&self, graph: &StringGraph) -> Vec<Edge> {
        let mut new = Vec::new();
        for a in graph.string_vertices() {
            for b in graph.string_vertices().filter(|&b| a != b) {
                let mut offer = |kind: Kind, edge: Edge| {
                    if self.knows(kind, a.index(), b.index()) && !graph.edges().contains(&edge) {
                        new.push(edge);
                    }
                };
                if a < b && (graph.word(a).is_none() || graph.word(b).is_none()) {
                    offer(Equal, Edge::positive(Relation::Equal { a, b }));
                }
                if graph.word(a).is_none() && graph.word(b).is_some() {
                    offer(NoInfix, Edge::negative(Relation::Contains { s: a, t: b }));
                    offer(NoPrefix, Edge::negative(Relation::StartsWith { s: a, t: b }));
                    offer(NoSuffix, Edge::negative(Relation::EndsWith { s: a, t: b }));
                    offer(Differ, Edge::negative(Relation::Equal { a, b }));
                }
            }
        }
        new
    }

    /// The edges that another edge of the graph says already: a `contains` beside a prefix or suffix edge of
    /// the same vertices, a `lessEqual` beside `less`, and their negative counterparts.
    #[allow(clippy::wildcard_enum_match_arm, reason = "an edge that no other one makes superfluous stays")]
    pub fn consumed(graph: &StringGraph) -> Vec<EdgeId> {
        let has = |edge: &Edge| graph.edges().contains(edge);
        graph
            .edge_ids()
            .filter(|&id| {
                let edge = graph.edge(id);
                match (&edge.relation, edge.positive) {
                    (&Relation::Contains { s, t }, true) => {
                        has(&Edge::positive(Relation::StartsWith { s, t }))
                            || has(&Edge::positive(Relation::EndsWith { s, t }))
                    }
                    (&Relation::StartsWith { s, t } | &Relation::EndsWith { s, t }, false) => {
                        has(&Edge::negative(Relation::Contains { s, t }))
                    }
                    (&Relation::LessEqual { s, t }, true) => has(&Edge::positive(Relation::Less { s, t })),
                    (&Relation::LessEqual { s: t, t: s }, false) => {
                        // Both say that `s` is before `t`: the positive one stays.
                        has(&Edge::positive(Relation::Less { s, t }))
                    }
                    _ => false,
                }
            })
            .collect()
    }
}

impl Kind {
    /// Whether the relation holds between two words.
    pub fn holds<T: Ord>(self, x: &[T], y: &[T]) -> bool {
        let infix = || y.is_empty() || x.windows(y.len().max(1)).any(|window| window == y);
        match self {
            Self::Equal => x == y,
            Self::Differ => x != y,
            Self::Less => x < y,
            Self::LessEqual => x <= y,
            Self::Prefix => x.starts_with(y),
            Self::Suffix => x.ends_with(y),
            Self::Infix => infix(),
            Self::NoPrefix => !x.starts_with(y),
            Self::NoSuffix => !x.ends_with(y),
            Self::NoInfix => !infix(),
            Self::NotLonger => x.len() <= y.len(),
            Self::Shorter => x.len() < y.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(longest: usize) -> Vec<Vec<u8>> {
        let mut all: Vec<Vec<u8>> = vec![Vec::new()];
        let mut start = 0;
        for _ in 0..longest {
            let end = all.len();
            for i in start..end {
                for c in [b'a', b'b'] {
                    let mut longer = all[i].clone();
                    longer.push(c);
                    all.push(longer);
                }
            }
            start = end;
        }
        all
    }

    /// On all words of up to four letters; and each rule has premises that some words satisfy, unless it is a
    /// clash.
    #[test]
    fn every_rule_is_true() {
        let all = words(4);
        for rule in RULES {
            let (first, second) = rule.premises;
            let mut used = 0;
            for x in &all {
                for y in &all {
                    let two = [x, y, x];
                    let holds = |Fact(kind, a, b): Fact, w: &[&Vec<u8>; 3]| {
                        kind.holds(w[usize::from(a)], w[usize::from(b)])
                    };
                    if !holds(first, &two) {
                        continue;
                    }
                    for z in &all {
                        let three = [x, y, z];
                        if second.is_some_and(|second| !holds(second, &three)) {
                            continue;
                        }
                        used += 1;
                        let right = rule.conclusion.is_some_and(|conclusion| holds(conclusion, &three));
                        assert!(right, "{}: {x:?} {y:?} {z:?}", rule.name);
                    }
                }
            }
            assert_eq!(used > 0, rule.conclusion.is_some(), "{}", rule.name);
            // The places of the premises are those that `apply` expects.
            assert_eq!((first.1, first.2), (0, 1), "{}", rule.name);
        }
    }

    #[test]
    fn a_cycle_of_comparisons_with_a_strict_step_is_refuted() {
        let budget = Budget::unlimited();
        // s1 > s2 >= s3 >= s1
        let mut facts = Relations::new(3);
        facts.add(Less, 1, 0);
        facts.add(LessEqual, 2, 1);
        let mut open = facts.clone();
        facts.add(LessEqual, 0, 2);
        facts.settle(&budget).unwrap();
        assert!(facts.refuted.is_some());
        open.settle(&budget).unwrap();
        assert!(open.refuted.is_none() && open.knows(Less, 2, 0) && open.inferred > 0);
    }

    /// Random facts that hold of random words are never refuted, and all that is inferred holds of them.
    #[test]
    fn what_follows_holds() {
        use backends_graph::testkit::Draw;
        let all = words(3);
        for seed in 0..200 {
            let mut draw = Draw::new(seed);
            let chosen: Vec<Vec<u8>> = (0..5).map(|_| draw.one(&all)).collect();
            let mut facts = Relations::new(5);
            for _ in 0..8 {
                let (x, y, kind) = (draw.below(5), draw.below(5), draw.one(&Kind::ALL));
                if kind.holds(&chosen[x], &chosen[y]) {
                    facts.add(kind, x, y);
                }
            }
            facts.settle(&Budget::unlimited()).unwrap();
            assert_eq!(facts.refuted, None, "seed {seed}: {chosen:?}");
            for x in 0..5 {
                for y in 0..5 {
                    for kind in Kind::ALL.into_iter().filter(|&kind| facts.knows(kind, x, y)) {
                        assert!(kind.holds(&chosen[x], &chosen[y]), "seed {seed}: {kind:?} {chosen:?}");
                    }
                }
            }
        }
    }
}
