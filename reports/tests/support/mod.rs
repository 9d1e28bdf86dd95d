//! Datasets made up from a seed: the shape of a real run, with numbers that nobody measured.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "shared by tests that each use a part of it"
)]

use std::time::Duration;

use harness_model::judgement::{Disagreement, Judgement};
use harness_model::limits::Sampling;
use harness_model::record::{
    PhaseTime, Record, RecordVersion, RunKey, Termination, TimeLimit, Usage, WarmTime,
};
use harness_model::run::{Machine, ReportSpec, RunInfo, StrategyRow};
use harness_model::{
    Alphabet, Answer, Dialect, Limits, Named, Operation, OperationKind, Question, RegexSource, Status, Task,
    Verdict,
};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use reports::{Dataset, Row};

/// A run called `name` of `strategies`.
pub fn run_info(name: &str, strategies: &[&str], tasks: u64, planned: u64) -> RunInfo {
    RunInfo {
        version: RecordVersion::CURRENT,
        name: name.to_owned(),
        config: String::new(),
        fingerprint: "0123456789abcdef".to_owned(),
        tasks_digest: None,
        seed: 1,
        workers: 2,
        limits: Limits { wall: Duration::from_secs(60), cpu: Duration::from_secs(60), memory: 1 << 30 },
        sampling: Some(Sampling { total: Duration::from_millis(20), max_samples: 100 }),
        repeats: 1,
        planned,
        tasks,
        strategies: strategies
            .iter()
            .map(|name| {
                let (family, options) = resolved(name);
                let own = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
                StrategyRow {
                    name: (*name).to_owned(),
                    backend: name.split('-').next().unwrap().to_owned(),
                    version: "0.1.0".to_owned(),
                    summary: "a made-up strategy".to_owned(),
                    family: family.to_owned(),
                    options: options.into_iter().map(own).collect(),
                    canonical: (*name).to_owned(),
                }
            })
            .collect(),
        skipped: Vec::new(),
        left_out: Vec::new(),
        overrides: Default::default(),
        machine: Machine {
            cpu: "Made-up processor at 3 GHz".to_owned(),
            cores: 2,
            memory_bytes: 8 << 30,
            kernel: "6.1".to_owned(),
            os: "Debian GNU/Linux 12".to_owned(),
        },
        versions: [("harness".to_owned(), "0.1.0".to_owned())].into(),
        started_unix_s: 1e9,
        report: ReportSpec::default(),
    }
}

/// The family and the options of a strategy by its listed name, as the registry resolves it; made-up ones
/// have none.
fn resolved(name: &str) -> (&'static str, Vec<(&'static str, &'static str)>) {
    const ALGEBRAS: [&str; 5] = ["bdd", "predicate", "ranges", "hashset", "pairs"];
    let has = |word: &str| name.split('-').any(|own| own == word);
    let algebra = || ("algebra", ALGEBRAS.into_iter().find(|algebra| has(algebra)).unwrap());
    let order = ["cheapest-first", "positive-first"].into_iter().find(|order| name.ends_with(order));
    let rules = ["thesis", "spf"].into_iter().find(|rules| has(rules));
    let rules = ("rules", rules.unwrap_or("sound"));
    let graph = [rules, ("order", order.unwrap_or("as-given")), ("max", "none")];
    let with = |mode, rules| vec![("mode", mode), ("rules", rules), ("split", "narrow")];
    let mode = |mode| with(mode, "true");
    match name {
        "hybrid" => ("hybrid", mode("staged")),
        "hybrid-full" => ("hybrid", mode("full")),
        "hybrid-relaxed" => ("hybrid", mode("relaxed")),
        "hybrid-no-rules" => ("hybrid", with("full", "false")),
        "automata-only" => ("automata-only", vec![]),
        "parray+automata" => ("parray+automata", vec![("method", "mbqi")]),
        "parray+automata+qelim" => ("parray+automata", vec![("method", "qelim-iterative")]),
        "parray-mbqi" => ("parray", vec![("method", "mbqi"), ("simplify", "true")]),
        "parray-concrete" => ("parray", vec![("method", "concrete"), ("simplify", "true")]),
        "brics-lazy" => ("driver", vec![("library", "brics"), ("results", "lazy")]),
        _ if name.starts_with("sfa-") => {
            let minterms = ["refine", "cubes"].into_iter().find(|minterms| has(minterms));
            let mut options = vec![algebra(), ("minterms", minterms.unwrap_or("rank-order"))];
            options.push(("mode", if has("eager") { "eager" } else { "lazy" }));
            options.push(("order", if has("bfs") { "breadth-first" } else { "depth-first" }));
            options.push(("once", "false"));
            options.push(("equal-labels", if has("separate") { "separate" } else { "merged" }));
            ("sfa", options)
        }
        _ if name.starts_with("graph-automata-") => {
            let (negatives, refusals) =
                if has("published") { ("first-words", "taken") } else { ("search", "minimised") };
            let own = [("languages", "guessed"), ("negatives", negatives), ("refusals", refusals)];
            ("graph-automata", [&[algebra()][..], &own[..], &graph[..]].concat())
        }
        _ if name.starts_with("graph-bitvector") => {
            let mode = if has("all") { "all" } else { "edge-by-edge" };
            let refusals = if has("published") { "taken" } else { "connected" };
            ("graph-bitvector", [&[("mode", mode), ("refusals", refusals)][..], &graph[..]].concat())
        }
        _ => ("", vec![]),
    }
}

