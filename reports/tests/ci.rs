//! Formats for continuous integration: whole whatever names are in them, no larger than they may be, no
//! number that is none.

use std::sync::Arc;

use harness_model::calibration::Pace;
use harness_model::run::Machine;
use harness_model::{Status, Verdict};
use harness_regress::{
    Comparison, CounterChange, CounterCount, Decision, Extent, Faults, Group, Rules, Side, Standing,
    StatusChange, StatusKind, TaskRow, Unsteady,
};
use proptest::prelude::*;
use reports::ci::{CAP, Layout, annotations, bencher, benchmark, junit, markdown};
use serde_json::Value;

fn side(label: &str, commit: Option<&str>) -> Side {
    Side {
        label: label.into(),
        commit: commit.map(str::to_owned),
        machine: Machine {
            cpu: "A processor".into(),
            cores: 2,
            memory_bytes: 8 << 30,
            kernel: "Linux 6.1".into(),
            os: "Debian 12".into(),
        },
        started_unix_s: 1_700_000_000.0,
        records: 8,
        planned: 8,
        pace: Pace::default(),
    }
}

fn group(strategy: &str, family: Option<&str>, ratio: Option<f64>, standing: Standing) -> Group {
    Group {
        strategy: strategy.into(),
        family: family.map(Into::into),
        tasks: if ratio.is_some() { 4 } else { 0 },
        below_resolution: 0,
        solved_before: 4,
        solved_after: 4,
        before_ns: if ratio.is_some() { 2e6 } else { 0.0 },
        after_ns: 2e6 * ratio.unwrap_or(0.0),
        ratio,
        interval: ratio.map(|ratio| (ratio * 0.95, ratio * 1.05)),
        standing,
    }
}

fn task(task: &str, strategy: &str, ratio: f64, standing: Standing) -> TaskRow {
    TaskRow {
        task: task.into(),
        family: "pairs".into(),
        strategy: strategy.into(),
        before_ns: Some(1e6),
        after_ns: Some(1e6 * ratio),
        samples: (5, 5),
        ratio: Some(ratio),
        p: Some(0.0079),
        standing,
    }
}

fn status(task: &str, strategy: &str, before: Status, after: Status, kind: StatusKind) -> StatusChange {
    StatusChange {
        task: task.into(),
        family: "pairs".into(),
        strategy: strategy.into(),
        before,
        after,
        kind,
        detail: "the limit of 10 s".into(),
    }
}

fn counter(task: &str, strategy: &str, before: u64, after: u64, counts: bool) -> CounterChange {
    CounterChange {
        task: task.into(),
        family: "pairs".into(),
        strategy: strategy.into(),
        counter: "states".into(),
        before: Some(before),
        after: Some(after),
        unsteady: false,
        counts,
    }
}

fn counts(strategy: &str, differ: u64, count: u64) -> CounterCount {
    CounterCount {
        strategy: strategy.into(),
        family: "pairs".into(),
        counter: "states".into(),
        differ,
        count,
    }
}

fn fine() -> Comparison {
    Comparison {
        name: "ci".into(),
        baseline: side("history@3f2a", Some("3f2a9c")),
        current: side("this build", None),
        rules: Rules::default(),
        interleaved: false,
        times_decide: true,
        drift: None,
        groups: vec![
            group("lazy", None, Some(1.004), Standing::Same),
            group("lazy", Some("pairs"), Some(1.004), Standing::Same),
        ],
        tasks: vec![task("pairs/1", "lazy", 1.004, Standing::Same)],
        statuses: vec![],
        counters: vec![],
        counters_differ: (0, 0),
        counter_counts: vec![],
        unsteady: vec![],
        extent: Extent { pairs: 8, solved: 8, timed: 8 },
        disagreement: false,
        invalid_model: false,
        faults: Faults::default(),
        complete: true,
        notes: vec![],
        decision: Decision::Fine,
    }
}

