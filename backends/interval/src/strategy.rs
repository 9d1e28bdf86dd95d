//! The strategies and their names.

use backends_api::{BackendError, Budget, OptionSpec, Probe, StrategyInfo, Taken};
use backends_graph::interchange::{Prepared, Solution, prepare};
use backends_graph::rules::Counts;
use backends_graph::simplify::{Refuted, simplify};
use backends_graph::solution::assignment;
use backends_graph::strategy::GraphSolver;
use backends_graph::{GraphEvaluator, IntVertex, Options, Restoration, RuleSet, StringGraph, Values};
use harness_model::int::Int;
use harness_model::{Alphabet, SmtString};

use crate::analysis::analyse;
use crate::refine::Limits;
use crate::search::{SearchLimits, SearchResult, search};

const SOURCE: &str =
    "Li and Ghosh, PASS: String Solving with Parameterized Array and Interval Automaton, section 4, figure 4";

/// What all strategies of this crate say of themselves.
pub(crate) fn info(name: &str, summary: &str) -> StrategyInfo {
    StrategyInfo {
        name: name.to_owned(),
        backend: "interval",
        version: env!("CARGO_PKG_VERSION").to_owned(),
        summary: summary.to_owned(),
        source: SOURCE,
    }
}

/// What is done with a graph before its values are refined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Preprocessing {
    /// Equals are merged and constants folded; then the proved rules of string graphs refute it or say more,
    /// which refinement is told. PASS has no such rules.
    #[default]
    Rules,
    /// Equals are merged and constants folded, as for arrays alone.
    Plain,
}

impl Preprocessing {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Rules, Self::Plain];

    /// The name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rules => "sound",
            Self::Plain => "none",
        }
    }

    /// It as the option `rules` of a family.
    pub fn spec() -> OptionSpec {
        OptionSpec::choice(
            "rules",
            Self::ALL.map(Self::name),
            "the proved rules of string graphs before refinement, or none",
        )
        .paper("none")
    }

    /// What a family with this option was asked for.
    pub fn of(options: &backends_api::Options) -> Self {
        options.one_of("rules", &Self::ALL, Self::name)
    }
}

/// Preprocesses a graph; or which rule refutes it.
pub(crate) fn simplified(
    graph: &StringGraph,
    how: Preprocessing,
    budget: &Budget,
    probe: &Probe,
) -> Result<Result<Prepared, Refuted>, BackendError> {
    let mut counts = Counts::default();
    let prepared = probe.phase("preprocess", || match how {
        Preprocessing::Rules => prepare(graph, &Options::default(), &mut counts, budget),
        Preprocessing::Plain => {
            Ok(simplify(graph, RuleSet::Sound, &mut counts, budget)?.map(Prepared::without_rules))
        }
    });
    counts.report(probe);
    let prepared = prepared?;
    probe.count("refuted_by_preprocessing", u64::from(prepared.is_err()));
    Ok(prepared)
}

/// Judges values of a simplified graph by what they mean for the original one: many, with one evaluator.
struct Judge<'r> {
    restoration: &'r Restoration<'r>,
    evaluator: GraphEvaluator<'r>,
    /// How many were refused.
    refused: u64,
    /// Why some could not be judged.
    unjudged: Option<String>,
}

impl<'r> Judge<'r> {
    fn new(restoration: &'r Restoration<'r>, alphabet: Alphabet) -> Self {
        let evaluator = GraphEvaluator::new(restoration.problem(), alphabet);
        Self { restoration, evaluator, refused: 0, unjudged: None }
    }

    /// The values of the declared variables, if they satisfy the original graph.
    fn accept(&mut self, words: &[SmtString], numbers: &dyn Fn(IntVertex) -> Int) -> Option<Values> {
        let values = self.restoration.values(words, numbers);
        match self.evaluator.all_true(&assignment(self.restoration.problem(), values.clone())) {
            Ok(true) => return Some(values),
            Ok(false) => self.refused += 1,
            Err(error) => self.unjudged = Some(error.to_string()),
        }
        None
    }
}

/// Refinement, then concrete words from the automata, with the evaluator as judge.
#[derive(Clone, Debug, Default)]
pub struct AutomataOnly {
    /// Of refinement.
    pub limits: Limits,
    /// Of the search.
    pub search: SearchLimits,
    /// Before refinement.
    pub preprocessing: Preprocessing,
}

impl AutomataOnly {
    /// Which limit ended a search that tried so many values.
    fn exhausted(&self, tried: u64) -> String {
        let SearchLimits { widths, candidates, longer } = &self.search;
        if tried >= *candidates {
            return format!("no solution among {tried} values from the automata, the limit");
        }
        format!(
            "no solution among {tried} values from the automata: the limits are {} for a vertex and {longer} characters more than its \
             shortest word has",
            widths.iter().max().unwrap_or(&0)
        )
    }
}

impl GraphSolver for AutomataOnly {
    /// Phases: `preprocess`, `refine`, `solve`; counters: `candidates` (values tried), `refused` (by the
    /// evaluator), those of [`analyse`].
    fn solve(&self, graph: &StringGraph, budget: &Budget, probe: &Probe) -> Result<Solution, BackendError> {
        let prepared = match simplified(graph, self.preprocessing, budget, probe)? {
            Ok(prepared) => prepared,
            Err(refuted) => return Ok(Solution::Unsat(refuted.core)),
        };
        let analysis = probe.phase("refine", || analyse(&prepared, self.limits, budget, probe))?;
        if analysis.refuted {
            return Ok(Solution::Unsat(analysis.core()));
        }
        let mut refiner = analysis.refiner;
        let restoration = Restoration::new(graph, &prepared.simplified);
        let mut judge = Judge::new(&restoration, graph.alphabet());
        let mut accepted = None;
        let mut accept = |words: &[SmtString], numbers: &[Int]| {
            accepted = judge.accept(words, &|i| numbers.get(i.index()).cloned().unwrap_or(Int::ZERO));
            accepted.is_some()
        };
        let found = probe.phase("solve", || search(&mut refiner, &self.search, budget, &mut accept));
        let (found, tried) = found?;
        probe.count("candidates", tried);
        probe.count("refused", judge.refused);
        Ok(match (found, accepted, judge.unjudged) {
            (SearchResult::Yes, Some(values), _) => Solution::Sat(values),
            (SearchResult::No, _, None) => Solution::Unsat(None),
            (_, _, Some(why)) => Solution::Unknown(why),
            _ => Solution::Unknown(self.exhausted(tried)),
        })
    }

    /// Exactly where the automata of single words and the intervals of single numbers say everything; what
    /// relates two of them they only narrow.
    fn takes(&self, graph: &StringGraph, budget: &Budget) -> Result<Taken, BackendError> {
        let probe = Probe::new();
        let Ok(prepared) = simplified(graph, self.preprocessing, budget, &probe)? else {
            return Ok(Taken::Exactly);
        };
        let analysis = analyse(&prepared, self.limits, budget, &probe)?;
        let simple = &prepared.simplified.graph;
        let said = simple.edge_ids().all(|edge| analysis.refiner.is_absorbed(edge.index()));
        Ok(if analysis.refuted || said && simple.formulas().is_empty() {
            Taken::Exactly
        } else {
            Taken::Roughly
        })
    }
}