/// A task of one operation, in the study's family.
pub fn task(alphabet: Alphabet, kind: OperationKind, left: &str, right: &str) -> Task {
    let source = |name: &str| RegexSource {
        find: false,
        name: name.to_owned(),
        pattern: String::new(),
        dialect: Dialect::Dotnet,
    };
    Task {
        parameters: Default::default(),
        id: format!("regexes/li2009/{alphabet}/{kind}/{left}-{right}"),
        family: format!("regexes/li2009/{kind}"),
        question: Question::of_operations(
            alphabet,
            vec![source(left), source(right)],
            vec![Operation { kind, left: 0, right: 1 }],
        ),
        expected: None,
    }
}

/// A row of `task` by `strategy`: with that status, and with the time in seconds where it is an answer.
pub fn row(task: &Task, strategy: &str, status: Status, solve_s: f64) -> Row {
    let ns = |s: f64| (s * 1e9) as u64;
    let short = solve_s < 0.001;
    let answered = matches!(status, Status::Answered(_) | Status::Wrong | Status::InvalidModel);
    let warm = WarmTime {
        samples: 40,
        median_ns: ns(solve_s),
        mad_ns: ns(solve_s * 0.02),
        min_ns: ns(solve_s * 0.95),
        max_ns: ns(solve_s * 1.3),
    };
    let phases = [
        ("prepare".to_owned(), PhaseTime { cold_ns: 400_000, warm: None }),
        (
            "solve".to_owned(),
            PhaseTime {
                cold_ns: ns(if short { solve_s * 1.5 } else { solve_s }),
                warm: short.then_some(warm),
            },
        ),
    ];
    let answers = match status {
        Status::Answered(verdict) => vec![Answer::of(verdict)],
        _ => Vec::new(),
    };
    let wall = if answered { solve_s + 0.002 } else { 60.0 };
    Row {
        record: Record {
            version: RecordVersion::CURRENT,
            key: RunKey { task: task.id.clone(), strategy: strategy.to_owned(), repeat: 0 },
            family: task.family.as_str().into(),
            alphabet: task.question.alphabet,
            termination: match status {
                Status::Timeout => Termination::Timeout(TimeLimit::Wall),
                Status::Memout => Termination::Memout,
                Status::Crash => Termination::Signal(6),
                Status::Unsupported => Termination::Unsupported("difference".to_owned()),
                _ => Termination::Answered,
            },
            answers,
            usage: Some(Usage {
                wall_ns: ns(wall),
                cpu_ns: ns(wall * 0.98),
                peak_rss_bytes: 4_000_000 + ns(solve_s.min(1.0)) / 10,
            }),
            method: "made up".into(),
            phases: if answered { phases.into() } else { Named::new() },
            counters: Named::new(),
            stderr: String::new(),
            started_unix_s: 1e9,
            core: Some(0),
        },
        judgement: Judgement {
            status,
            expected: None,
            witness: (status == Status::Answered(Verdict::Nonempty)).then(|| "a,b".to_owned()),
            detail: match status {
                Status::Timeout => "wall limit of 60 s".to_owned(),
                Status::Wrong => "said empty, but \"ab\" is a witness".to_owned(),
                _ => String::new(),
            },
        },
    }
}