/// Something of everything, with `odd` in every name.
fn everything(odd: &str) -> Comparison {
    let strategy = format!("eager{odd}");
    let id = |n: u32| format!("pairs{odd}/{n}");
    let (sat, timeout) = (Status::Answered(Verdict::Sat), Status::Timeout);
    Comparison {
        name: format!("ci{odd}"),
        baseline: side(&format!("base{odd}"), Some(odd)),
        groups: vec![
            group(&strategy, None, Some(1.31), Standing::Slower),
            group(&strategy, Some(&format!("pairs{odd}")), Some(1.52), Standing::Slower),
            group(&strategy, Some("none"), None, Standing::NotComparable),
            group("lazy", None, Some(1.12), Standing::Unconfirmed),
            group("lazy", Some("pairs"), Some(0.7), Standing::Faster),
        ],
        tasks: vec![
            task(&id(1), &strategy, 2.0, Standing::Slower),
            task(&id(2), &strategy, 1.9, Standing::Unconfirmed),
            task(&id(3), "lazy", 0.9, Standing::Same),
        ],
        statuses: vec![
            status(&id(4), &strategy, sat, Status::Wrong, StatusKind::Wrong),
            status(&id(5), &strategy, sat, Status::InvalidModel, StatusKind::InvalidModel),
            status(&id(6), &strategy, sat, timeout, StatusKind::Lost),
            status(&id(7), "lazy", sat, timeout, StatusKind::Unconfirmed),
            status(&id(8), "lazy", timeout, sat, StatusKind::Gained),
        ],
        counters: vec![counter(&id(1), &strategy, 5, 7, true), counter(&id(2), "lazy", 9, 8, false)],
        counters_differ: (2, 1),
        counter_counts: vec![counts(&strategy, 1, 1), counts("lazy", 1, 0)],
        unsteady: vec![Unsteady {
            strategy: "lazy".into(),
            family: format!("pairs{odd}").into(),
            counter: format!("lookups{odd}").into(),
            tasks: 3,
            task: id(2).into(),
        }],
        disagreement: true,
        faults: Faults {
            contradictions: vec![format!(
                "{}: sat say lazy; unsat say {strategy}; nothing settles it",
                id(4)
            )],
            invalid_models: vec![],
        },
        complete: false,
        notes: vec![format!("a note{odd}")],
        decision: Decision::Wrong,
        ..fine()
    }
}

const ODD: [&str; 9] = [
    "\"'`",
    "<b>&amp;]]>",
    "a,b;c:d%e%0A",
    "two\r\nlines\tand a tab",
    "| a | b |",
    "\u{0}\u{1b}[31m\u{fffe}",
    "``` ## @user #1 ~~x~~ </details>",
    "::error title=x::y",
    "ä µ 😀 \u{202e}",
];

/// The cells of a row of a table in Markdown: bars with a backslash before them do not count.
fn cells(line: &str) -> usize {
    line.replace("\\|", "").matches('|').count()
}

/// Every table has rows of one width, every block is closed.
#[track_caller]
fn well_formed(text: &str) {
    let mut width = None;
    for line in text.lines() {
        if line.starts_with('|') {
            assert_eq!(cells(line), *width.get_or_insert(cells(line)), "{line}\n{text}");
        } else {
            width = None;
        }
    }
    assert_eq!(
        text.lines().filter(|l| *l == "<details>").count(),
        text.lines().filter(|l| *l == "</details>").count()
    );
    assert!(!text.contains("NaN") && !text.contains("inf "), "{text}");
}

#[test]
fn summaries_as_people_see_them() {
    insta::assert_snapshot!("markdown_family", markdown(&everything(""), Layout::Family, CAP));
    insta::assert_snapshot!("markdown_task", markdown(&everything(""), Layout::Task, CAP));
    insta::assert_snapshot!("markdown_fine", markdown(&fine(), Layout::Family, CAP));
}

#[test]
fn formats_as_programs_see_them() {
    insta::assert_snapshot!("junit", junit(&everything("")));
    insta::assert_snapshot!("benchmark", benchmark(&everything("")));
    insta::assert_snapshot!("bencher", bencher(&everything("")));
    insta::assert_snapshot!("annotations", annotations(&everything("")));
    assert_eq!(
        annotations(&fine()),
        "::notice title=No regression::ci: no regression against history@3f2a (3f2a9c).\n"
    );
}

