//! What a string-graph strategy did on a task, read from its record: phases `preprocess`, `string` and
//! `integer`, in none of which the start of Z3 (`start_z3`) is, counters `edges`, `edges_preprocessed`,
//! `interchanges`, `integer_constraints` and `refuted_by_preprocessing`. Of a script with several queries
//! each answer has some of these for itself, and any answer that the limit for a query ended is counted as
//! `out_of_time`.

use std::collections::BTreeMap;

use harness_model::run::StrategyRow;
use harness_model::{Answer, Status, Verdict};

use crate::dataset::{Dataset, Row, seconds};
use crate::strategy::{Kind, agree, option};

/// One of the two ways to solve string graphs that the study compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Approach {
    /// A finite automaton for each string.
    Automata,
    /// A bit-vector for each string.
    BitVectors,
}

impl Approach {
    /// Both, in the order of the tables.
    pub const ALL: [Self; 2] = [Self::Automata, Self::BitVectors];

    /// The name in published files and in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Automata => "automata",
            Self::BitVectors => "bit-vectors",
        }
    }

    /// The names with their values, for reading published files.
    pub fn names() -> [(&'static str, Self); 2] {
        Self::ALL.map(|approach| (approach.name(), approach))
    }
}

/// The approach that a strategy follows; `None` when it solves no string graph.
pub fn approach(strategy: &StrategyRow) -> Option<Approach> {
    match strategy.family.as_str() {
        "graph-automata" => Some(Approach::Automata),
        "graph-bitvector" => Some(Approach::BitVectors),
        _ => None,
    }
}

/// The strategies of each approach that are in the run, automata first, in the run's order.
pub fn strategies(dataset: &Dataset) -> Vec<(Approach, &str)> {
    let of = |wanted| {
        let rows = dataset.run.strategies.iter().filter(move |row| approach(row) == Some(wanted));
        rows.map(move |row| (wanted, row.name.as_str()))
    };
    Approach::ALL.into_iter().flat_map(of).collect()
}

/// Solving edge by edge under guessed lengths, as the study does: what the two approaches have in common.
const GUESSED: Kind = Kind::new("graph-automata", &[("languages", "guessed")]);
const EDGE_BY_EDGE: Kind = Kind::new("graph-bitvector", &[("mode", "edge-by-edge")]);

/// Strategies of the two approaches that differ in nothing else: each automata strategy with the bit-vector
/// strategy of the same rules, edge order and bound, one that refuses guesses as the study does with another
/// such one where the run has it.
pub fn pairs(dataset: &Dataset) -> Vec<(String, String)> {
    let of = |kind: Kind| dataset.run.strategies.iter().filter(move |row| kind.has(row));
    let mut pairs = Vec::new();
    for automata in of(GUESSED) {
        let twins = || {
            of(EDGE_BY_EDGE).filter(|twin| agree(automata, twin, &["rules", "order", "max", "check-limit"]))
        };
        let takes_all = |row| option(row, "refusals") == Some("taken");
        let alike = twins().find(|twin| takes_all(twin) == takes_all(automata));
        let twin = alike.or_else(|| twins().next());
        pairs.extend(twin.map(|twin| (automata.name.clone(), twin.name.clone())));
    }
    pairs
}

/// Automata as the study has them, rather than as we improved them; the second as earlier runs have them.
const PUBLISHED: [Kind; 2] = [
    Kind::new("graph-automata", &[("negatives", "first-words"), ("refusals", "taken")]),
    Kind::new("graph-automata", &[("negatives", "first-words"), ("refusals", "connected")]),
];

/// What claims about the two approaches are tested on: the first pair of the run with automata as the study
/// has them, or else the first one.
///
/// # Errors
///
/// When the run has no pair.
pub fn first_pair(dataset: &Dataset) -> Result<(String, String), String> {
    let pairs = pairs(dataset);
    let is_published = |(automata, _): &&(String, String)| is_published(dataset, automata);
    pairs.iter().find(is_published).or_else(|| pairs.first()).cloned().ok_or_else(|| {
        "the run does not have both approaches with the same rules, edge order, bound and limit".to_owned()
    })
}

/// Whether a strategy is the automata of the study.
fn is_published(dataset: &Dataset, strategy: &str) -> bool {
    dataset.strategy(strategy).is_some_and(|row| PUBLISHED.iter().any(|kind| kind.has(row)))
}

/// One record of a string-graph strategy.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The record with its judgement.
    pub row: &'a Row,
    /// By which approach.
    pub approach: Approach,
    /// How many `check-sat`s the task has.
    pub asked: u64,
}

