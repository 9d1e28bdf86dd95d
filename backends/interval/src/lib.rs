//! Interval automata for string graphs.
//!
//! - [`language`]: the automata; [`bounds`]: intervals of integers
//! - [`refine`]: values narrowed to a fixed point; `rules`: by what

pub mod bounds;
pub mod language;
pub mod refine;
mod rules;
