//! What a first comparison suspects, what another look says of it, and what comes of it all.
//!
//! A suspicion is decided by fresh records alone. They are not added to those that raised it: among many
//! groups, those that look worst do so in part by chance, and that part must not count twice.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::comparison::{Comparison, Decision, Faults, Group, Standing, StatusKind};

impl Comparison {
    /// The tasks and strategies that have to be run again before a regression counts: those of slower groups,
    /// slower tasks and lost tasks; task first. Empty when nothing is suspected that could be noise.
    pub fn suspects(&self) -> BTreeSet<(Arc<str>, Arc<str>)> {
        let slower: Vec<&Group> = self
            .groups
            .iter()
            .filter(|group| self.times_decide && group.standing == Standing::Slower)
            .collect();
        let in_group = |strategy: &Arc<str>, family: &Arc<str>| {
            slower.iter().any(|group| {
                group.strategy == *strategy && group.family.as_ref().is_none_or(|known| known == family)
            })
        };
        let tasks = self.tasks.iter().filter(|row| {
            (self.times_decide && row.standing == Standing::Slower)
                || (row.standing != Standing::NotComparable && in_group(&row.strategy, &row.family))
        });
        let lost = self.statuses.iter().filter(|change| change.kind == StatusKind::Lost);
        tasks
            .map(|row| (Arc::clone(&row.task), Arc::clone(&row.strategy)))
            .chain(lost.map(|change| (Arc::clone(&change.task), Arc::clone(&change.strategy))))
            .collect()
    }

    /// Takes back every suspicion that `round`, a comparison of fresh records of the suspects, does not
    /// share.
    pub fn confirm(&mut self, round: &Self) {
        for group in self.groups.iter_mut().filter(|group| group.standing == Standing::Slower) {
            let again =
                round.groups.iter().find(|g| g.strategy == group.strategy && g.family == group.family);
            if again.is_none_or(|again| again.standing != Standing::Slower) {
                group.standing = Standing::Unconfirmed;
            }
        }
        let slower: BTreeSet<(&str, &str)> =
            round.slower_tasks().map(|row| (&*row.task, &*row.strategy)).collect();
        for row in self.tasks.iter_mut().filter(|row| row.standing == Standing::Slower) {
            if !slower.contains(&(&*row.task, &*row.strategy)) {
                row.standing = Standing::Unconfirmed;
            }
        }
        self.tasks.sort_by_key(|row| row.standing != Standing::Slower);
        for change in self.statuses.iter_mut().filter(|change| change.kind == StatusKind::Lost) {
            let again = round.statuses.iter().any(|again| {
                again.task == change.task
                    && again.strategy == change.strategy
                    && matches!(again.kind, StatusKind::Lost | StatusKind::Wrong | StatusKind::InvalidModel)
            });
            if !again {
                change.kind = StatusKind::Unconfirmed;
            }
        }
        self.disagreement |= round.disagreement;
        self.invalid_model |= round.invalid_model;
        for line in &round.faults.contradictions {
            Faults::keep(&mut self.faults.contradictions, line.clone());
        }
        for line in &round.faults.invalid_models {
            Faults::keep(&mut self.faults.invalid_models, line.clone());
        }
        // A run that is wrong when it is repeated is wrong.
        self.statuses.extend(
            round
                .statuses
                .iter()
                .filter(|again| matches!(again.kind, StatusKind::Wrong | StatusKind::InvalidModel))
                .cloned(),
        );
        self.decide();
    }

    /// Sets [`Comparison::decision`].
    pub(crate) fn decide(&mut self) {
        let any = |kind| self.statuses.iter().any(|change| change.kind == kind);
        let slower = self.times_decide
            && (self.groups.iter().any(|group| group.standing == Standing::Slower)
                || self.slower_tasks().next().is_some());
        self.decision = if self.disagreement || any(StatusKind::Wrong) {
            Decision::Wrong
        } else if self.invalid_model || any(StatusKind::InvalidModel) {
            Decision::InvalidModel
        } else if slower || any(StatusKind::Lost) || self.counters_differ.1 > 0 {
            Decision::Regression
        } else if self.complete && self.nothing_compared().is_none() {
            Decision::Fine
        } else {
            Decision::Incomplete
        };
    }
}