/// Strategies of the large dataset.
pub const STRATEGIES: [&str; 20] = [
    "classes-lazy",
    "sfa-bdd-eager",
    "sfa-bdd-lazy",
    "sfa-ranges-eager",
    "sfa-ranges-lazy",
    "sfa-hashset-eager",
    "sfa-hashset-lazy",
    "sfa-predicate-eager",
    "sfa-predicate-lazy",
    "sfa-bdd-eager-refine",
    "sfa-bdd-lazy-refine",
    "sfa-ranges-eager-refine",
    "sfa-ranges-lazy-refine",
    "sfa-hashset-lazy-refine",
    "sfa-predicate-lazy-cubes",
    "sfa-bdd-lazy-bfs",
    "sfa-ranges-lazy-bfs",
    "peer-one",
    "peer-two",
    "peer-three",
];

/// The study's 155 pairs in `alphabets` by the first `strategies` of [`STRATEGIES`], with time-outs, mem-outs
/// and what is unsupported; and, where `flawed`, wrong verdicts, a disagreement and missing records.
pub fn large(seed: u64, strategies: usize, alphabets: &[Alphabet], flawed: bool) -> Dataset {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut uniform = move || f64::from(rng.next_u32()) / 4_294_967_296.0;
    let names = &STRATEGIES[..strategies];
    let mut tasks = Vec::new();
    for &alphabet in alphabets {
        for i in 0..10 {
            for j in 0..10 {
                let (left, right) = (format!("A{i}"), format!("A{j}"));
                if i <= j {
                    tasks.push(task(alphabet, OperationKind::Product, &left, &right));
                }
                tasks.push(task(alphabet, OperationKind::Difference, &left, &right));
            }
        }
    }
    let mut rows = Vec::new();
    for task in &tasks {
        let hard = ["A6", "A8"].iter().filter(|name| task.id.contains(**name)).count();
        let base =
            1e-5 * 10f64.powf(1.5 * uniform() + 2.2 * uniform() * f64::from(u8::try_from(hard).unwrap()));
        let empty = uniform() < 0.3;
        for (place, name) in names.iter().enumerate() {
            let wide = task.question.alphabet > Alphabet::Latin1;
            let mut factor = 1.0 + f64::from(u8::try_from(place).unwrap()) * 0.35;
            if name.contains("eager") {
                factor *= if empty { 1.1 } else { 20.0 };
            }
            if name.contains("predicate") {
                factor *= 60.0;
            }
            if name.contains("hashset") && wide {
                factor *= 3000.0;
            }
            if name.contains("sfa") && hard == 2 {
                factor *= 1e4;
            }
            let time = base * factor * 10f64.powf(0.5 * uniform());
            let verdict = if empty { Verdict::Empty } else { Verdict::Nonempty };
            let status = if name.contains("peer-three") && task.family.contains("difference") {
                Status::Unsupported
            } else if time > 60.0 {
                if uniform() < 0.2 { Status::Memout } else { Status::Timeout }
            } else if flawed && *name == "peer-two" && uniform() < 0.02 {
                Status::Wrong
            } else {
                Status::Answered(verdict)
            };
            let mut row = row(task, name, status, time);
            if name.starts_with("sfa") {
                let sizes = reports::layout::figure_3_7::figures().unwrap();
                let left = &task.question.as_operations().unwrap().regexes[0].name;
                let size = sizes.iter().find(|size| size.automaton == *left).unwrap();
                row.record.counters = [
                    ("left_states".to_owned(), size.states),
                    ("left_epsilon_moves".to_owned(), size.epsilon_moves),
                    ("left_moves".to_owned(), size.moves + u64::from(flawed && left == "A3")),
                ]
                .into();
            }
            if !(flawed && uniform() < 0.001) {
                rows.push(row);
            }
        }
    }
    let disagreements = if flawed {
        vec![Disagreement {
            task: tasks[0].id.clone(),
            operation: 0,
            said: vec![
                ("peer-one".to_owned(), Verdict::Empty),
                ("peer-two".to_owned(), Verdict::Nonempty),
                ("classes-lazy".to_owned(), Verdict::Nonempty),
            ],
            settled: Some("the witness \"a<b>_c_\" checks".to_owned()),
        }]
    } else {
        Vec::new()
    };
    let planned = (tasks.len() * names.len()) as u64;
    let mut run = run_info("synthetic", names, tasks.len() as u64, planned);
    run.report.layouts =
        ["figure-3.7", "figure-3.8", "figure-3.9", "figure-3.10"].map(str::to_owned).to_vec();
    Dataset::new(run, tasks, rows, disagreements, Vec::new())
}
