//! Interval automata for string graphs.
//!
//! - [`language`]: the automata; [`bounds`]: intervals of integers
//! - [`refine`]: values narrowed to a fixed point; `rules`: by what
//! - [`relations`]: facts about pairs of vertices

pub mod analysis;
pub mod bounds;
pub mod language;
pub mod loops;
pub mod refine;
pub mod relations;
mod rules;
pub mod search;
pub mod strategy;
pub mod to_arrays;
