//! Systems of regular constraints by automata, eagerly: languages for all variables, in as many assignments
//! as there are disjunctive ones.
//!
//! Source: Hooimeijer, *Decision Procedures for String Constraints*, chapter 2, whose prototype is DPRLE.
//!
//! - [`machine`]: a system made ready: automata of its languages; [`mod@graph`]: its dependency graph
//!   (section 2.3.1)
//! - [`product`]: concatenations intersected with a language, and cut up again (figure 2.2)
//! - [`group`]: variables that concatenations connect, solved together (figure 2.7)
//! - [`solve`]: all of a system: reduction, groups, the worklist (figure 2.6)
//! - [`maximise`]: languages made as large as they can be
//! - [`text`]: automata in DPRLE's notation
//! - [`strategy`], [`family`]: the strategy, and its options
//!
//! Depends on automata over any algebra, never on another strategy.

pub mod family;
pub mod graph;
pub mod group;
pub mod machine;
pub mod maximise;
pub mod product;
pub mod solve;
pub mod strategy;
pub mod text;

pub use family::DprleFamily;
