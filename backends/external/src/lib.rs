//! SMT solvers that are programs of their own, as strategies: the family `external`.
//!
//! Nothing here knows a solver. A configuration says how a program is started, how it is given a script and
//! how it is asked for models; `configs/solvers.yaml` has entries to copy. Each `check-sat` is a run of the
//! program by itself, on a script that is printed for it: SMT-LIB's functions alone, with all that holds of
//! the strings of a smaller alphabet. What it prints is read as SMT-LIB; a model is passed on as it is, for
//! the judge to check.
//!
//! - [`family`], [`strategy`]: the options, and what is done with them
//! - [`command`]: how a program is found and what its words stand for
//! - [`process`]: one run of a program, of which nothing is left
//! - [`script`]: what it is given; [`confine`]: strings of smaller alphabets; [`expressions`]: operations on
//!   regular expressions as problems
//! - [`old`]: scripts and models of older solvers
//! - [`reply`]: what it says
//!
//! It must never depend on another backend, on the runner or on the judge. That the tree of a program is
//! under the limits of a record, that its time and memory are the record's and that nothing of it outlives
//! the record is for the runner to see to.

pub mod command;
pub mod confine;
pub mod expressions;
pub mod family;
pub mod old;
pub mod process;
pub mod reply;
pub mod script;
pub mod strategy;

pub use family::ExternalFamily;
pub use strategy::External;
