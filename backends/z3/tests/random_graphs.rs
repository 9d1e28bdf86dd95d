//! The strategies of this crate against each other on random graphs: none may say `sat` where another says
//! `unsat`. Models are checked by the strategies themselves, so a disagreement is a wrong `unsat`.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

use std::collections::BTreeMap;
use std::time::Duration;

use backends_api::{BackendError, Budget, Probe, Strategy};
use backends_bitvector::{Mode, Refusals, strategy};
use backends_graph::Options;
use backends_z3::{NativeStrategy, Z3BitVectors, Z3Integers};
use generators::ParamValue;
use harness_model::{Alphabet, Task, Verdict};

/// The strategy `graph-bitvector` in this mode, on Z3.
fn on_bitvectors(mode: Mode) -> impl Strategy {
    strategy::strategy(mode.name().to_owned(), mode, Options::default(), Z3BitVectors, Z3Integers::default())
}

fn graphs(count: i64, edges: i64, kinds: &str, seed: u64) -> Vec<Task> {
    let params = BTreeMap::from([
        ("count".to_owned(), ParamValue::Int(count)),
        ("edges".to_owned(), ParamValue::Int(edges)),
        ("kinds".to_owned(), ParamValue::Text(kinds.to_owned())),
    ]);
    generators::generate("random-graphs", &params, seed, &[Alphabet::Ascii]).unwrap()
}

/// What each strategy says within the limit; `None` where it says nothing.
fn ask(strategy: &dyn Strategy, task: &Task, limit: Duration) -> Option<Verdict> {
    let (budget, probe) = (Budget::with_time(limit), Probe::new());
    let answered = strategy.prepare(&task.question, &budget, &probe).and_then(|mut run| run.run(&probe));
    match answered {
        Ok(outcome) => Some(outcome.answers[0].verdict).filter(|v| *v != Verdict::Unknown),
        Err(BackendError::Stopped(_) | BackendError::Unsupported(_)) => None,
        Err(error) => panic!("{}: {}: {error}", strategy.info().name, task.id),
    }
}

#[test]
fn no_strategy_contradicts_another() {
    let count: i64 = std::env::var("GRAPHS").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let limit = Duration::from_millis(500);
    let mut strategies: Vec<Box<dyn Strategy>> = vec![Box::new(NativeStrategy)];
    strategies.extend(Mode::all(Refusals::default()).map(|mode| Box::new(on_bitvectors(mode)) as Box<_>));
    let mut answered = vec![0; strategies.len()];
    let mut wrong = Vec::new();
    for (kinds, edges) in [("good", 5), ("thesis-4.2", 10), ("small", 3)] {
        for task in graphs(count, edges, kinds, 7) {
            let said: Vec<Option<Verdict>> = strategies.iter().map(|s| ask(&**s, &task, limit)).collect();
            said.iter().zip(&mut answered).for_each(|(s, n)| *n += i64::from(s.is_some()));
            if said.contains(&Some(Verdict::Sat)) && said.contains(&Some(Verdict::Unsat)) {
                wrong.push(format!("{}: {said:?}\n{}", task.id, task.question.as_script().unwrap().text));
            }
        }
    }
    for (strategy, answered) in strategies.iter().zip(&answered) {
        println!("{}: {answered} of {}", strategy.info().name, count * 3);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(answered.iter().all(|&n| n * 2 > count * 3), "{answered:?}");
}
