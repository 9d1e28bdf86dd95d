//! Which variables of a component are tried and which computed, in which order, and what is checked when.
//!
//! A component is a set of variables that conjuncts tie together; components are independent. In each, an
//! equation `x = t` whose right side is known fixes x, and a conjunct is checked as soon as its last variable
//! has a value. The variables to try and their order are those for which the fewest assignments are expected
//! to be tried: a shortest path in the lattice of sets of variables, for how many assignments get past the
//! checks depends on the set alone.

use harness_theory::op::{CoreOp, Op, StrOp};
use harness_theory::term::{Term, TermId};

use crate::domain::Outline;
use crate::problem::{Definition, Parts, Set, members};

/// Components with more variables are planned greedily.
const EXHAUSTIVE: u32 = 9;

/// An equation is expected to hold once in so many times.
const EQUATION: f64 = 16.0;

/// What can be evaluated once some variables have values: checks first, then values of further variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stage {
    pub(crate) checks: Vec<TermId>,
    /// Places of variables, with the term whose value they get.
    pub(crate) computed: Vec<(usize, TermId)>,
    /// For each check, and then for each computed variable, the tried variables that it depends on.
    pub(crate) supports: Vec<Set>,
}

/// A variable to try, and what follows from its value. The first level of a plan has no variable.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub(crate) tried: Option<usize>,
    pub(crate) stages: Vec<Stage>,
}

/// How to search a component.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) levels: Vec<Level>,
    /// The variables that are tried.
    pub(crate) base: Set,
}

/// The components, as sets of variables with the indices of their conjuncts. Conjuncts without variables make
/// one of their own.
pub(crate) fn components(parts: &Parts<'_>) -> Vec<(Set, Vec<usize>)> {
    let mut all: Vec<(Set, Vec<usize>)> = Vec::new();
    for (index, &conjunct) in parts.conjuncts.iter().enumerate() {
        let mut joined = (parts.set(conjunct), vec![index]);
        let meets = |set: Set, other: Set| set & other != 0 || (set == 0 && other == 0);
        let (touching, apart): (Vec<_>, Vec<_>) = all.into_iter().partition(|(set, _)| meets(*set, joined.0));
        for (set, indices) in touching {
            joined.0 |= set;
            joined.1.extend(indices);
        }
        joined.1.sort_unstable();
        all = apart;
        all.push(joined);
    }
    all
}

/// The variables that have values once those of `known` have.
fn closure(mut known: Set, definitions: &[&Definition]) -> Set {
    loop {
        let before = known;
        for d in definitions {
            if d.needs & !known == 0 {
                known |= 1 << d.variable;
            }
        }
        if known == before {
            return known;
        }
    }
}

/// A component with what is needed to choose an order.
struct Chooser<'a> {
    component: Set,
    definitions: &'a [&'a Definition],
    outlines: &'a [Outline],
    /// The variables of each conjunct, and how often it is expected to hold.
    checks: Vec<(Set, f64)>,
}

/// How many domains are too large, how many are incomplete, how many assignments are expected to be tried.
type Cost = (usize, usize, f64);

fn less(a: Cost, b: Cost) -> bool {
    a.partial_cmp(&b) == Some(std::cmp::Ordering::Less)
}

