//! Brute force up to a length: slow, simple, the differential reference.
//!
//! The strategy `brute-force` tries assignments, shortest words first, and asks the trusted evaluator of
//! `harness-check` about each. That is deliberate, and allowed to no other backend: what it says is the
//! standard's word, up to its bounds. It says `unsat` only where the problem itself confines every variable
//! to values that were all tried.
//!
//! - `strategy`: the strategy, and its bounds
//! - `problem`: a problem taken apart: conjuncts, variables, equations that fix a variable
//! - `interval`, `ranges`, `characters`: what the conjuncts say about lengths, integers and characters
//! - `language`: the same for regular expressions
//! - `domain`: the values to try for a variable
//! - `plan`: which variables are tried and which computed, in which order
//! - `search`: trying
//! - [`strategy`], [`family`]: the strategy, and its bounds as options
//!
//! Depends on the model, on `harness-smtlib` and on `backends-api`; on no other backend.

mod characters;
mod domain;
pub mod family;
mod interval;
mod language;
mod plan;
mod problem;
mod ranges;
mod search;
pub mod strategy;

pub use family::BruteForceFamily;
pub use strategy::{Bounds, BruteForce};
