//! Public corpora, brought into the cache: the only part of the program that uses the network.
//!
//! - [`place`]: which cache and which recipes; [`git`]: the program that does the work
//! - [`checkout`]: the scripts of a recipe's commit; [`entry`]: from there to a corpus in the cache

pub mod checkout;
pub mod entry;
pub mod git;
pub mod place;
