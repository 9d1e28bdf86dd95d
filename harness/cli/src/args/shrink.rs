//! What 'shrink' is told.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use harness_model::{Alphabet, Status};

use super::{Listing, cores, memory, time};
use crate::chosen;

/// Examples and statuses.
pub const EXAMPLE: &str = "\
Runs the strategies, finds the worst of what they show (a wrong verdict, a model that is none,
contrary verdicts, a crash, an error, a limit or 'unknown' where another one answers) and makes the
question smaller for as long as the same strategies show the same. --while and --ratio say what is
to be kept. Every candidate is run in worker processes under the limits and judged anew, without an
expected verdict. The result is SMT-LIB, or for expressions a pair of them with a configuration.

Exit status: 0 it is as small as it gets, or the budget is used up, which is said; 2 there is
nothing to shrink; 30 it was stopped, or the result does not show the fault every time. With --look:
10 for a wrong verdict or a disagreement, 11 for a model that does not satisfy the script, 0 for
every other fault and for none; which one it is stands after 'kept:'.

Example: harness shrink problem.smt2 --strategy z3 --strategy hybrid --out small.smt2
         harness shrink problem.smt2 --config solvers.yaml --strategy cvc5 --while cvc5=crash
         harness shrink problem.smt2 --ratio 20 --slow parray-qelim --fast z3 --budget 5m
         harness shrink out/run --task scripts/mine/a --out small.smt2
         harness shrink mine.yaml --task user/mine/ascii/product/A-B --out pair.yaml";

/// What 'shrink' is told.
#[derive(Debug, Args)]
pub struct ShrinkArgs {
    /// SMT-LIB script (- for standard input), directory that 'harness compare' made, or a configuration
    /// (.yaml)
    pub from: PathBuf,
    /// Task of the run or the configuration; may be left out where a run has one faulty task, or a
    /// configuration one task
    #[arg(long, value_name = "ID")]
    pub task: Option<String>,
    /// A strategy that takes part, by its name in the run or the configuration, or that of 'harness list
    /// strategies'; may be given several times. Without it, all of the configuration; of a run, those whose
    /// records show the worst fault
    #[arg(long, value_name = "NAME", add = crate::complete::strategies())]
    pub strategy: Vec<String>,
    /// Takes strategies and limits for a script from this configuration
    #[arg(long, value_name = "CONFIG", add = crate::complete::configs())]
    pub config: Option<PathBuf>,
    /// What is to be kept: that this strategy has this status (of results.csv, such as crash, timeout, wrong,
    /// unknown); may be given several times
    #[arg(long = "while", value_name = "NAME=STATUS", value_parser = condition)]
    pub conditions: Vec<(String, Status)>,
    /// What is to be kept: that --slow takes at least so many times what --fast takes
    #[arg(long, value_name = "R", value_parser = ratio, requires = "slow", requires = "fast", conflicts_with = "conditions")]
    pub ratio: Option<f64>,
    /// The slow strategy
    #[arg(long, value_name = "NAME", requires = "ratio")]
    pub slow: Option<String>,
    /// The fast strategy
    #[arg(long, value_name = "NAME", requires = "ratio")]
    pub fast: Option<String>,
    /// What --ratio compares: cpu (processor time), wall (time by the clock, for programs that wait), or the
    /// name of a counter, such as states
    #[arg(long, value_name = "MEASURE", default_value = "cpu", requires = "ratio")]
    pub measure: String,
    /// What the slow strategy takes at least, as a time or a count, so that noise does not decide; without it
    /// 50ms, or 1
    #[arg(long, value_name = "VALUE", requires = "ratio")]
    pub least: Option<String>,
    /// Characters that strings of a script are made of; without it unicode
    #[arg(long, value_name = "ALPHABET")]
    pub alphabet: Option<Alphabet>,
    /// Wall and CPU limit of each run of a strategy; without it that of the run or the configuration, or 10s
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub timeout: Option<Duration>,
    /// Memory limit; without it that of the run or the configuration, or 2GiB
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub memory: Option<u64>,
    /// How long the search may take; then the smallest question until then is the result
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "10m")]
    pub budget: Duration,
    /// How many candidates may be run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub tries: Option<u64>,
    /// How often the result has to show it when it is run again
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub confirm: u32,
    /// Tries changes that save about as much in an order drawn from this; with 0, in that of the text. What
    /// is found does not depend on the number of workers
    #[arg(long, value_name = "N", default_value = "0")]
    pub seed: u64,
    /// Worker processes at a time, at most one a core; without it all cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub workers: Option<u32>,
    /// Cores for the workers, such as 0,2-5; without it those that no other run has, from the first one on
    #[arg(long, value_name = "LIST", value_parser = cores)]
    pub cores: Option<Listing>,
    /// File for the result; without it, standard output. Of expressions, a configuration (.yaml): they are in
    /// files beside it that end in .txt and .smt2
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Only says what the strategies show, and shrinks nothing
    #[arg(long, conflicts_with = "out")]
    pub look: bool,
    /// Shows no progress
    #[arg(long)]
    pub no_progress: bool,
}

fn condition(text: &str) -> Result<(String, Status), String> {
    // Names of strategies with options may have the sign too.
    let (name, status) = text.rsplit_once('=').ok_or("NAME=STATUS is wanted")?;
    if name.is_empty() {
        return Err("the name of a strategy is missing before '='".to_owned());
    }
    Ok((name.to_owned(), chosen::status(status)?))
}

fn ratio(text: &str) -> Result<f64, String> {
    let ratio: f64 = text.parse().map_err(|_| format!("'{text}' is no number"))?;
    if ratio.is_finite() && ratio > 1.0 {
        Ok(ratio)
    } else {
        Err("a factor of more than 1 is wanted".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use harness_model::Verdict;

    use super::*;

    #[test]
    fn conditions_name_a_strategy_and_a_status() {
        assert_eq!(condition("z3=unsat"), Ok(("z3".to_owned(), Status::Answered(Verdict::Unsat))));
        assert_eq!(condition("a=b=crash"), Ok(("a=b".to_owned(), Status::Crash)));
        for (text, why) in [("z3", "is wanted"), ("=crash", "missing"), ("z3=crsh", "did you mean 'crash'?")]
        {
            assert!(condition(text).unwrap_err().contains(why), "{text}");
        }
        for bad in ["1", "0.5", "-3", "inf", "x"] {
            assert!(ratio(bad).is_err(), "{bad}");
        }
    }
}
