//! The study's experiment as a strategy, for any algebra.
//!
//! What is timed follows the study (Hooimeijer, *Decision Procedures for String Constraints*, section 3.3):
//! reading the expressions and building their automata with epsilon moves is preparation; eliminating the
//! epsilon moves belongs to the operation. Phases `parse` and `build`, then `epsilon`, `product` or
//! `difference`, and `witness` where the automaton was built as a whole.

use backends_algebra::BooleanAlgebra;
use backends_api::{BackendError, Budget, Op, Probe, Run, Strategy, StrategyInfo, Treatment};
use backends_automata::{
    EpsilonSfa, Sfa, Tally, construct, difference, difference_witness, eliminate, intersection,
    intersection_witness, shortest_word,
};
use backends_input::{expressions, expressions_of};
use harness_model::{Alphabet, Answer, Operation, OperationKind, Outcome, Question, SmtString};

use crate::options::{Mode, SfaOptions};

/// Symbolic automata over algebras of type `A`.
pub struct SfaStrategy<A> {
    name: String,
    make: fn(Alphabet) -> A,
    options: SfaOptions,
}

impl<A: BooleanAlgebra> SfaStrategy<A> {
    /// A strategy of this name. `make` makes a fresh algebra for each question.
    pub fn new(name: impl Into<String>, make: fn(Alphabet) -> A, options: SfaOptions) -> Self {
        Self { name: name.into(), make, options }
    }
}

impl<A: BooleanAlgebra + 'static> Strategy for SfaStrategy<A> {
    fn info(&self) -> StrategyInfo {
        StrategyInfo {
            name: self.name.clone(),
            backend: "sfa",
            version: env!("CARGO_PKG_VERSION").to_owned(),
            summary: self.options.summary(A::NAME),
            source: "Hooimeijer, Decision Procedures for String Constraints, chapter 3",
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
        let (regexes, operations) = (asked.regexes(), asked.operations().to_vec());
        let named = |index| operations.iter().any(|o| [o.left, o.right].contains(&index));
        let mut automata = Vec::with_capacity(regexes.len());
        A::start(probe);
        let algebra = probe.phase("build", || {
            let algebra = (self.make)(asked.alphabet());
            for (index, regex) in regexes.iter().enumerate() {
                automata.push(named(index).then(|| construct(&algebra, regex, budget)).transpose()?);
            }
            Ok::<_, BackendError>(algebra)
        })?;

        if let Some(first) = operations.first() {
            let sizes = [
                (first.left, ["left_states", "left_epsilon_moves", "left_moves"]),
                (first.right, ["right_states", "right_epsilon_moves", "right_moves"]),
            ];
            for (operand, [states, epsilon_moves, moves]) in sizes {
                if let Some(sfa) = &automata[operand] {
                    probe.count(states, sfa.states() as u64);
                    probe.count(epsilon_moves, sfa.epsilon_moves() as u64);
                    probe.count(moves, sfa.moves() as u64);
                }
            }
        }
        let run = SfaRun { algebra, automata, operations, options: self.options, budget };
        Ok(systems.answered_by(Box::new(run)))
    }
}

struct SfaRun<'a, A: BooleanAlgebra> {
    algebra: A,
    /// Of the expressions that operations name.
    automata: Vec<Option<EpsilonSfa<A::Set>>>,
    operations: Vec<Operation>,
    options: SfaOptions,
    budget: &'a Budget,
}

impl<A: BooleanAlgebra> SfaRun<'_, A> {
    fn without_epsilons(&self, operand: usize, probe: &Probe) -> Result<Sfa<A::Set>, BackendError> {
        let sfa = self.automata.get(operand).and_then(Option::as_ref);
        let sfa = sfa.ok_or_else(|| BackendError::Internal(format!("expression {operand} was not built")))?;
        Ok(probe.phase("epsilon", || eliminate(&self.algebra, sfa, self.budget))?)
    }

    /// A word of the operation's language.
    fn word(
        &self,
        operation: Operation,
        probe: &Probe,
        tally: &mut Tally,
    ) -> Result<Option<SmtString>, BackendError> {
        let left = self.without_epsilons(operation.left, probe)?;
        let right = self.without_epsilons(operation.right, probe)?;
        let (algebra, budget, minterms) = (&self.algebra, self.budget, self.options.minterms);
        let word = match (operation.kind, self.options.mode) {
            (OperationKind::Product, Mode::Lazy(search)) => probe.phase("product", || {
                intersection_witness(algebra, &left, &right, search, budget, &mut *tally)
            }),
            (OperationKind::Difference, Mode::Lazy(search)) => probe.phase("difference", || {
                difference_witness(algebra, &left, &right, minterms, search, budget, &mut *tally)
            }),
            (kind, Mode::Eager) => {
                let whole = match kind {
                    OperationKind::Product => {
                        probe.phase("product", || intersection(algebra, &left, &right, budget, &mut *tally))
                    }
                    OperationKind::Difference => probe.phase("difference", || {
                        difference(algebra, &left, &right, minterms, budget, &mut *tally)
                    }),
                }?;
                probe.phase("witness", || shortest_word(algebra, &whole, budget))
            }
        }?;
        Ok(word)
    }
}

impl<A: BooleanAlgebra> Run for SfaRun<'_, A> {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        self.algebra.forget();
        let before = self.algebra.counters();
        let mut tally = Tally::default();
        let mut answers = Vec::with_capacity(self.operations.len());
        for &operation in &self.operations {
            let word = self.word(operation, probe, &mut tally);
            answers.push(word?.map_or(Answer::empty(), Answer::word));
        }
        probe.count("states", tally.states);
        probe.count("moves", tally.moves);
        probe.count("subsets", tally.subsets);
        for (name, value) in self.algebra.counters() {
            if name.ends_with("_nodes") {
                probe.peak(name, value);
            } else {
                let earlier = before.iter().find(|(n, _)| *n == name).map_or(0, |&(_, v)| v);
                probe.count(name, value.saturating_sub(earlier));
            }
        }
        Ok(Outcome { answers })
    }
}
