//! Context-free grammars that are to have a word of bounded length in common, as propositional formulas.
//!
//! Source: Axelsson, Heljanko, Lange, *Analyzing Context-Free Grammars Using an Incremental SAT Solver*,
//! whose prototype is CFG Analyzer.
//!
//! - [`invariants`]: the table of a parser as clauses, which grow with the length
//! - [`parse`]: membership by the same table, filled; for the check of an answer
//! - [`strategy`], [`family`]: the strategy, and its options

pub mod family;
pub mod invariants;
pub mod parse;
pub mod strategy;

pub use family::CfgFamily;
