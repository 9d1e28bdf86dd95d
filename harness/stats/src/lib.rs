//! The statistics of the tables: small, each with its definition and its source.
//!
//! - [`sample`]: centre, spread and outliers of one sample
//! - [`score`]: scores over many tasks, and comparisons of two strategies
//! - [`bootstrap`](mod@bootstrap): intervals by resampling, from a seed
//! - [`rank`]: whether one sample is larger than another, and many such tests at once
//!
//! Absent is not zero: what cannot be computed is `None`, never NaN and never 0. Inputs are finite and not
//! negative, as times are; other numbers are ignored rather than spread.

pub mod bootstrap;
pub mod rank;
pub mod sample;
pub mod score;

pub use bootstrap::{Interval, bootstrap};
pub use rank::{holm, least_p, mann_whitney};
pub use sample::{densest_half, groups, mad, mean, median, outliers, quantile, standard_deviation};
pub use score::{Corrected, Ratio, less_overhead, par2, ratio, shifted_geometric_mean};
