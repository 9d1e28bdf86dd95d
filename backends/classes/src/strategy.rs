//! The strategies that this crate offers.

use backends_api::{BackendError, Budget, Op, Probe, Run, Strategy, StrategyInfo, Treatment};
use backends_input::{Expressions, expressions, expressions_of};
use harness_model::{Alphabet, Answer, OperationKind, Outcome, Question, Regex, SmtString};

use crate::difference::difference;
use crate::family::ClassesFamily;
use crate::glushkov;
use crate::intersection::intersection;
use crate::partition::{Partition, SetTable};
use crate::search::{Effort, Order};
use crate::subset::SubsetAutomaton;

/// Symbol classes and position automata, searched in one of several orders.
///
/// Phases: `parse` in `prepare`; `classes`, `build`, `product` and `difference` in `run`. Counters:
/// `classes`, `positions` and `moves` of the automata, `states` and `transitions` of the searches, `subsets`
/// of lazy determinisation, `pruned` of antichains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes {
    /// How products and differences are searched.
    pub order: Order,
    /// Whether differences are pruned by antichains.
    pub antichain: bool,
}

impl Classes {
    /// The best all-round choice: `classes-lazy`.
    pub const LAZY: Self = Self { order: Order::DepthFirst, antichain: false };
    /// `classes-lazy-antichain`: breadth first, for right sides that determinise badly. Shortest witnesses.
    pub const ANTICHAIN: Self = Self { order: Order::BreadthFirst, antichain: true };
    /// `classes-lazy-bfs`: shortest witnesses.
    pub const BREADTH_FIRST: Self = Self { order: Order::BreadthFirst, antichain: false };
    /// `classes-eager`
    pub const EAGER: Self = Self { order: Order::Eager, antichain: false };

    /// All that are listed.
    pub const ALL: [Self; 4] = [Self::LAZY, Self::ANTICHAIN, Self::BREADTH_FIRST, Self::EAGER];

    /// Answers operations on expressions that were read: everything that [`Run::run`] does.
    pub fn answer(
        self,
        asked: &Expressions,
        budget: &Budget,
        probe: &Probe,
    ) -> Result<Outcome, BackendError> {
        let (alphabet, regexes) = (asked.alphabet(), asked.regexes());
        let (table, partition) = probe.phase("classes", || classes(regexes, alphabet, budget))?;
        let automata = probe.phase("build", || {
            regexes
                .iter()
                .map(|r| glushkov::build(r, &table, &partition, budget))
                .collect::<Result<Vec<_>, _>>()
        })?;
        let mut subsets: Vec<Option<SubsetAutomaton<'_>>> = automata.iter().map(|_| None).collect();
        let mut effort = Effort::default();
        let mut answers = Vec::with_capacity(asked.operations().len());
        for operation in asked.operations() {
            let (left, right) = (&automata[operation.left], &automata[operation.right]);
            let word = probe.phase(operation.kind.name(), || match operation.kind {
                OperationKind::Product => intersection(left, right, self.order, budget, &mut effort),
                OperationKind::Difference => {
                    let right = subsets[operation.right]
                        .get_or_insert_with(|| SubsetAutomaton::new(right, partition.len()));
                    difference(left, right, self.order, self.antichain, budget, &mut effort)
                }
            })?;
            answers.push(word.map_or_else(Answer::empty, |classes| {
                Answer::word(classes.iter().map(|&c| partition.representative(c)).collect::<SmtString>())
            }));
        }
        probe.count("classes", partition.len() as u64);
        probe.count("positions", automata.iter().map(|a| u64::from(a.states()) - 1).sum());
        probe.count("moves", automata.iter().map(|a| a.moves() as u64).sum());
        probe.count("states", effort.states);
        probe.count("transitions", effort.transitions);
        probe.count("subsets", subsets.iter().flatten().map(|s| u64::from(s.states())).sum());
        if self.antichain {
            probe.count("pruned", effort.pruned);
        }
        Ok(Outcome { answers })
    }

    fn summary(self) -> &'static str {
        match (self.order, self.antichain) {
            (Order::DepthFirst, false) => "symbol classes, position automata, lazy search depth first",
            (Order::DepthFirst, true) => {
                "classes-lazy with antichain pruning, which gains little depth first"
            }
            (Order::BreadthFirst, false) => "classes-lazy breadth first: shortest witnesses",
            (Order::BreadthFirst, true) => {
                "classes-lazy-bfs with antichains: for differences from what determinises badly"
            }
            (Order::Eager, false) => {
                "symbol classes, position automata, the whole result built before emptiness"
            }
            (Order::Eager, true) => "classes-eager; antichains do not apply to it",
        }
    }
}

/// The sets of `regexes` and the classes that they make.
pub fn classes<'a>(
    regexes: &'a [Regex],
    alphabet: Alphabet,
    budget: &Budget,
) -> Result<(SetTable<'a>, Partition), BackendError> {
    let mut table = SetTable::new();
    for regex in regexes {
        table.add(regex);
    }
    let partition = Partition::new(&table, alphabet, budget)?;
    Ok((table, partition))
}

impl Strategy for Classes {
    fn info(&self) -> StrategyInfo {
        StrategyInfo {
            name: ClassesFamily::name_of(*self),
            backend: "classes",
            version: env!("CARGO_PKG_VERSION").to_owned(),
            summary: self.summary().to_owned(),
            source: "Glushkov 1961; Rabin and Scott 1959; De Wulf et al., CAV 2006 (antichains)",
        }
    }

    fn operation(&self, op: Op) -> Option<Treatment> {
        expressions::treatment(op)
    }

    fn prepare<'a>(
        &'a self,
        question: &'a Question,
        budget: &'a Budget,
        probe: &Probe,
    ) -> Result<Box<dyn Run + 'a>, BackendError> {
        let asked = expressions_of(question, probe)?;
        let systems = asked.systems();
        Ok(systems.answered_by(Box::new(Prepared { strategy: *self, asked, budget })))
    }
}

struct Prepared<'a> {
    strategy: Classes,
    asked: Expressions,
    budget: &'a Budget,
}

impl Run for Prepared<'_> {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        self.strategy.answer(&self.asked, self.budget, probe)
    }
}