/// Where times decide nothing, none of them fails anything.
#[test]
fn times_that_decide_nothing_are_no_failure() {
    let all = everything("");
    let found = Comparison {
        times_decide: false,
        statuses: vec![],
        counters: vec![],
        counters_differ: (0, 0),
        counter_counts: vec![],
        disagreement: false,
        complete: true,
        decision: Decision::Fine,
        ..all
    };
    let text = junit(&found);
    assert!(!text.contains("<failure"), "{text}");
    assert!(text.contains("<skipped message=\"times decide nothing"), "{text}");
    let text = annotations(&found);
    assert!(!text.contains("::error"), "{text}");
    // Its tables of what is slower are there where times decide, and only there.
    let tables = |comparison: &Comparison| {
        let text = markdown(comparison, Layout::Family, CAP);
        ["### Slower\n", "### Slower tasks\n"].map(|title| text.contains(title))
    };
    assert_eq!((tables(&everything("")), tables(&found)), ([true; 2], [false; 2]));
}

/// A fault of a record that the baseline does not have is named by every format, with the task and who said
/// what.
#[test]
fn a_fault_without_a_partner_is_named() {
    let line = "pairs/9: sat say lazy; unsat say eager";
    let faults = Faults { contradictions: vec![line.into()], invalid_models: vec![line.into()] };
    let invalid = Comparison {
        invalid_model: true,
        decision: Decision::InvalidModel,
        faults: faults.clone(),
        ..fine()
    };
    let wrong = Comparison { disagreement: true, decision: Decision::Wrong, faults, ..fine() };
    for (found, kind, title) in [
        (&invalid, "invalid-model", "A model is invalid"),
        (&wrong, "wrong", "Verdicts contradict each other"),
    ] {
        let texts = [junit(found), annotations(found), markdown(found, Layout::Family, CAP)];
        assert!(texts.iter().all(|text| text.contains(line)), "{texts:?}");
        assert!(texts[0].contains(&format!(" type=\"{kind}\">")), "{}", texts[0]);
        assert!(texts[1].starts_with(&format!("::error title={title}::")), "{}", texts[1]);
        assert!(!texts[2].contains("Nothing is slower, lost, wrong"), "{}", texts[2]);
    }
}

/// That nothing was compared is told by every format, and none of them passes it.
#[test]
fn nothing_compared_is_a_failure() {
    let found = Comparison { extent: Extent::default(), decision: Decision::Incomplete, ..fine() };
    assert!(junit(&found).contains("<failure message=\"Nothing was compared: no strategy"));
    assert!(annotations(&found).starts_with("::error title=Nothing was compared::"));
    let text = markdown(&found, Layout::Family, CAP);
    assert!(
        text.starts_with("## Nothing compared: `ci`\n\nNothing was compared: no strategy has a task"),
        "{text}"
    );
}

/// Where the list has no room for all counters, their numbers stand for them.
#[test]
fn counters_that_are_not_listed_are_counted() {
    let mut found = Comparison {
        counters: vec![counter("pairs/1", "lazy", 5, 7, true)],
        counters_differ: (12_345, 12_345),
        counter_counts: vec![counts("lazy", 12_345, 12_345)],
        decision: Decision::Regression,
        ..fine()
    };
    let text = junit(&found);
    assert!(
        text.contains("12345 counters are not what they were before") && text.contains("and 12344 more"),
        "{text}"
    );
    assert!(annotations(&found).contains("another number of states on 12345 tasks: from 5 to 7 on pairs/1."));
    let text = markdown(&found, Layout::Family, CAP);
    assert!(text.contains("| `lazy` | `pairs` | `states` | 12345 | 12345 |"), "{text}");
    assert!(text.contains("12344 are nowhere listed by task"), "{text}");
    // A family fails also where the list has none of its counters.
    found.counters.clear();
    assert!(junit(&found).contains(" type=\"counter\">"));
}

#[test]
fn names_cannot_break_the_markdown() {
    for odd in ODD {
        for layout in Layout::ALL {
            let text = markdown(&everything(odd), layout, CAP);
            well_formed(&text);
            let plain = markdown(&everything(""), layout, CAP);
            assert_eq!(text.lines().count(), plain.lines().count(), "{odd:?}\n{text}");
        }
    }
}

