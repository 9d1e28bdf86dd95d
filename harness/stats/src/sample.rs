//! Centre, spread and outliers of one sample.

/// The finite values in ascending order.
fn sorted(values: &[f64]) -> Vec<f64> {
    let mut values: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// A count as a factor.
#[expect(clippy::cast_precision_loss, reason = "samples are far fewer than 2^53")]
pub fn count(n: usize) -> f64 {
    n as f64
}

/// The arithmetic mean; `None` of no values.
pub fn mean(values: &[f64]) -> Option<f64> {
    let values = sorted(values);
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / count(values.len()))
}

/// The standard deviation of the population that the sample is from (divisor n - 1); `None` of fewer than two
/// values, which tell nothing of a spread.
pub fn standard_deviation(values: &[f64]) -> Option<f64> {
    let values = sorted(values);
    let centre = mean(&values)?;
    let squares: f64 = values.iter().map(|v| (v - centre).powi(2)).sum();
    (values.len() > 1).then(|| (squares / count(values.len() - 1)).sqrt())
}

/// The quantile `q` of `0.0..=1.0`, linear between the two nearest values: definition 7 of Hyndman and Fan,
/// Sample quantiles in statistical packages, The American Statistician 50 (1996). `None` of no values or
/// another `q`.
pub fn quantile(values: &[f64], q: f64) -> Option<f64> {
    let values = sorted(values);
    let last = values.len().checked_sub(1)?;
    if !(0.0..=1.0).contains(&q) {
        return None;
    }
    let place = q * count(last);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 <= place <= last")]
    let below = (place.floor() as usize).min(last);
    let above = (below + 1).min(last);
    Some(values[below] + (values[above] - values[below]) * (place - count(below)))
}

/// The middle value, or the mean of the two middle ones; `None` of no values.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// The median of the distances from the median; `None` of no values.
pub fn mad(values: &[f64]) -> Option<f64> {
    let centre = median(values)?;
    median(&sorted(values).iter().map(|v| (v - centre).abs()).collect::<Vec<_>>())
}

/// The mean of the narrowest stretch of values that holds more than half of them (the first of several): what
/// most of them have in common, whatever the others are. `None` of no values.
pub fn densest_half(values: &[f64]) -> Option<f64> {
    let values = sorted(values);
    let half = values.len() / 2 + 1;
    let width =
        |stretch: &&[f64]| stretch.last().zip(stretch.first()).map_or(0.0, |(last, first)| last - first);
    let narrowest = values.windows(half).min_by(|a, b| width(a).total_cmp(&width(b)))?;
    mean(narrowest)
}

/// The values that are far from the others, in ascending order: those whose modified z-score is above 3.5
/// (Iglewicz and Hoaglin, How to detect and handle outliers, ASQC 1993, section 3).
///
/// The score is the distance from the median over 1.4826 times the median absolute deviation. Where that is
/// 0, because more than half of the values are equal, it is over 1.2533 times the mean absolute deviation
/// instead. Where that is 0 too, all values are equal and none is an outlier.
pub fn outliers(values: &[f64]) -> Vec<f64> {
    let values = sorted(values);
    let (Some(centre), Some(spread)) = (median(&values), mad(&values)) else { return Vec::new() };
    let distances: Vec<f64> = values.iter().map(|v| (v - centre).abs()).collect();
    let unit = if spread > 0.0 { 1.4826 * spread } else { 1.2533 * mean(&distances).unwrap_or(0.0) };
    let far = |v: &f64| unit > 0.0 && (v - centre).abs() / unit > 3.5;
    values.into_iter().filter(far).collect()
}

/// The two groups of a sample that no single number describes, both in ascending order: for instance runs
/// that a cache served and runs that it did not. `None` when the sample is one group.
///
/// The sample is cut at its widest gap. It is two groups when both have at least two values and a fifth of
/// all, the gap is wider than three times the wider group, and the upper one starts at half as much again as
/// the lower one ends. The thresholds are ours: they keep a lone outlier, and a steady drift, from passing as
/// two groups.
pub fn groups(values: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
    let mut low = sorted(values);
    let cut = (1..low.len()).max_by(|&i, &j| (low[i] - low[i - 1]).total_cmp(&(low[j] - low[j - 1])))?;
    let total = low.len();
    let high = low.split_off(cut);
    let smaller = low.len().min(high.len());
    let width = |group: &[f64]| group[group.len() - 1] - group[0];
    let gap = high[0] - low[low.len() - 1];
    let apart = smaller >= 2
        && 5 * smaller >= total
        && gap > 3.0 * width(&low).max(width(&high))
        && high[0] > 1.5 * low[low.len() - 1];
    apart.then_some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_most_values_have_in_common() {
        assert_eq!(densest_half(&[]), None);
        assert_eq!(densest_half(&[3.0]), Some(3.0));
        assert_eq!(densest_half(&[1.0, 9.0, 1.0, 1.0, 8.0]), Some(1.0));
        // Nearly half of them are elsewhere, all together.
        assert_eq!(densest_half(&[5.0, 5.0, 2.0, 2.0, 2.0]), Some(2.0));
    }

    #[test]
    fn quantiles_lie_between_values() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(quantile(&values, 0.0), Some(1.0));
        assert_eq!(quantile(&values, 0.25), Some(1.75));
        assert_eq!(median(&values), Some(2.5));
        assert_eq!(quantile(&values, 1.0), Some(4.0));
        assert_eq!(quantile(&values, 1.5), None);
    }

    #[test]
    fn what_cannot_be_computed_is_absent() {
        assert_eq!((mean(&[]), median(&[]), mad(&[]), standard_deviation(&[7.0])), (None, None, None, None));
        assert_eq!(mean(&[f64::NAN, 2.0]), Some(2.0));
    }

    #[test]
    fn one_group() {
        assert_eq!(groups(&[]), None);
        assert_eq!(groups(&[1.0, 1.0, 1.0, 1.0]), None);
        assert_eq!(groups(&[1.0, 1.0, 1.0, 9.0]), None, "a lone outlier");
        assert_eq!(groups(&[1.0, 1.1, 1.2, 1.3, 1.4, 1.5]), None, "a drift");
    }
}
