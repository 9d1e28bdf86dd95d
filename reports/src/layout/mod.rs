//! Tables in the layout of a paper, published cell beside measured cell.
//!
//! - [`representation`]: which row of the study a strategy is in
//! - [`sizes`]: figure 3.7; [`times`]: figures 3.8 and 3.10
//!
//! Figure 3.9 is a plot: see [`crate::plot`].

pub mod representation;
pub mod sizes;
pub mod times;
