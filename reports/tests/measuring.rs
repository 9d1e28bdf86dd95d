//! Cases of measurements with known right figures; each fixture in `cases/` is one test.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;

use reports::stats::{
    Corrected, Interval, Ratio, bootstrap, groups, less_overhead, mad, mean, median, outliers, par2, ratio,
    shifted_geometric_mean, standard_deviation,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A fixture: what is given and what is expected.
#[derive(Deserialize)]
struct Case<G, E> {
    given: G,
    expect: E,
}

/// Reads the fixture whose name starts with `id`.
fn case<G: DeserializeOwned, E: DeserializeOwned>(id: &str) -> Case<G, E> {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let path = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.file_name().unwrap().to_str().unwrap().starts_with(id))
        .unwrap();
    serde_saphyr::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 5e-4
}

#[derive(Deserialize)]
struct Samples {
    samples_s: Vec<f64>,
}

#[test]
fn all_samples_equal() {
    #[derive(Deserialize)]
    struct Expect {
        mean_s: f64,
        median_s: f64,
        stddev_s: f64,
        outliers: Vec<f64>,
    }
    let Case { given: Samples { samples_s }, expect } = case::<_, Expect>("150");
    assert_eq!(mean(&samples_s), Some(expect.mean_s));
    assert_eq!(median(&samples_s), Some(expect.median_s));
    assert_eq!(standard_deviation(&samples_s), Some(expect.stddev_s));
    assert_eq!(mad(&samples_s), Some(0.0));
    assert_eq!(outliers(&samples_s), expect.outliers);
    assert_eq!(groups(&samples_s), None);
    let interval = bootstrap(&samples_s, median, 0.95, 100, 1);
    assert_eq!(interval, Some(Interval { low: expect.median_s, high: expect.median_s }));
}

#[test]
fn most_samples_equal_one_far() {
    #[derive(Deserialize)]
    struct Expect {
        median_s: f64,
        outliers: Vec<f64>,
        never_outlier: Vec<f64>,
    }
    let Case { given: Samples { samples_s }, expect } = case::<_, Expect>("151");
    assert_eq!(median(&samples_s), Some(expect.median_s));
    assert_eq!(mad(&samples_s), Some(0.0));
    let found = outliers(&samples_s);
    assert_eq!(found, expect.outliers);
    assert!(expect.never_outlier.iter().all(|value| !found.contains(value)));
}

#[test]
fn zero_mean_ratio() {
    #[derive(Deserialize)]
    struct Given {
        a_s: Vec<f64>,
        b_s: Vec<f64>,
        clock_resolution_s: f64,
    }
    #[derive(Deserialize)]
    struct Expect {
        ratio: String,
    }
    let Case { given, expect } = case::<Given, Expect>("153");
    assert_eq!(expect.ratio, "not-comparable");
    let (a, b) = (mean(&given.a_s).unwrap(), mean(&given.b_s).unwrap());
    assert_eq!(ratio(a, b, given.clock_resolution_s), Ratio::NotComparable);
    assert_eq!(ratio(b, a, given.clock_resolution_s), Ratio::NotComparable);
}

#[test]
fn overhead_larger_than_run() {
    #[derive(Deserialize)]
    struct Given {
        raw_s: Vec<f64>,
        startup_mean_s: f64,
    }
    #[derive(Deserialize)]
    struct Expect {
        negative_time_reported: bool,
        status: String,
    }
    let Case { given, expect } = case::<Given, Expect>("154");
    assert!(!expect.negative_time_reported);
    assert_eq!(expect.status, "below-resolution");
    for measured in given.raw_s {
        assert_eq!(
            less_overhead(measured, given.startup_mean_s, 0.0),
            Corrected::BelowResolution { measured }
        );
    }
}

#[test]
fn timeouts_in_the_average() {
    #[derive(Deserialize)]
    struct Given {
        limit_s: f64,
        a: BTreeMap<String, String>,
        b: BTreeMap<String, String>,
    }
    #[derive(Deserialize)]
    struct Pair<T> {
        a: T,
        b: T,
    }
    #[derive(Deserialize)]
    struct Common {
        count: usize,
        a_mean_s: f64,
        b_mean_s: f64,
    }
    #[derive(Deserialize)]
    struct Expect {
        solved: Pair<usize>,
        par2_s: Pair<f64>,
        common_solved: Common,
    }
    let Case { given, expect } = case::<Given, Expect>("161");
    let times = |runs: &BTreeMap<String, String>| -> Vec<Option<f64>> {
        runs.values().map(|time| time.parse().ok()).collect()
    };
    let (a, b) = (times(&given.a), times(&given.b));
    assert_eq!(a.iter().flatten().count(), expect.solved.a);
    assert_eq!(b.iter().flatten().count(), expect.solved.b);
    assert!(close(par2(&a, given.limit_s).unwrap(), expect.par2_s.a));
    assert!(close(par2(&b, given.limit_s).unwrap(), expect.par2_s.b));
    let common: Vec<(f64, f64)> = a.iter().zip(&b).filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
    assert_eq!(common.len(), expect.common_solved.count);
    let (a, b): (Vec<f64>, Vec<f64>) = common.into_iter().unzip();
    assert_eq!(mean(&a), Some(expect.common_solved.a_mean_s));
    assert_eq!(mean(&b), Some(expect.common_solved.b_mean_s));
}

#[test]
fn geometric_mean_with_zero() {
    #[derive(Deserialize)]
    struct Given {
        times_s: Vec<f64>,
        shift_s: f64,
    }
    #[derive(Deserialize)]
    struct Expect {
        shifted_geomean_s: f64,
        forbidden_value_s: f64,
    }
    let Case { given, expect } = case::<Given, Expect>("162");
    let found = shifted_geometric_mean(&given.times_s, given.shift_s).unwrap();
    assert!(close(found, expect.shifted_geomean_s) && !close(found, expect.forbidden_value_s), "{found}");
    assert_eq!(shifted_geometric_mean(&given.times_s, 0.0), None);
}

#[test]
fn two_clusters_from_caching() {
    #[derive(Deserialize)]
    struct Expect {
        warning: String,
        groups_s: (Vec<f64>, Vec<f64>),
    }
    let Case { given: Samples { samples_s }, expect } = case::<_, Expect>("165");
    assert_eq!(expect.warning, "bimodal");
    assert_eq!(groups(&samples_s), Some(expect.groups_s));
}

#[test]
fn single_sample() {
    #[derive(Deserialize)]
    struct Expect {
        mean_s: String,
        stddev_s: String,
    }
    let available = |value: Option<f64>| value.map_or("not-available".to_owned(), |v| v.to_string());
    let Case { given, expect } = case::<Vec<Samples>, Vec<Expect>>("167");
    for (Samples { samples_s }, expect) in given.iter().zip(&expect) {
        assert_eq!(available(mean(samples_s)), expect.mean_s);
        assert_eq!(available(standard_deviation(samples_s)), expect.stddev_s);
        assert_eq!(outliers(samples_s), Vec::<f64>::new());
    }
    assert_eq!(given.len(), 2);
}
