//! A dataset with what several tables and plots need of it, computed once.

use crate::attempt::{Attempt, attempts};
use crate::dataset::Dataset;

/// A dataset and its attempts.
#[derive(Clone, Debug)]
pub struct Analysis<'a> {
    /// The run.
    pub dataset: &'a Dataset,
    /// Its attempts, sorted by task and strategy.
    pub attempts: Vec<Attempt<'a>>,
}

impl<'a> Analysis<'a> {
    /// Takes the repeats of `dataset` together. Linear.
    pub fn new(dataset: &'a Dataset) -> Self {
        Self { dataset, attempts: attempts(dataset) }
    }
}
