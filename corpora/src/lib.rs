//! Curated tasks and published figures.
//!
//! - [`published`]: figures that papers published

pub mod published;