impl Chooser<'_> {
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn count(&self, place: usize) -> f64 {
        self.outlines[place].count.unwrap_or(u64::MAX).max(1) as f64
    }

    /// The assignments of the variables of `tried` that are expected to get past all checks.
    fn survivors(&self, tried: Set) -> f64 {
        let known = closure(tried, self.definitions);
        let all: f64 = members(tried).map(|p| self.count(p)).product();
        let held: f64 =
            self.checks.iter().filter(|(set, _)| set & !known == 0).map(|(_, share)| share).product();
        // An equation that computes a variable does not sort out anything.
        let computed = i32::try_from((known & !tried & self.component).count_ones()).unwrap_or(0);
        all * held * EQUATION.powi(computed)
    }

    /// The cost of trying `place` when those of `tried` have values.
    fn step(&self, tried: Set, place: usize) -> Cost {
        let outline = &self.outlines[place];
        let assignments = self.survivors(tried) * self.count(place);
        (usize::from(outline.count.is_none()), usize::from(!outline.complete), assignments)
    }

    /// The cheapest order: over all sets of variables, smaller ones first.
    fn best(&self) -> Vec<usize> {
        let places: Vec<usize> = members(self.component).collect();
        let set_of = |bits: usize| {
            places.iter().enumerate().filter(|(i, _)| bits & 1 << i != 0).map(|(_, p)| 1 << p).sum::<Set>()
        };
        let mut best: Vec<Option<(Cost, usize)>> = vec![None; 1 << places.len()];
        best[0] = Some(((0, 0, 0.0), 0));
        let mut goal: Option<(Cost, usize)> = None;
        for bits in 0..best.len() {
            let Some((cost, _)) = best[bits] else { continue };
            let tried = set_of(bits);
            let known = closure(tried, self.definitions);
            if known & self.component == self.component {
                if goal.is_none_or(|(least, _)| less(cost, least)) {
                    goal = Some((cost, bits));
                }
                continue;
            }
            for (i, &place) in places.iter().enumerate().filter(|(_, p)| known & 1 << **p == 0) {
                let step = self.step(tried, place);
                let sum = (cost.0 + step.0, cost.1 + step.1, cost.2 + step.2);
                let next = bits | 1 << i;
                if best[next].is_none_or(|(least, _)| less(sum, least)) {
                    best[next] = Some((sum, i));
                }
            }
        }
        let mut order = Vec::new();
        let mut bits = goal.map_or(0, |(_, bits)| bits);
        while let (true, Some((_, last))) = (bits != 0, best[bits]) {
            order.push(places[last]);
            bits &= !(1 << last);
        }
        order.reverse();
        order
    }

    /// For large components: variables without which the others would not follow, each time the cheapest next
    /// one.
    fn greedy(&self) -> Vec<usize> {
        let enough = |base: Set| closure(base, self.definitions) & self.component == self.component;
        let by_cost = |tried: Set| {
            move |a: &usize, b: &usize| {
                let (a, b) = (self.step(tried, *a), self.step(tried, *b));
                a.partial_cmp(&b).unwrap_or(std::cmp::Ordering::Equal)
            }
        };
        let mut worst_first: Vec<usize> = members(self.component).collect();
        worst_first.sort_by(by_cost(0));
        let base = worst_first.into_iter().rev().fold(self.component, |base, place| {
            let without = base & !(1 << place);
            if enough(without) { without } else { base }
        });
        let (mut order, mut tried): (Vec<usize>, Set) = (Vec::new(), 0);
        let after = |tried: Set, place: &usize| self.survivors(tried | 1 << place);
        while let Some(next) =
            members(base & !tried).min_by(|a, b| after(tried, a).total_cmp(&after(tried, b)))
        {
            order.push(next);
            tried |= 1 << next;
        }
        order
    }
}

/// How often a conjunct is expected to hold.
#[allow(clippy::wildcard_enum_match_arm, reason = "an estimate of the work, never of the answer")]
fn share(parts: &Parts<'_>, conjunct: TermId) -> f64 {
    match parts.terms.get(conjunct) {
        Term::App(Op::Core(CoreOp::Eq), _) => 1.0 / EQUATION,
        Term::App(Op::Core(CoreOp::Not), _) => 0.9,
        Term::App(Op::Str(StrOp::PrefixOf | StrOp::SuffixOf | StrOp::Contains | StrOp::InRe), _) => 0.3,
        _ => 0.5,
    }
}

impl Plan {
    /// A plan for a component of [`components`].
    pub(crate) fn new(parts: &Parts<'_>, component: Set, conjuncts: &[usize], outlines: &[Outline]) -> Self {
        let definitions: Vec<&Definition> =
            parts.definitions.iter().filter(|d| component & (1 << d.variable) != 0).collect();
        let of = |&index: &usize| (parts.set(parts.conjuncts[index]), share(parts, parts.conjuncts[index]));
        let checks = conjuncts.iter().map(of).collect();
        let chooser = Chooser { component, definitions: &definitions, outlines, checks };
        let order = if component.count_ones() <= EXHAUSTIVE { chooser.best() } else { chooser.greedy() };
        let base = order.iter().map(|place| 1 << place).sum::<Set>();
        // What a domain's values were filtered by need not be checked again.
        let filtered = |index: &usize| {
            let set = parts.set(parts.conjuncts[*index]);
            set.count_ones() == 1 && set & base != 0
        };
        let mut progress = Progress {
            parts,
            definitions: &definitions,
            known: 0,
            open: conjuncts.iter().copied().filter(|i| !filtered(i)).collect(),
            supports: vec![0; parts.variables.len()],
        };
        let mut levels = vec![Level { tried: None, stages: progress.stages() }];
        for place in order {
            progress.known |= 1 << place;
            progress.supports[place] = 1 << place;
            levels.push(Level { tried: Some(place), stages: progress.stages() });
        }
        Self { levels, base }
    }
}

/// What is known as a plan is laid out.
struct Progress<'a> {
    parts: &'a Parts<'a>,
    definitions: &'a [&'a Definition],
    known: Set,
    /// Conjuncts still to be checked.
    open: Vec<usize>,
    /// For each known variable, the tried ones that its value depends on.
    supports: Vec<Set>,
}

