//! Scores over many tasks, and comparisons of two times.

use crate::sample::{count, mean};

/// The mean time where each unsolved run (`None`) costs twice the limit: penalised average runtime with
/// factor 2, as in the SAT competitions. `None` of no runs.
pub fn par2(times: &[Option<f64>], limit: f64) -> Option<f64> {
    mean(&times.iter().map(|time| time.unwrap_or(2.0 * limit)).collect::<Vec<_>>())
}

/// The geometric mean of the values plus `shift`, less `shift`: zeros neither spoil it nor have to be
/// dropped, and differences far below the shift weigh little. `None` of no values, of a negative one, or of
/// zeros without a shift.
pub fn shifted_geometric_mean(values: &[f64], shift: f64) -> Option<f64> {
    if values.is_empty() || values.iter().any(|&v| !v.is_finite() || v < 0.0 || v + shift <= 0.0) {
        return None;
    }
    let logarithms: f64 = values.iter().map(|v| (v + shift).ln()).sum();
    // A mean of values is not negative; rounding of the logarithms can make it so.
    Some(((logarithms / count(values.len())).exp() - shift).max(0.0))
}

/// How a time compares with another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ratio {
    /// The first divided by the second.
    Times(f64),
    /// One of them is below what the clock can tell: show the two times instead.
    NotComparable,
}

/// The ratio of two times, each of which must be above `resolution`, the smallest difference that the clock
/// tells.
pub fn ratio(time: f64, base: f64, resolution: f64) -> Ratio {
    if time > resolution && base > resolution && (time / base).is_finite() {
        Ratio::Times(time / base)
    } else {
        Ratio::NotComparable
    }
}

/// A time from which an overhead was taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Corrected {
    /// What is left.
    Time(f64),
    /// What is left cannot be told from nothing; the time as measured.
    BelowResolution {
        /// With the overhead in it.
        measured: f64,
    },
}

/// `measured` less `overhead`, unless what is left is not above `resolution`: then no corrected time exists,
/// and least of all a negative one.
pub fn less_overhead(measured: f64, overhead: f64, resolution: f64) -> Corrected {
    let left = measured - overhead;
    if left > resolution { Corrected::Time(left) } else { Corrected::BelowResolution { measured } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn par2_of_nothing_is_absent() {
        assert_eq!(par2(&[], 10.0), None);
        assert_eq!(par2(&[None, None], 10.0), Some(20.0));
    }

    #[test]
    fn geometric_means() {
        assert_eq!(shifted_geometric_mean(&[], 1.0), None);
        assert_eq!(shifted_geometric_mean(&[0.0, 1.0], 0.0), None);
        assert!((shifted_geometric_mean(&[2.0, 8.0], 0.0).unwrap() - 4.0).abs() < 1e-12);
        assert!(shifted_geometric_mean(&[0.0, 0.0], 0.1).unwrap() < 1e-12);
    }

    #[test]
    fn ratios_need_two_times() {
        assert_eq!(ratio(6.0, 2.0, 0.0), Ratio::Times(3.0));
        assert_eq!(ratio(6.0, 0.0, 0.0), Ratio::NotComparable);
        assert_eq!(less_overhead(5.0, 2.0, 0.1), Corrected::Time(3.0));
    }
}
