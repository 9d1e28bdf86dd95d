//! Times from run to run: the files, and that the same trends give the same bytes.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use reports::plot::trend::{MOST, Mark};
use reports::trend::{Line, Run, Trend, write_trends};

/// A trend of so many runs and strategies; every second strategy takes a step in the middle.
fn trend(runs: usize, strategies: usize) -> Trend {
    let run = |n: usize| Run {
        number: i64::try_from(n).unwrap() + 1,
        label: format!("{:09x}", 0x2f3a_91c4_d5e7_u64.wrapping_mul(n as u64 + 3) & 0xf_ffff_ffff),
        started_unix_s: 1_700_000_000.0 + 86_400.0 * f64::from(u32::try_from(n).unwrap()),
        changes: if n == runs / 2 { vec!["z3: 4.15 then, 5.4 now".to_owned()] } else { vec![] },
    };
    let line = |s: usize| {
        let level = 10_f64.powi(i32::try_from(s % 5).unwrap() - 4);
        let stepping = s.is_multiple_of(2);
        let factor = if s.is_multiple_of(4) { 1.25 } else { 0.8 };
        let value = |n: usize| {
            let noise = 1.0 + 0.02 * (((n * 7 + s * 3) % 11) as f64 / 11.0 - 0.5);
            level * noise * if stepping && n >= runs / 2 { factor } else { 1.0 }
        };
        let step = Mark { at: runs / 2, before: level, after: level * factor };
        Line {
            strategy: format!("strategy-{s}"),
            // A run in which it was not tried.
            values: (0..runs).map(|n| (n != 3 || s != 1).then(|| value(n))).collect(),
            tasks: 40,
            steps: if stepping { vec![step] } else { vec![] },
            chances: if stepping { vec![0.001] } else { vec![] },
            left_out: if s == 1 {
                vec!["run #4 is left out: solved 3 tasks, the middle run 40".into()]
            } else {
                vec![]
            },
            from: 0,
            looked_at: runs,
        }
    };
    Trend {
        config: "ci".into(),
        machine: "A processor, 2 cores, 2 workers, release build".into(),
        family: None,
        metric: "cpu".into(),
        runs: (0..runs).map(run).collect(),
        lines: (0..strategies).map(line).collect(),
    }
}

fn files(trends: &[Trend]) -> BTreeMap<String, Vec<u8>> {
    let dir = tempfile::tempdir().unwrap();
    let written = write_trends(trends, dir.path()).unwrap();
    // For whoever wants to look at the pictures.
    if let Some(keep) = std::env::var_os("KEEP_PICTURES") {
        for path in &written {
            fs::copy(path, Path::new(&keep).join(path.file_name().unwrap())).unwrap();
        }
    }
    let name = |path: &Path| path.strip_prefix(dir.path()).unwrap().to_str().unwrap().to_owned();
    written.iter().map(|path| (name(path), fs::read(path).unwrap())).collect()
}

#[test]
fn a_picture_and_tables_for_each_trend_with_the_same_bytes_again() {
    let trends = [trend(30, 6), trend(4, 1)];
    let once = files(&trends);
    assert_eq!(once, files(&trends));
    let text = |name: &str| String::from_utf8(once[name].clone()).unwrap();
    for name in ["plots/trend.png", "plots/trend-2.png"] {
        assert!(once[name].starts_with(b"\x89PNG\r\n"), "{name}");
    }
    let svg = text("plots/trend.svg");
    assert!(svg.contains("+25.0 %") && svg.contains("-20.0 %") && svg.contains("strategy-5"));
    let steps = text("tables/steps.csv");
    assert_eq!(steps.lines().count(), 4, "{steps}");
    assert!(steps.contains("z3: 4.15 then"), "{steps}");
    assert_eq!(text("plots/trend.csv").lines().count(), 1 + 6 * 30);
    assert!(text("tables/trend.tex").contains("\\toprule"));
    assert!(text("trend.md").contains("run #4 is left out"));
    for (name, bytes) in &once {
        if !name.ends_with(".png") {
            let text = std::str::from_utf8(bytes).unwrap();
            assert!(!text.contains("NaN") && !text.contains("inf,"), "{name}");
        }
    }
}

/// Of a long series only the end is looked at, which the page, the tables and the picture say.
#[test]
fn where_steps_are_looked_for_is_told() {
    let mut long = trend(30, 1);
    (long.lines[0].from, long.lines[0].looked_at) = (10, 20);
    long.lines[0].steps.clear();
    long.lines[0].chances.clear();
    let made = files(&[long]);
    let text = |name: &str| String::from_utf8(made[name].clone()).unwrap();
    assert!(text("trend.md").contains("No strategy takes a step in the last 20 runs."));
    for name in ["trend.md", "tables/trend.md", "plots/trend.svg"] {
        assert!(text(name).contains("looked for in the last 20 of 30 runs"), "{name}: {}", text(name));
    }
}

#[test]
fn what_has_no_room_is_told() {
    let text = files(&[trend(3, MOST + 4)]);
    let svg = String::from_utf8(text["plots/trend.svg"].clone()).unwrap();
    assert!(svg.contains("4 more strategies are not drawn"), "{svg}");
    let data = String::from_utf8(text["plots/trend.csv"].clone()).unwrap();
    assert_eq!(data.lines().count(), 1 + (MOST + 4) * 3, "the data has them all");
}

#[test]
fn nothing_to_show() {
    let text = files(&[]);
    assert!(String::from_utf8(text["trend.md"].clone()).unwrap().contains("nothing to show"));
    assert_eq!(text.len(), 2);
}