impl<'a> Run<'a> {
    /// All of them, by task, strategy and repeat.
    pub fn all(dataset: &'a Dataset) -> impl Iterator<Item = Self> + 'a {
        dataset.rows().iter().filter_map(|row| Self::of(dataset, row))
    }

    /// The one of a row; `None` when its strategy solves no string graph.
    pub fn of(dataset: &Dataset, row: &'a Row) -> Option<Self> {
        let asked = dataset.task(row.task()).map_or(1, |task| task.question.asked() as u64);
        Some(Self { row, approach: approach(dataset.strategy(row.strategy())?)?, asked })
    }

    /// A counter; 0 when it was not reported.
    pub fn counter(&self, name: &str) -> u64 {
        self.row.record.counters.get(name).copied().unwrap_or(0)
    }

    /// Milliseconds of a phase; 0 when the run never came to it.
    pub fn phase_ms(&self, name: &str) -> f64 {
        self.row.phase_s(name).unwrap_or(0.0) * 1e3
    }

    /// Whether preprocessing alone refuted it.
    pub fn is_refuted(&self) -> bool {
        self.counter("refuted_by_preprocessing") >= self.asked
    }

    /// Satisfiable or not; within a bound counts as not, as the study counts. `None` when it is not solved.
    pub fn is_sat(&self) -> Option<bool> {
        match self.row.status() {
            Status::Answered(Verdict::Sat) => Some(true),
            Status::Answered(Verdict::Unsat | Verdict::UnsatWithinBound) => Some(false),
            _ => None,
        }
    }

    /// How often the string solver refused what the integer solver had guessed.
    pub fn refusals(&self) -> u64 {
        self.counter("interchanges")
            .saturating_sub(self.asked - self.counter("refuted_by_preprocessing").min(self.asked))
    }

    /// Whether the string solver was ever asked: the integers were satisfiable at least once.
    pub fn has_guess(&self) -> bool {
        self.is_sat() == Some(true) || self.refusals() > 0
    }
}

/// What became of a path condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A verdict, `sat` or not; of several together, that all have one.
    Solved(bool),
    /// A limit of time ended it.
    Late,
    /// Another end, or an answer that is wrong.
    Other,
}

/// What a run did on one path condition, or on all those of a script where its record does not tell them
/// apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Which query it is, of a script with several; `None` for all of them.
    pub place: Option<usize>,
    /// How many path conditions it is.
    pub asked: u64,
    /// What became of it.
    pub fate: Fate,
    /// Milliseconds in the string solver.
    pub string_ms: f64,
    /// Milliseconds in the integer solver.
    pub integer_ms: f64,
    /// How often the string solver refused what the integer solver had guessed.
    pub refusals: u64,
    /// How many preprocessing alone refuted.
    pub refuted: u64,
}

/// The counter of an answer that the limit for a query ended.
const OUT_OF_TIME: &str = "out_of_time";

impl Run<'_> {
    /// The run by path conditions.
    pub fn parts(&self) -> Vec<Part> {
        let answers = &self.row.record.answers;
        let tells = |answer: &&Answer| TOLD.iter().any(|name| answer.counters.contains_key(*name));
        let is_answered = matches!(self.row.status(), Status::Answered(_));
        if self.asked > 1 && is_answered && answers.iter().any(|answer| tells(&answer)) {
            return answers.iter().enumerate().map(|(place, answer)| part_of(place, answer)).collect();
        }
        let is_late = |answer: &Answer| answer.counters.contains_key(OUT_OF_TIME);
        let fate = match (self.row.status(), self.is_sat()) {
            (Status::Timeout, _) => Fate::Late,
            (_, Some(is_sat)) => Fate::Solved(is_sat),
            (Status::Answered(_), None) if answers.iter().any(is_late) => Fate::Late,
            (_, None) => Fate::Other,
        };
        let refuted = self.counter("refuted_by_preprocessing");
        vec![Part {
            place: None,
            asked: self.asked,
            fate,
            string_ms: self.phase_ms("string"),
            integer_ms: self.phase_ms("integer"),
            refusals: self.refusals(),
            refuted,
        }]
    }
}

/// Counters of an answer, one of which each answer of a script with several queries has.
const TOLD: [&str; 3] = ["interchanges", "refuted_by_preprocessing", OUT_OF_TIME];

fn part_of(place: usize, answer: &Answer) -> Part {
    let count = |name: &str| answer.counters.get(name).copied().unwrap_or(0);
    let ms = |name: &str| seconds(count(name)) * 1e3;
    let refuted = count("refuted_by_preprocessing").min(1);
    let fate = match answer.verdict {
        _ if count(OUT_OF_TIME) > 0 => Fate::Late,
        Verdict::Sat => Fate::Solved(true),
        Verdict::Unsat | Verdict::UnsatWithinBound => Fate::Solved(false),
        Verdict::Unknown | Verdict::Empty | Verdict::Nonempty => Fate::Other,
    };
    Part {
        place: Some(place),
        asked: 1,
        fate,
        string_ms: ms("string_ns"),
        integer_ms: ms("integer_ns"),
        refusals: count("interchanges").saturating_sub(1 - refuted),
        refuted,
    }
}

/// Whether tasks are satisfiable, where any strategy found out and nothing contradicts it.
pub fn truths(dataset: &Dataset) -> BTreeMap<&str, bool> {
    let mut truths = BTreeMap::new();
    for row in dataset.rows() {
        match row.status() {
            Status::Answered(Verdict::Sat) => {
                truths.insert(row.task(), true);
            }
            Status::Answered(Verdict::Unsat) => {
                truths.entry(row.task()).or_insert(false);
            }
            _ => {}
        }
    }
    truths
}
