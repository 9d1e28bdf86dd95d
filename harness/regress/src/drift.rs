//! What the machine did to all times alike, between two runs that were made at different times.
//!
//! Two witnesses: the strategies, of which most did not change, and the fixed piece of work that both runs
//! measured. Where both agree, the strategies are taken, since they are more alike to what is compared; where
//! they do not, the larger factor is: what is slower than the fixed piece of work in all strategies may be
//! the machine, while what is faster in most of them is no reason to call the others slower.

use harness_stats::sample::densest_half;

/// Of fewer strategies, what they have in common would be the change itself.
pub const LEAST_FOR_DRIFT: usize = 4;

/// What is known of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drift {
    /// By what all times are divided.
    pub taken: Option<f64>,
    /// What the strategies have in common.
    strategies: Option<f64>,
    /// What became of the fixed piece of work.
    kernel: Option<f64>,
}

impl Drift {
    /// From the ratios of the strategies and the times of the fixed piece of work; factors within `ratio` of
    /// one another agree.
    pub fn of(ratios: &[f64], before: Option<u64>, after: Option<u64>, ratio: f64) -> Self {
        let strategies = if ratios.len() < LEAST_FOR_DRIFT { None } else { common(ratios) };
        #[expect(clippy::cast_precision_loss, reason = "2^53 ns are 104 days")]
        let kernel = before.zip(after).map(|(before, after)| after as f64 / before as f64);
        let taken = match (strategies, kernel) {
            (Some(strategies), Some(kernel)) if strategies * ratio < kernel => Some(kernel),
            (Some(strategies), Some(_)) => Some(strategies),
            // What most became faster by may be their change: then the others did not become slower.
            (Some(strategies), None) => Some(strategies.max(1.0)),
            (None, kernel) => kernel,
        };
        Self { taken: taken.filter(|factor| factor.is_finite() && *factor > 0.0), strategies, kernel }
    }

    /// What a reader should know of it; differences below `ratio` are not worth a word.
    pub fn note(&self, ratio: f64) -> Option<String> {
        let percent = |factor: f64| {
            let word = if factor >= 1.0 { "slower" } else { "faster" };
            format!("{:.0} % {word}", (factor - 1.0).abs() * 100.0)
        };
        let small = |factor: f64| factor < ratio && factor > 1.0 / ratio;
        match (self.strategies, self.kernel) {
            (Some(strategies), Some(kernel)) if strategies * ratio < kernel => Some(format!(
                "most strategies are faster at once than the machine explains, by which the fixed piece of work is {}: ratios are \
                 without the latter",
                percent(kernel)
            )),
            (Some(strategies), Some(kernel)) if strategies > kernel * ratio => Some(format!(
                "everything is {} at once, the fixed piece of work {}: the machine, or what all strategies have in common. Ratios are \
                 without the former; only `--against` can tell which it is",
                percent(strategies),
                percent(kernel)
            )),
            (Some(strategies), Some(kernel)) if !small(strategies) => Some(format!(
                "everything is {} at once, and so is the fixed piece of work ({}): the machine. Ratios are without it",
                percent(strategies),
                percent(kernel)
            )),
            (Some(strategies), None) if strategies <= 1.0 / ratio => Some(
                "most strategies are faster at once: by their change, or by the machine, which may hide a slow-down; one of the runs \
                 has no measurements of the machine, and only `--against` can tell which it is"
                    .to_owned(),
            ),
            (Some(strategies), None) if strategies >= ratio => Some(format!(
                "everything is {} at once: the machine, or what all strategies have in common. Ratios are without it; only `--against` \
                 can tell which it is",
                percent(strategies)
            )),
            (None, Some(kernel)) if (kernel - 1.0).abs() >= 0.005 => Some(format!(
                "the fixed piece of work is {}: the machine, or how the programs were compiled. Ratios are without it; only \
                 `--against` can tell which it is",
                percent(kernel)
            )),
            _ => None,
        }
    }
}

/// The factor that most of `ratios` have in common: that of the narrowest half of them, so that those which
/// changed by themselves have no say. `None` of no ratios.
pub fn common(ratios: &[f64]) -> Option<f64> {
    let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    densest_half(&logs).map(f64::exp)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(ratios: &[f64], kernel: Option<(u64, u64)>) -> f64 {
        let (before, after) = kernel.unzip();
        Drift::of(ratios, before, after, 1.1).taken.unwrap()
    }

    #[test]
    fn the_machine_is_slower_or_faster() {
        // One of them changed.
        let ratios = [0.84, 0.85, 0.86, 1.02, 0.85];
        assert!((taken(&ratios, Some((1000, 900))) - 0.85).abs() < 0.011);
        let ratios = [1.14, 1.15, 1.16, 1.38, 1.15];
        assert!((taken(&ratios, Some((1000, 1150))) - 1.15).abs() < 0.011);
        // Nearly half of them changed.
        let ratios = [1.0, 1.2, 1.01, 1.21, 0.99, 1.19, 1.0];
        assert!((taken(&ratios, None) - 1.0).abs() < 0.011);
    }

    #[test]
    fn where_the_witnesses_differ_nothing_is_called_slower_by_it() {
        // All but one became faster, the machine did not.
        assert!((taken(&[0.7, 0.71, 0.7, 1.0, 0.69], Some((1000, 1000))) - 1.0).abs() < 1e-9);
        // All became slower than the machine: as before, that may be the machine all the same.
        assert!((taken(&[1.3, 1.31, 1.3, 1.3], Some((1000, 1000))) - 1.3).abs() < 0.011);
        // Without a measurement.
        assert!((taken(&[0.7, 0.71, 0.7, 1.0, 0.69], None) - 1.0).abs() < 1e-9);
        // Of few strategies, the measurement alone.
        assert!((taken(&[1.3], Some((1000, 1200))) - 1.2).abs() < 1e-9);
        assert_eq!(Drift::of(&[1.3], None, None, 1.1).taken, None);
    }

    #[test]
    fn each_case_has_its_note() {
        let note = |ratios: &[f64], kernel: Option<(u64, u64)>| {
            let (before, after) = kernel.unzip();
            Drift::of(ratios, before, after, 1.1).note(1.1).unwrap_or_default()
        };
        assert_eq!(note(&[1.0; 4], Some((100, 101))), "");
        assert!(note(&[0.8; 4], Some((100, 100))).starts_with("most strategies are faster at once than"));
        assert!(
            note(&[1.3; 4], Some((100, 100))).contains("30 % slower at once, the fixed piece of work 0 %")
        );
        assert!(note(&[0.8; 4], Some((100, 80))).contains("and so is the fixed piece of work (20 % faster)"));
        assert!(note(&[0.8; 4], None).contains("no measurements of the machine"));
        assert!(note(&[1.3; 4], None).starts_with("everything is 30 % slower at once"));
        assert!(note(&[1.3], Some((100, 120))).starts_with("the fixed piece of work is 20 % slower"));
    }
}