#[test]
fn names_cannot_break_the_xml() {
    for odd in ODD {
        let comparison = everything(odd);
        let text = junit(&comparison);
        let document = roxmltree::Document::parse(&text).unwrap();
        let all = |name: &str| document.descendants().filter(|n| n.has_tag_name(name)).collect::<Vec<_>>();
        let root = document.root_element();
        let count = |key: &str| root.attribute(key).unwrap().parse::<usize>().unwrap();
        assert_eq!(count("tests"), all("testcase").len());
        assert_eq!(count("failures"), all("failure").len());
        assert_eq!(count("skipped"), all("skipped").len());
        let of_suites = |key: &str| -> usize {
            all("testsuite").iter().map(|s| s.attribute(key).unwrap().parse::<usize>().unwrap()).sum()
        };
        assert_eq!((count("tests"), count("failures")), (of_suites("tests"), of_suites("failures")));
        // The name comes back; characters that XML cannot hold, and line ends, are spelled out.
        let spelled_out = |c: char| c.is_control() || c == '\u{fffe}';
        let kept: String = odd
            .chars()
            .map(|c| if spelled_out(c) { c.escape_default().to_string() } else { c.to_string() })
            .collect();
        let classes: Vec<&str> =
            all("testcase").iter().map(|case| case.attribute("classname").unwrap()).collect();
        assert!(classes.contains(&format!("ci{kept}.eager{kept}").as_str()), "{odd:?}: {classes:?}");
    }
}

#[test]
fn names_cannot_break_the_json() {
    for odd in ODD {
        let comparison = everything(odd);
        let list: Value = serde_json::from_str(&benchmark(&comparison)).unwrap();
        let list = list.as_array().unwrap();
        assert_eq!(list.len(), 4);
        assert_eq!(list[1]["name"], format!("eager{odd}/pairs{odd}"));
        for entry in list {
            assert!(entry["value"].is_number() && entry["unit"] == "ms" && entry["extra"].is_string());
        }
        let metrics: Value = serde_json::from_str(&bencher(&comparison)).unwrap();
        let metrics = metrics.as_object().unwrap();
        assert_eq!(metrics.len(), 5);
        let latency = &metrics[&format!("eager{odd}/pairs{odd}")]["latency"];
        let bound = |key: &str| latency[key].as_f64().unwrap();
        assert!(bound("lower_value") < bound("value") && bound("value") < bound("upper_value"));
    }
}

#[test]
fn names_cannot_break_the_annotations() {
    for odd in ODD {
        let text = annotations(&everything(odd));
        let plain = annotations(&everything(""));
        assert_eq!(text.lines().count(), plain.lines().count(), "{text}");
        for line in text.split_terminator('\n') {
            let (head, _) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
            let (level, title) = head.split_once(" title=").unwrap();
            assert!(["error", "warning"].contains(&level) && !title.contains([',', ':', '\r']), "{line:?}");
        }
    }
}

#[test]
fn of_many_findings_ten_are_annotated() {
    let mut comparison = everything("");
    comparison.tasks = (0..500).map(|n| task(&format!("t/{n}"), "eager", 2.0, Standing::Slower)).collect();
    let text = annotations(&comparison);
    let of = |level: &str| text.lines().filter(|line| line.starts_with(level)).collect::<Vec<_>>();
    let errors = of("::error");
    assert_eq!(errors.len(), 10);
    // Three verdicts, two families, 500 tasks, a counter and the missing records; nine are shown.
    assert!(errors[9].contains("498 findings are not shown"), "{}", errors[9]);
    assert_eq!(of("::warning").len(), 2);
    let text = junit(&comparison);
    assert!(text.contains("and 450 more"), "{text}");
}

/// A comparison of many tasks, families and counters, with names of some length.
fn large(tasks: u32) -> Comparison {
    let strategies: Vec<Arc<str>> = (0..5).map(|n| format!("strategy-{n}").into()).collect();
    let mut comparison = everything("");
    comparison.tasks = (0..tasks)
        .flat_map(|n| strategies.iter().map(move |s| (n, s)))
        .map(|(n, s)| task(&format!("some/family/with-a-name/{n:06}"), s, 1.01, Standing::Same))
        .collect();
    comparison.groups = (0..tasks / 10)
        .map(|n| group("strategy-1", Some(&format!("family-{n}")), Some(1.5), Standing::Slower))
        .collect();
    comparison.statuses.extend((0..tasks / 10).map(|n| {
        status(&format!("t/{n}"), "strategy-2", Status::Timeout, Status::Memout, StatusKind::Other)
    }));
    comparison.counters =
        (0..tasks / 10).map(|n| counter(&format!("t/{n}"), "strategy-3", 1, 2, true)).collect();
    comparison.counters_differ = (u64::from(tasks / 10), u64::from(tasks / 10));
    comparison
}

