//! Which variables of a component are tried and which computed, in which order, and what is checked when.
//!
//! A component is a set of variables that conjuncts tie together; components are independent. In each, as few and as
//! small domains as possible are tried; an equation `x = t` whose right side is known fixes x. A conjunct is checked as
//! soon as its last variable has a value.

use harness_model::term::TermId;

use crate::domain::Outline;
use crate::problem::{Definition, Parts, Set, members};

/// Components with more variables are planned greedily.
const EXHAUSTIVE: u32 = 8;

/// What can be evaluated once some variables have values: checks first, then values of further variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stage {
    pub(crate) checks: Vec<TermId>,
    /// Places of variables, with the term whose value they get.
    pub(crate) computed: Vec<(usize, TermId)>,
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

/// The components, as sets of variables with the indices of their conjuncts. Conjuncts without variables make one of
/// their own.
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

/// What trying the variables of `base` costs: how many domains are too large, how many incomplete, and the logarithm of
/// the number of combinations.
fn cost(base: Set, outlines: &[Outline]) -> (usize, usize, f64) {
    let mut cost = (0, 0, 0.0);
    for place in members(base) {
        let outline = &outlines[place];
        cost.0 += usize::from(outline.count.is_none());
        cost.1 += usize::from(!outline.complete);
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let count = outline.count.unwrap_or(u64::MAX) as f64;
        cost.2 += count.max(1.0).log2();
    }
    cost
}

/// The cheapest set of variables from which all of `component` follow; for large components, one that has none to spare.
fn base(component: Set, definitions: &[&Definition], outlines: &[Outline]) -> Set {
    let enough = |base: Set| closure(base, definitions) & component == component;
    let places: Vec<usize> = members(component).collect();
    if component.count_ones() <= EXHAUSTIVE {
        let subset = |bits: u64| members(bits).map(|i| 1 << places[i]).sum::<Set>();
        let all = (0..1_u64 << places.len()).map(subset).filter(|&b| enough(b));
        let best = all.min_by(|&a, &b| {
            cost(a, outlines).partial_cmp(&cost(b, outlines)).unwrap_or(std::cmp::Ordering::Equal)
        });
        return best.unwrap_or(component);
    }
    let mut worst_first = places;
    worst_first.sort_by(|&a, &b| {
        cost(1 << b, outlines).partial_cmp(&cost(1 << a, outlines)).unwrap_or(std::cmp::Ordering::Equal)
    });
    worst_first.into_iter().fold(component, |base, place| {
        let without = base & !(1 << place);
        if enough(without) { without } else { base }
    })
}

impl Plan {
    /// A plan for a component of [`components`].
    pub(crate) fn new(parts: &Parts<'_>, component: Set, conjuncts: &[usize], outlines: &[Outline]) -> Self {
        let definitions: Vec<&Definition> =
            parts.definitions.iter().filter(|d| component & (1 << d.variable) != 0).collect();
        let base = base(component, &definitions, outlines);
        let mut plan = Self { levels: Vec::new(), base };
        // What a domain's values were filtered by need not be checked again.
        let filtered = |index: &usize| {
            let set = parts.set(parts.conjuncts[*index]);
            set.count_ones() == 1 && set & base != 0
        };
        let mut open: Vec<usize> = conjuncts.iter().copied().filter(|i| !filtered(i)).collect();
        let mut known: Set = 0;
        let mut left = base;
        plan.levels.push(Level { tried: None, stages: stages(parts, &definitions, &mut known, &mut open) });
        while left != 0 {
            // The variable whose value settles most conjuncts; among equals, the one with the fewest values.
            let settled = |place: usize| {
                let known = closure(known | 1 << place, &definitions);
                open.iter().filter(|&&i| parts.set(parts.conjuncts[i]) & !known == 0).count()
            };
            let count = |place: usize| outlines[place].count.unwrap_or(u64::MAX);
            let Some(next) =
                members(left).min_by_key(|&p| (settled(p) == 0, count(p), usize::MAX - settled(p)))
            else {
                break;
            };
            known |= 1 << next;
            left &= !(1 << next);
            let stages = stages(parts, &definitions, &mut known, &mut open);
            plan.levels.push(Level { tried: Some(next), stages });
        }
        plan
    }
}

/// Everything that follows from `known`, which grows by the variables that are computed; `open` are the conjuncts still
/// to be checked.
fn stages(
    parts: &Parts<'_>,
    definitions: &[&Definition],
    known: &mut Set,
    open: &mut Vec<usize>,
) -> Vec<Stage> {
    let mut stages = Vec::new();
    loop {
        let mut stage = Stage::default();
        let mut now: Set = 0;
        for d in definitions {
            let bit = 1 << d.variable;
            if d.needs & !*known == 0 && (*known | now) & bit == 0 {
                now |= bit;
                stage.computed.push((d.variable, d.term));
                // Computed by it, the variable satisfies it.
                open.retain(|&index| Some(index) != d.whole);
            }
        }
        open.retain(|&index| {
            let settled = parts.set(parts.conjuncts[index]) & !*known == 0;
            if settled {
                stage.checks.push(parts.conjuncts[index]);
            }
            !settled
        });
        if stage == Stage::default() {
            return stages;
        }
        *known |= now;
        stages.push(stage);
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

    /// For each component: names of the variables that are tried, in order, and how many checks each level has.
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
        let text = format!(
            "{SMALL}(assert (= u (str.++ s t)))(assert (= i (str.len u)))(assert (> i 2))(check-sat)"
        );
        // s and t are tried; u is computed, and its two bounds and that of i are checked.
        let [plan] = plans(&text).try_into().unwrap();
        assert_eq!(plan, [("".into(), 0), ("s".into(), 0), ("t".into(), 3)]);
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