impl Progress<'_> {
    fn support(&self, set: Set) -> Set {
        members(set).fold(0, |all, place| all | self.supports[place])
    }

    /// Everything that follows from what is known, which grows by the variables that are computed.
    fn stages(&mut self) -> Vec<Stage> {
        let mut stages = Vec::new();
        loop {
            let known = self.known;
            let mut stage = Stage::default();
            let mut now: Set = 0;
            for d in self.definitions {
                let bit = 1 << d.variable;
                if d.needs & !known == 0 && (known | now) & bit == 0 {
                    now |= bit;
                    self.supports[d.variable] = self.support(d.needs);
                    stage.computed.push((d.variable, d.term));
                    // Computed by it, the variable satisfies it.
                    self.open.retain(|&index| Some(index) != d.whole);
                }
            }
            let parts = self.parts;
            let (settled, open): (Vec<usize>, Vec<usize>) =
                self.open.iter().partition(|&&index| parts.set(parts.conjuncts[index]) & !known == 0);
            self.open = open;
            stage.checks = settled.iter().map(|&index| parts.conjuncts[index]).collect();
            if stage == Stage::default() {
                return stages;
            }
            let of_checks = stage.checks.iter().map(|&check| self.support(parts.set(check)));
            stage.supports =
                of_checks.chain(stage.computed.iter().map(|(place, _)| self.supports[*place])).collect();
            self.known |= now;
            stages.push(stage);
        }
    }
}

#[cfg(test)]
mod tests {
    use harness_model::Alphabet;

    use super::*;
    use crate::characters::characters;
    use crate::domain::Named;
    use crate::ranges::{languages, ranges};
    use crate::strategy::Bounds;

    /// For each component: names of the variables that are tried, in order, and how many checks each level
    /// has.
    fn plans(text: &str) -> Vec<Vec<(String, usize)>> {
        let problem = harness_smtlib::read(text.as_bytes()).unwrap().queries.remove(0).problem;
        let parts = Parts::of(&problem, Alphabet::Ascii).unwrap();
        let languages = languages(&parts);
        let (ranges, characters) = (ranges(&parts, &languages), characters(&parts, &languages));
        let named = Named::of(&parts);
        let outlines: Vec<Outline> = (0..parts.variables.len())
            .map(|p| Outline::new(parts.sort(p), ranges[p], &characters[p], &named, &Bounds::DEFAULT))
            .collect();
        components(&parts)
            .into_iter()
            .map(|(set, conjuncts)| {
                let plan = Plan::new(&parts, set, &conjuncts, &outlines);
                let checks = |level: &Level| level.stages.iter().map(|s| s.checks.len()).sum();
                plan.levels
                    .iter()
                    .map(|l| (l.tried.map_or(String::new(), |p| parts.name(p).to_owned()), checks(l)))
                    .collect()
            })
            .collect()
    }

    const SMALL: &str =
        "(declare-const s String)(declare-const t String)(declare-const u String)(declare-const i Int)
        (define-fun ok ((x String)) Bool (and (<= (str.len x) 3) (str.in_re x (re.* (re.range \"a\" \"b\")))))
        (assert (ok s))(assert (ok t))(assert (ok u))";

    #[test]
    fn results_of_functions_are_computed() {
        let text = format!("{SMALL}(assert (= u (str.++ s t)))(assert (= i (str.len u)))(check-sat)");
        // s and t are tried; u and i are computed, and the two bounds of u are checked.
        let [plan] = plans(&text).try_into().unwrap();
        assert_eq!(plan, [("".into(), 0), ("s".into(), 0), ("t".into(), 2)]);
    }

    #[test]
    fn a_variable_between_two_parts_is_tried_first() {
        let text = format!(
            "{SMALL}(assert (= i (str.indexof s t 0)))(assert (= i (str.indexof u \"a\" 0)))(assert (not (= s t)))(check-sat)"
        );
        let [plan] = plans(&text).try_into().unwrap();
        let tried: Vec<&str> = plan.iter().map(|(name, _)| name.as_str()).collect();
        assert!(tried == ["", "u", "s", "t"] || tried == ["", "i", "u", "s", "t"], "{plan:?}");
    }

    #[test]
    fn what_is_not_tied_together_is_searched_apart() {
        let text =
            format!("{SMALL}(assert (str.prefixof s t))(assert (= u \"ab\"))(assert (= 1 2))(check-sat)");
        let mut all = plans(&text);
        all.sort();
        let one_check = vec![("".into(), 1)];
        // u is "ab", which its two bounds are checked for.
        let two_checks = vec![("".into(), 2)];
        assert_eq!(all, [vec![("".into(), 0), ("s".into(), 0), ("t".into(), 1)], one_check, two_checks]);
    }

    #[test]
    fn a_circle_of_definitions_needs_a_start() {
        let text = format!("{SMALL}(assert (= s (str.++ t \"\")))(assert (= t (str.++ s \"\")))(check-sat)");
        let all = plans(&text);
        let tied = all.iter().find(|p| p.len() > 1 && p[1].0 != "u").unwrap();
        assert_eq!(tied.len(), 2);
    }
}
