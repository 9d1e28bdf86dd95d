//! What 'submit' and 'status' are told.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use harness_store::Shard;

/// What is made, and an example.
pub const EXAMPLE: &str = "\
DIR gets job.sh, a script that makes one shard of the study (a task of a job array), merge.sh,
which puts the shards together, and submit.json, which 'harness status DIR' reads. With slurm both
are submitted with sbatch: the array first, then the merge, which waits for it. Cores and memory
of a task are those of the workers and the limits. The same command again submits those shards
that are neither complete, nor running, nor in the queue: after a node was lost, a job was
cancelled or its time was over. The reports of the whole are in DIR/merged. This program, the
configuration, its files and DIR have to be where the nodes see them, by the same paths. Where
there is no sbatch, the scripts are written all the same, and the status is 2.

Example: harness submit --engine slurm study.yaml --out /shared/study --shards 20 --time 4:00:00
         harness submit --engine local study.yaml --out out/study --shards 4";

/// What is shown, and an example.
pub const STATUS_EXAMPLE: &str = "\
Shards are waiting, running, complete, failed (ended with an error) or killed (ended from
outside). What they are is read from their own records, and asked of squeue and sacct where these
are. Exit status: 0 all shards are complete and merged; 10 a verdict is wrong; 11 a model is
invalid; 30 something is left to do.

Example: harness status /shared/study
         harness status /shared/study --json";

/// What 'submit' is told.
#[derive(Debug, Args)]
pub struct SubmitArgs {
    /// YAML file, or the name of a configuration that is built in
    #[arg(add = crate::complete::configs())]
    pub config: PathBuf,
    /// Directory for the scripts, the shards and what they make together; made if need be, gone on with if it
    /// holds the same study
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// What runs the shards
    #[arg(long, value_enum, default_value = "slurm")]
    pub engine: EngineName,
    /// Number of shards [default: one for each 1000 records, at most 1000; afterwards that of the first time]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(Shard::MOST)))]
    pub shards: Option<u32>,
    /// Time limit of a job, as SLURM has it, such as 90 (minutes), 4:00:00 or 1-12; a minute before it ends, a
    /// shard stops in good order
    #[arg(long, value_name = "TIME", value_parser = job_time)]
    pub time: Option<String>,
    /// SLURM's partition
    #[arg(long, value_name = "NAME", value_parser = word)]
    pub partition: Option<String>,
    /// SLURM's account
    #[arg(long, value_name = "NAME", value_parser = word)]
    pub account: Option<String>,
    /// A further option of sbatch, such as --sbatch=--exclusive; may be given several times
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true, value_parser = directive)]
    pub sbatch: Vec<String>,
    /// Worker processes of a shard, with a core each; instead of the configuration's [default where that has
    /// none: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub workers: Option<u32>,
    /// Wall and CPU limit of each record, such as 60s or 2m; instead of the configuration's
    #[arg(long, value_name = "TIME", value_parser = super::time)]
    pub timeout: Option<Duration>,
}

/// What 'status' is told.
#[derive(Debug, Args)]
pub struct StatusArgs {
    /// Directory that 'harness submit' made
    pub dir: PathBuf,
    /// Prints all of it as JSON
    #[arg(long)]
    pub json: bool,
}

/// What runs shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// Job arrays of SLURM
    Slurm,
    /// This machine, one shard after the other
    Local,
}

fn job_time(text: &str) -> Result<String, String> {
    let fits = text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || c == ':' || c == '-');
    if fits { Ok(text.to_owned()) } else { Err("minutes, H:MM:SS, D-H or the like is wanted".to_owned()) }
}

fn word(text: &str) -> Result<String, String> {
    let fits = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-.,+@/".contains(c));
    if fits {
        Ok(text.to_owned())
    } else {
        Err("a name of letters, digits, _ - . , + @ / is wanted".to_owned())
    }
}

fn directive(text: &str) -> Result<String, String> {
    if !text.starts_with('-') || text.chars().any(char::is_control) {
        return Err("an option of sbatch is wanted, such as --exclusive".to_owned());
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_into_a_script_is_a_word_or_an_option() {
        for time in ["90", "4:00:00", "1-12"] {
            assert!(job_time(time).is_ok(), "{time}");
        }
        for time in ["", "-1", "4h", "1\n2"] {
            assert!(job_time(time).is_err(), "{time}");
        }
        assert!(
            word("short,long").is_ok() && word("a b").is_err() && word("").is_err() && word("a\nb").is_err()
        );
        assert!(directive("--gres=gpu:1").is_ok());
        assert!(directive("exclusive").is_err() && directive("--x\n#SBATCH").is_err());
    }
}
