//! The integer solver: right, small, incremental.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

use backends_api::Budget;
use backends_graph::{IntAnswer, IntFormula, IntValues, IntVertex, IntegerSolver, IntegerSolvers, Sum};
use backends_z3::Z3Integers;
use backends_z3::integers::LinearSolver;
use harness_model::int::Int;
use proptest::prelude::*;

fn v(index: usize) -> Sum {
    Sum::from(IntVertex::at(index))
}

fn declared(count: usize) -> LinearSolver {
    let mut solver = LinearSolver::default();
    (0..count).for_each(|i| solver.declare(IntVertex::at(i)));
    solver
}

fn solve(solver: &mut LinearSolver, small: &[usize]) -> Option<IntValues> {
    let small: Vec<IntVertex> = small.iter().map(|&i| IntVertex::at(i)).collect();
    match solver.solve(&small, &Budget::unlimited()).unwrap() {
        IntAnswer::Sat(values) => Some(values),
        IntAnswer::Unsat => None,
        IntAnswer::Unknown(why) => panic!("{why}"),
    }
}

fn of(values: &IntValues, index: usize) -> i64 {
    values.get(IntVertex::at(index)).small().unwrap()
}

#[test]
fn the_sum_is_least_and_then_each_in_turn() {
    let mut solver = declared(3);
    for i in 0..3 {
        solver.assert(&Sum::from(0_i64).le(&v(i)));
    }
    solver.assert(&Sum::from(5_i64).le(&v(0).add(&v(1))));
    solver.assert(&v(0).le(&v(2)));
    // 0 + 5 + 0 is least; the first alone could not tell.
    let values = solve(&mut solver, &[0, 1, 2]).unwrap();
    assert_eq!([of(&values, 0), of(&values, 1), of(&values, 2)], [0, 5, 0]);
    // Each guess that is excluded gives the next larger one.
    let mut sums = Vec::new();
    for _ in 0..10 {
        let values = solve(&mut solver, &[0, 1, 2]).unwrap();
        sums.push((0..3).map(|i| of(&values, i)).sum::<i64>());
        let excluded = (0..3).map(|i| v(i).ne(&Sum::from(of(&values, i))));
        solver.assert(&IntFormula::or(excluded));
    }
    assert_eq!(sums, [5, 6, 6, 6, 7, 7, 7, 7, 7, 7]);
}

/// Every guess but the first costs fewer checks than a solver that has not seen the ones before.
#[test]
fn what_was_least_before_saves_checks() {
    let build = || {
        let mut solver = declared(4);
        for i in 0..4 {
            solver.assert(&Sum::from(1_i64).le(&v(i)));
        }
        solver.assert(&Sum::from(4_i64).le(&v(0).add(&v(1))));
        solver.assert(&v(0).add(&v(1)).le(&v(2)));
        solver
    };
    let (mut old, mut excluded) = (build(), Vec::new());
    let (mut with, mut without) = (0, 0);
    for _ in 0..12 {
        let before = old.checks();
        let values = solve(&mut old, &[0, 1, 2, 3]).unwrap();
        with += old.checks() - before;
        let mut new = build();
        excluded.iter().for_each(|clause| new.assert(clause));
        let again = solve(&mut new, &[0, 1, 2, 3]).unwrap();
        without += new.checks();
        assert_eq!(
            (0..4).map(|i| of(&values, i)).collect::<Vec<_>>(),
            (0..4).map(|i| of(&again, i)).collect::<Vec<_>>()
        );
        let clause = IntFormula::or((0..4).map(|i| v(i).ne(&Sum::from(of(&values, i)))));
        old.assert(&clause);
        excluded.push(clause);
    }
    println!("{with} checks, {without} by fresh solvers");
    assert!(with * 4 < without * 3, "{with} {without}");
}

