//! Tables in the layout of a paper, published cell beside measured cell.
//!
//! - [`representation`]: which row of the study a strategy is in
//! - [`sizes`]: figure 3.7; [`times`]: figures 3.8 and 3.10
//! - [`graphs`]: what a record of a string-graph strategy says; [`paths`]: table 4.1; [`random`]: table 4.2;
//!   [`extremes`]: figures 4.1 and 4.2
//! - [`pass`]: PASS's table 1, figure 4 and comparison; [`jst`]: JST's tables 4 and 5;
//!   [`nodes`]: iterations of each node of a path tree
//!
//! Figure 3.9 is a plot: see [`crate::plot`].

pub mod extremes;
pub mod graphs;
pub mod jst;
pub mod nodes;
pub mod pass;
pub mod paths;
pub mod random;
pub mod representation;
pub mod sizes;
pub mod times;