#[test]
fn a_large_summary_is_cut_between_rows_and_says_so() {
    let comparison = large(20_000);
    for cap in [4_000, 10_000, CAP] {
        for layout in Layout::ALL {
            let text = markdown(&comparison, layout, cap);
            assert!(text.len() <= cap, "{} of {cap}", text.len());
            assert!(text.len() + 1_600 > cap, "room is used: {} of {cap}", text.len());
            well_formed(&text);
            let last = text.lines().last().unwrap();
            assert!(last.starts_with("Left out, since this summary may have"), "{last}");
            // Rows shown and rows left out are all rows.
            let shown = text.lines().filter(|line| line.contains("`family-")).count();
            let left = last.split(' ').zip(last.split(' ').skip(1)).zip(last.split(' ').skip(3));
            let left: usize = left
                .filter(|((_, rows), what)| *rows == "rows" && *what == "slower")
                .filter_map(|((n, _), _)| n.parse::<usize>().ok())
                .sum();
            if layout == Layout::Task {
                assert_eq!(shown + left, 2_000, "{last}");
            }
        }
    }
    assert_eq!(
        markdown(&everything(""), Layout::Task, 0),
        markdown(&everything(""), Layout::Task, 4_000),
        "a cap that is too small is a small one"
    );
}

#[test]
fn the_junit_file_does_not_grow_with_the_tasks() {
    let mut comparison = large(20_000);
    comparison.groups.truncate(3);
    comparison.counters.clear();
    assert!(junit(&comparison).len() < 20_000);
}

#[test]
fn a_name_that_is_too_long_for_bencher_is_cut_and_stays_unique() {
    let long = "x".repeat(2_000);
    let mut comparison = fine();
    comparison.groups =
        (0..3).map(|n| group("s", Some(&format!("{long}{n}")), Some(1.0), Standing::Same)).collect();
    let metrics: Value = serde_json::from_str(&bencher(&comparison)).unwrap();
    let metrics = metrics.as_object().unwrap();
    assert_eq!(metrics.len(), 3);
    assert!(metrics.keys().all(|name| name.chars().count() <= 1024));
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => 1e-9_f64..1e18,
        1 => Just(0.0),
        1 => Just(f64::MAX),
        1 => Just(f64::INFINITY),
        1 => Just(f64::NAN),
        1 => Just(5e-324),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Whatever is in a comparison, also what should not be.
    #[test]
    fn no_number_is_none(
        name in ".{0,40}",
        odd in ".{0,40}",
        numbers in proptest::array::uniform5(number()),
        tasks in 0_u64..3,
        cap in 0_usize..9_000,
    ) {
        let mut comparison = everything(&odd);
        comparison.name = name;
        for group in &mut comparison.groups {
            let [before, after, ratio, low, high] = numbers;
            group.tasks = tasks;
            (group.before_ns, group.after_ns) = (before, after);
            (group.ratio, group.interval) = (Some(ratio), Some((low, high)));
        }
        let finite = |value: &Value| value.as_f64().is_some_and(f64::is_finite);
        let list: Value = serde_json::from_str(&benchmark(&comparison)).unwrap();
        prop_assert!(list.as_array().unwrap().iter().all(|entry| finite(&entry["value"])));
        let metrics: Value = serde_json::from_str(&bencher(&comparison)).unwrap();
        for measure in metrics.as_object().unwrap().values().flat_map(|m| m.as_object().unwrap().values()) {
            prop_assert!(measure.as_object().unwrap().values().all(finite));
        }
        let xml = junit(&comparison);
        let document = roxmltree::Document::parse(&xml).unwrap();
        for node in document.descendants() {
            if let Some(time) = node.attribute("time") {
                prop_assert!(time.parse::<f64>().unwrap().is_finite());
            }
        }
        for layout in Layout::ALL {
            let text = markdown(&comparison, layout, cap);
            prop_assert!(text.len() <= cap.max(4_000));
            prop_assert!(!text.contains("NaN"));
        }
        prop_assert!(!annotations(&comparison).contains("NaN"));
    }
}
