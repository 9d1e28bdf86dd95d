//! Studies that run as jobs, a shard each: written down, submitted, looked after.
//!
//! - [`Submission`]: what was submitted (`submit.json`); [`Place`]: where things are in the directory
//! - [`script`]: the scripts of the jobs; [`slurm`]: what is asked of SLURM
//! - [`state`]: what has become of each shard; [`ranges`]: numbers of shards as SLURM writes them

pub mod ranges;
pub mod script;
pub mod slurm;
pub mod state;
mod submission;

pub use submission::{Engine, Place, Submission, Submitted};