#[test]
fn levels_are_undone() {
    let mut solver = declared(2);
    solver.assert(&Sum::from(3_i64).le(&v(0)));
    assert_eq!(of(&solve(&mut solver, &[0]).unwrap(), 0), 3);
    solver.push();
    solver.assert(&Sum::from(7_i64).lt(&v(0)));
    assert_eq!(of(&solve(&mut solver, &[0]).unwrap(), 0), 8);
    solver.push();
    solver.assert(&v(0).lt(&Sum::from(8_i64)));
    assert_eq!(solve(&mut solver, &[0]), None);
    solver.pop();
    assert_eq!(of(&solve(&mut solver, &[0]).unwrap(), 0), 8);
    solver.pop();
    assert_eq!(of(&solve(&mut solver, &[0]).unwrap(), 0), 3);
    // More pops than pushes change nothing.
    solver.pop();
    assert_eq!(of(&solve(&mut solver, &[0]).unwrap(), 0), 3);
}

#[test]
fn numbers_beyond_64_bits() {
    let mut solver = declared(1);
    let huge: Int = "123456789012345678901234567890".parse().unwrap();
    solver.assert(&Sum::from(huge.clone()).lt(&v(0)));
    let values = solve(&mut solver, &[0]).unwrap();
    assert_eq!(*values.get(IntVertex::at(0)), huge.add(&Int::from(1_i64)));
}

#[test]
fn unbounded_below_stops_at_zero_and_false_is_unsat() {
    let mut solver = declared(1);
    let values = solve(&mut solver, &[0]).unwrap();
    assert!(of(&values, 0) <= 0);
    solver.assert(&IntFormula::Bool(false));
    assert_eq!(solve(&mut solver, &[0]), None);
}

#[test]
fn an_exhausted_budget_stops_it() {
    let solvers = Z3Integers::default();
    let mut solver = solvers.solver().unwrap();
    solver.declare(IntVertex::at(0));
    assert!(solver.solve(&[], &Budget::with_time(std::time::Duration::ZERO)).is_err());
}

const RANGE: i64 = 4;
const COUNT: usize = 3;

fn sums() -> impl Strategy<Value = Sum> {
    (prop::collection::vec(-2_i64..=2, COUNT), -6_i64..=6).prop_map(|(factors, constant)| {
        let zero = Sum::from(constant);
        factors.iter().enumerate().fold(zero, |sum, (i, &f)| sum.plus(&v(i), &Int::from(f)))
    })
}

fn formulas() -> impl Strategy<Value = IntFormula> {
    let zero = || Sum::from(0_i64);
    let atom = (sums(), 0..3).prop_map(move |(sum, kind)| match kind {
        0 => sum.le(&zero()),
        1 => sum.eq(&zero()),
        _ => sum.ne(&zero()),
    });
    atom.prop_recursive(2, 8, 3, |inner| {
        let parts = prop::collection::vec(inner, 2..4);
        prop_oneof![parts.clone().prop_map(IntFormula::and), parts.prop_map(IntFormula::or),]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Against every assignment of a small box.
    #[test]
    fn agrees_with_enumeration(formulas in prop::collection::vec(formulas(), 1..4)) {
        let mut solver = declared(COUNT);
        for i in 0..COUNT {
            solver.assert(&Sum::from(-RANGE).le(&v(i)));
            solver.assert(&v(i).le(&Sum::from(RANGE)));
        }
        formulas.iter().for_each(|f| solver.assert(f));
        let width = usize::try_from(2 * RANGE + 1).unwrap();
        let all = (0..width.pow(3)).map(|n| {
            [n / width / width, n / width % width, n % width].map(|d| i64::try_from(d).unwrap() - RANGE)
        });
        let holds = |point: &[i64; COUNT]| {
            formulas.iter().all(|f| f.eval(&|vertex: IntVertex| Int::from(point[vertex.index()])))
        };
        let mut all: Vec<[i64; COUNT]> = all.filter(holds).collect();
        all.sort_by_key(|p| (p.iter().sum::<i64>(), *p));
        // One after the other, each excluded once it was found; later ones may rest on what was found before.
        let mut all = all.into_iter();
        for _ in 0..12 {
            let found = solve(&mut solver, &[0, 1, 2]).map(|values| [0, 1, 2].map(|i| of(&values, i)));
            prop_assert_eq!(found, all.next());
            let Some(found) = found else { break };
            solver.assert(&IntFormula::or((0..COUNT).map(|i| v(i).ne(&Sum::from(found[i])))));
        }
    }
}
