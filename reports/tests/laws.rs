//! Laws of the statistics, for any sample.

use proptest::prelude::*;
use reports::stats::{
    groups, mad, mean, median, outliers, par2, quantile, shifted_geometric_mean, standard_deviation,
};

fn sample() -> impl Strategy<Value = Vec<f64>> {
    // Times over eight decades, often with equal ones among them.
    proptest::collection::vec(
        prop_oneof![Just(0.25), (-8.0..3.0f64).prop_map(|exponent| 10f64.powf(exponent))],
        0..40,
    )
}

proptest! {
    #[test]
    fn centres_lie_inside(values in sample()) {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(0.0, f64::max);
        let near = 1.0 + 1e-12;
        let centres = [mean(&values), median(&values), quantile(&values, 0.9), shifted_geometric_mean(&values, 0.0)];
        for centre in centres {
            prop_assert_eq!(centre.is_some(), !values.is_empty());
            if let Some(centre) = centre {
                prop_assert!(low / near <= centre && centre <= high * near, "{} not in {}..{}", centre, low, high);
            }
        }
    }

    #[test]
    fn spreads_are_not_negative_and_finite(values in sample()) {
        for spread in [mad(&values), standard_deviation(&values)].into_iter().flatten() {
            prop_assert!(spread >= 0.0 && spread.is_finite());
        }
    }

    #[test]
    fn the_order_of_a_sample_does_not_matter(values in sample()) {
        let mut reversed = values.clone();
        reversed.reverse();
        prop_assert_eq!(median(&values), median(&reversed));
        prop_assert_eq!(mean(&values), mean(&reversed));
        prop_assert_eq!(outliers(&values), outliers(&reversed));
        prop_assert_eq!(groups(&values), groups(&reversed));
    }

    #[test]
    fn the_median_is_never_an_outlier(values in sample()) {
        if let Some(centre) = median(&values) {
            prop_assert!(!outliers(&values).contains(&centre));
        }
        prop_assert!(2 * outliers(&values).len() <= values.len());
    }

    #[test]
    fn two_groups_are_the_whole_sample(values in sample()) {
        if let Some((low, high)) = groups(&values) {
            let mut sorted = values;
            sorted.sort_by(f64::total_cmp);
            prop_assert_eq!([low, high].concat(), sorted);
        }
    }

    #[test]
    fn solving_one_more_never_makes_par2_worse(values in sample(), limit in 1.0..100.0f64) {
        let mut times: Vec<Option<f64>> = values.iter().map(|v| (*v < limit).then_some(*v)).collect();
        times.push(None);
        let before = par2(&times, limit);
        times.pop();
        times.push(Some(limit));
        prop_assert!(par2(&times, limit) < before);
    }
}
