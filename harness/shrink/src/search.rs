//! The search: from a question to a small one that still shows the same.
//!
//! The question is first reduced to one `check-sat` or one operation, where one alone shows it, then the
//! passes are made one after the other, each from coarse to fine, until none of them finds anything smaller.
//! After a find a pass goes on where it was, for what came before has been tried on nearly the same question.
//! What is found is never longer than what was given, unless only one of several queries or operations is
//! left. In the end what was found is confirmed: if it does not show it every time, the smallest one before
//! it that does is taken.

use harness_exec::Executor;
use harness_model::{Question, QuestionKind};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use crate::bench::{Bench, Broken, End};
use crate::interest::{Interest, Kind, shown};
use crate::outlier::Outlier;
use crate::pass::{self, Change, PASSES, Pass};
use crate::script;

/// How a search is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Decides the order in which changes that save about as much are tried; 0 is the order of the text.
    pub seed: u64,
    /// How often what is found has to show it.
    pub confirm: u32,
}

/// A step of a search, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was tried.
    pub pass: &'static str,
    /// How long the text is now, in bytes.
    pub bytes: usize,
    /// How many candidates were run.
    pub tried: u64,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Shrunk {
    /// The smallest question.
    pub question: Question,
    /// What it shows.
    pub interest: Interest,
    /// Why the search ended before nothing smaller was found.
    pub end: Option<End>,
    /// How often it was run again in the end, and how often it showed it then.
    pub confirmed: (u32, u32),
    /// How many smaller ones did not show it often enough.
    pub unsteady: usize,
    /// How many candidates were run.
    pub tried: u64,
}

/// How many questions are run again in the end until one shows it every time.
const STEPS_BACK: usize = 20;

/// Makes `question`, which shows `interest`, smaller.
///
/// # Errors
///
/// When no worker can be started.
pub fn shrink<E: Executor>(
    bench: &mut Bench<E>,
    question: Question,
    interest: Interest,
    plan: Plan,
    watch: &mut dyn FnMut(Step),
) -> Result<Shrunk, Broken> {
    let given = question;
    let (question, interest) = alone(bench, given.clone(), interest, watch)?;
    // A part may show it with other answers than the whole, so the whole is no result then.
    let whole = given.asked() == question.asked() && given != question;
    let history = if whole { vec![given, question] } else { vec![question] };
    let mut search = Search { bench, interest, plan, watch, history, lists: 0 };
    loop {
        let before = search.history.len();
        for pass in PASSES {
            search.sweep(pass)?;
        }
        if search.history.len() == before || search.bench.ended().is_some() {
            break;
        }
    }
    let end = search.bench.ended();
    // The plain form may be longer than what was given.
    let first = pass::size(&search.history[0]);
    let mut place = 0;
    search.history.retain(|question| {
        place += 1;
        place == 1 || pass::is_smaller(question, first)
    });
    search.confirmed(end)
}

/// Each query of a script in its plain form, each of several operations, as a question of its own with its
/// number; those that cannot be written alone are left out.
pub fn parts(question: &Question) -> Box<dyn Iterator<Item = (usize, Question)> + '_> {
    match &question.kind {
        QuestionKind::Script(script) => Box::new(script::single_queries(&script.text, question.alphabet)),
        QuestionKind::Operations(asked) if asked.operations.len() > 1 => {
            let one = |i: usize| Some((i, pass::only(asked, &[i], question.alphabet)?));
            Box::new((0..asked.operations.len()).filter_map(one))
        }
        QuestionKind::Operations(_) | QuestionKind::System(_) | QuestionKind::Grammars(_) => {
            Box::new(std::iter::empty())
        }
    }
}

/// One query or operation of several, where it shows the same alone; a script in its plain form, where that
/// does.
fn alone<E: Executor>(
    bench: &mut Bench<E>,
    question: Question,
    interest: Interest,
    watch: &mut dyn FnMut(Step),
) -> Result<(Question, Interest), Broken> {
    let mut single = parts(&question);
    let mut step = |question: &Question, tried| {
        watch(Step { pass: "one query", bytes: pass::length(question), tried });
    };
    if question.asked() == 1 {
        if let Some((_, only)) = single.next()
            && let Some((_, found)) = bench.first(&interest, 1, &|_| Some(only.clone()))?
        {
            step(&found, bench.tried());
            return Ok((found, interest));
        }
        drop(single);
        return Ok((question, interest));
    }
    for (_, one) in single.by_ref() {
        if bench.ended().is_some() {
            break;
        }
        if let Some(interest) = same_alone(bench, &one, &interest)? {
            step(&one, bench.tried());
            return Ok((one, interest));
        }
    }
    Ok((question.clone(), interest))
}

/// What a part of a question shows alone, where that is the same fault of the same strategies.
fn same_alone<E: Executor>(
    bench: &mut Bench<E>,
    one: &Question,
    whole: &Interest,
) -> Result<Option<Interest>, Broken> {
    let places: Vec<usize> = whole.wants.iter().map(|want| want.strategy).collect();
    let Some(records) = bench.records(one, &places)? else { return Ok(None) };
    let all = shown(one, &records);
    let found = match (whole.kind, &whole.outlier) {
        (Kind::Outlier, Some(outlier)) => Interest::outlier(Outlier::clone(outlier), 0, 1, &all).ok(),
        (Kind::Asked, _) => {
            let statuses: Vec<_> =
                whole.wants.iter().enumerate().map(|(i, want)| (i, want.shown.status)).collect();
            Interest::asked(&statuses, &all).ok()
        }
        (kind, _) => Interest::of_kind(kind, &all),
    };
    let Some(mut found) = found else { return Ok(None) };
    for want in &mut found.wants {
        want.strategy = places[want.strategy];
    }
    let same = found.wants.len() == whole.wants.len()
        && found
            .wants
            .iter()
            .zip(&whole.wants)
            .all(|(a, b)| (a.strategy, &a.shown.cause) == (b.strategy, &b.shown.cause));
    Ok(if same && bench.holds(one, &found)? == Some(true) { Some(found) } else { None })
}

struct Search<'a, E> {
    bench: &'a mut Bench<E>,
    interest: Interest,
    plan: Plan,
    watch: &'a mut dyn FnMut(Step),
    /// What was found, the smallest one last, before it what was given; never empty.
    history: Vec<Question>,
    /// How many lists of changes were drawn up.
    lists: u64,
}

impl<E: Executor> Search<'_, E> {
    fn smallest(&self) -> &Question {
        // The history is never empty.
        &self.history[self.history.len() - 1]
    }

    /// Makes one pass, from coarse to fine.
    fn sweep(&mut self, pass: &Pass) -> Result<(), Broken> {
        for grain in (pass.grains)(self.smallest()) {
            let mut from = 0;
            loop {
                if self.bench.ended().is_some() {
                    return Ok(());
                }
                let now = self.smallest().clone();
                let mut changes = (pass.changes)(&now, grain);
                self.lists += 1;
                shuffled(&mut changes, self.plan.seed, self.lists);
                let left = changes.get(from..).unwrap_or_default();
                let size = pass::size(&now);
                let make = |number: usize| {
                    let made = left.get(number)?.apply(&now)?;
                    pass::is_smaller(&made, size).then_some(made)
                };
                let Some((number, found)) = self.bench.first(&self.interest, left.len(), &make)? else {
                    break;
                };
                (self.watch)(Step {
                    pass: pass.name,
                    bytes: pass::length(&found),
                    tried: self.bench.tried(),
                });
                self.history.push(found);
                from += number;
            }
        }
        Ok(())
    }

    /// The smallest question that shows it every time.
    fn confirmed(self, end: Option<End>) -> Result<Shrunk, Broken> {
        let times = self.plan.confirm;
        let mut first = None;
        let last = self.history.len() - 1;
        for back in 0..self.history.len().min(STEPS_BACK) {
            let question = self.history[last - back].clone();
            let mut held = 0;
            for _ in 0..times {
                match self.bench.holds(&question, &self.interest)? {
                    Some(true) => held += 1,
                    // How often is told of the smallest one alone.
                    Some(false) if back > 0 => break,
                    Some(false) => {}
                    // Stopped: what is there is given as it is.
                    None => return Ok(self.result(last - back, Some(End::Stopped), (times, held))),
                }
            }
            if held == times {
                return Ok(self.result(last - back, end, (times, held)));
            }
            first.get_or_insert(held);
        }
        Ok(self.result(last, end, (times, first.unwrap_or(0))))
    }

    fn result(self, place: usize, end: Option<End>, confirmed: (u32, u32)) -> Shrunk {
        let unsteady = self.history.len() - 1 - place;
        let tried = self.bench.tried();
        let question = self.history.into_iter().nth(place);
        #[expect(clippy::expect_used, reason = "the place is one of the history")]
        let question = question.expect("a question of the history");
        Shrunk { question, interest: self.interest, end, confirmed, unsteady, tried }
    }
}

/// Changes in another order, among neighbours that save about as much.
fn shuffled(changes: &mut [Change], seed: u64, list: u64) {
    if seed == 0 {
        return;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(list);
    let alike = |a: &Change, b: &Change| a.saves().checked_ilog2() == b.saves().checked_ilog2();
    for group in changes.chunk_by_mut(alike) {
        for last in (1..group.len()).rev() {
            let wide = u128::from(rng.next_u64()) * (last as u128 + 1);
            group.swap(last, usize::try_from(wide >> 64).unwrap_or(0));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use harness_exec::fake::{self, FakeExecutor};
    use harness_exec::{Execution, Job};
    use harness_model::record::{Termination, Usage};
    use harness_model::{Alphabet, Answer, Dialect, Operation, OperationKind, RegexSource, Verdict};

    use super::*;
    use crate::bench::testkit;
    use crate::outlier::Measure;

    fn bench<F: FnMut(&Job) -> Execution + Send + Clone>(
        workers: usize,
        behave: F,
    ) -> Bench<FakeExecutor<F>> {
        testkit::bench(workers, ["right", "wrong"], behave)
    }

    fn found<E: Executor>(bench: &mut Bench<E>, question: &Question) -> Interest {
        let records = bench.records(question, &[0, 1]).unwrap().unwrap();
        Interest::find(&shown(question, &records)).unwrap()
    }

    const PLAN: Plan = Plan { seed: 0, confirm: 2 };

    fn answered(verdicts: impl IntoIterator<Item = Verdict>) -> Execution {
        let mut reply = fake::reply(Termination::Answered);
        reply.answers = verdicts.into_iter().map(Answer::of).collect();
        Execution::Done(reply)
    }

    /// Says `unsat`; the wrong one says `sat` of each query whose script has all of these.
    fn parts(job: &Job, needles: &[&str]) -> Execution {
        let script = job.question.as_script().unwrap();
        let lies = job.key.strategy == "wrong" && needles.iter().all(|needle| script.text.contains(needle));
        answered(vec![if lies { Verdict::Sat } else { Verdict::Unsat }; script.queries])
    }

    fn script(assertions: usize) -> Question {
        let mut text = "(set-logic QF_SLIA)\n".to_owned();
        for n in 0..assertions {
            text.push_str(&format!("(declare-const first{n} String)\n(declare-const number{n} Int)\n"));
        }
        for n in 0..assertions {
            let other = (n * 7 + 3) % assertions;
            let needle = if n == assertions / 2 {
                format!("(str.replace_all first{n} \"needle\" first{other})")
            } else {
                format!("(str.++ first{n} \"plain {n}\")")
            };
            text.push_str(&format!(
                "(assert (let ((long (str.len first{other}))) (or (= first{n} {needle}) (and (> number{n} (+ long {n})) (not (= long 3))))))\n"
            ));
        }
        text.push_str("(check-sat)\n(get-model)\n");
        script::checked(&text, Alphabet::Unicode).unwrap()
    }

    #[test]
    fn a_disagreement_in_a_large_script_becomes_a_line_or_two() {
        let behave = |job: &Job| parts(job, &["str.replace_all", "needle"]);
        let start = script(40);
        let shrunk = |workers, seed| {
            let mut bench = bench(workers, behave);
            let interest = found(&mut bench, &start);
            assert_eq!(interest.kind, Kind::Disagreement);
            shrink(&mut bench, start.clone(), interest, Plan { seed, ..PLAN }, &mut |_| {}).unwrap()
        };
        let one = shrunk(1, 0);
        let text = &one.question.as_script().unwrap().text;
        assert!(text.len() < 130 && text.contains("str.replace_all") && text.contains("needle"), "{text}");
        assert_eq!((one.end, one.confirmed, one.unsteady), (None, (2, 2), 0));
        for workers in [2, 3] {
            assert_eq!(shrunk(workers, 0).question, one.question, "{workers} workers");
        }
        let (a, b) = (shrunk(1, 7), shrunk(2, 7));
        assert_eq!(a.question, b.question);
        assert!(pass::length(&a.question) < 150);
    }

    #[test]
    fn of_several_queries_the_one_is_found() {
        let text = "(declare-const x String)(push 1)(assert (= x \"a\"))(check-sat)(pop 1)\
                    (push 1)(assert (= x \"needle\"))(check-sat)(pop 1)(check-sat)";
        let start = script::checked(text, Alphabet::Unicode).unwrap();
        let behave = |job: &Job| {
            let script = job.question.as_script().unwrap();
            let lies = |query: usize| {
                job.key.strategy == "wrong"
                    && script.text.contains("needle")
                    && (script.queries == 1 || query == 1)
            };
            answered((0..script.queries).map(|query| if lies(query) { Verdict::Sat } else { Verdict::Unsat }))
        };
        let mut bench = bench(2, behave);
        let interest = found(&mut bench, &start);
        let shrunk = shrink(&mut bench, start, interest, PLAN, &mut |_| {}).unwrap();
        let text = &shrunk.question.as_script().unwrap().text;
        assert_eq!(shrunk.question.asked(), 1, "{text}");
        assert!(text.contains("needle") && !text.contains("push") && text.len() < 110, "{text}");
    }

    #[test]
    fn what_only_several_queries_show_keeps_them() {
        let text = "(declare-const x String)(declare-const y String)(push 1)(assert (= x \"one\"))(check-sat)(pop 1)\
                    (push 1)(assert (= y \"two\"))(check-sat)(pop 1)(assert (= x y))(check-sat)";
        let start = script::checked(text, Alphabet::Unicode).unwrap();
        let behave = |job: &Job| {
            let script = job.question.as_script().unwrap();
            let crashes = job.key.strategy == "wrong" && script.queries > 1 && script.text.contains("two");
            if crashes {
                Execution::Done(fake::reply(Termination::Signal(11)))
            } else {
                answered(vec![Verdict::Unsat; script.queries])
            }
        };
        let mut bench = bench(1, behave);
        let interest = found(&mut bench, &start);
        assert_eq!(interest.kind, Kind::Crash);
        let shrunk = shrink(&mut bench, start, interest, PLAN, &mut |_| {}).unwrap();
        let text = &shrunk.question.as_script().unwrap().text;
        assert!(shrunk.question.asked() == 2 && text.len() < 90, "{text}");
    }

    #[test]
    fn a_pair_of_expressions_becomes_a_short_one() {
        let regex = |name: &str, pattern: &str| RegexSource {
            find: false,
            name: name.to_owned(),
            pattern: pattern.to_owned(),
            dialect: Dialect::Java,
        };
        let (left, right) =
            (r"^(?:\w+([-+.']\w+)*@[xyz]{2,7}(foo|bar|qux)+)$", r"([^\]]*z|\d{3,5})?\s(one|two)");
        let start = Question::of_operations(
            Alphabet::Utf16,
            vec![regex("A", left), regex("B", right)],
            vec![
                Operation { kind: OperationKind::Product, left: 0, right: 1 },
                Operation { kind: OperationKind::Difference, left: 0, right: 1 },
            ],
        );
        // One of them is wrong of differences where the left one has a class and the right one a count.
        let behave = |job: &Job| {
            let asked = job.question.as_operations().unwrap();
            let pattern = |i: usize| asked.regexes[i].pattern.as_str();
            let lies = |operation: &Operation| {
                job.key.strategy == "wrong"
                    && operation.kind == OperationKind::Difference
                    && pattern(operation.left).contains("[x")
                    && pattern(operation.right).contains("{3")
            };
            answered(
                asked.operations.iter().map(|o| if lies(o) { Verdict::Nonempty } else { Verdict::Empty }),
            )
        };
        let mut bench = bench(2, behave);
        let interest = found(&mut bench, &start);
        let shrunk = shrink(&mut bench, start, interest, PLAN, &mut |_| {}).unwrap();
        let asked = shrunk.question.as_operations().unwrap();
        let patterns: Vec<&str> = asked.regexes.iter().map(|regex| regex.pattern.as_str()).collect();
        assert_eq!((patterns, asked.operations.len()), (vec!["[x]", "a{3}"], 1));
        assert_eq!(shrunk.question.alphabet, Alphabet::Ascii);
    }

    #[test]
    fn an_outlier_stays_one() {
        // The slow one takes a second for each loop, on top of what both take for the length of the text.
        let behave = |job: &Job| {
            let script = job.question.as_script().unwrap();
            let loops = script.text.matches("re.loop").count() as u64;
            let own = if job.key.strategy == "wrong" { 1000 * loops } else { 0 };
            let wall_ns = 1_000_000 * (own + 10 + script.text.len() as u64 / 100);
            let mut reply = fake::reply(Termination::Answered);
            reply.answers = vec![Answer::of(Verdict::Unsat)];
            reply.usage = Some(Usage { wall_ns, cpu_ns: 1, peak_rss_bytes: 1 });
            Execution::Done(reply)
        };
        let text = script(20).as_script().unwrap().text.replace(
            "(check-sat)",
            "(assert (str.in_re first3 (re.++ (re.* (str.to_re \"ab\")) ((_ re.loop 3 9) (re.range \"b\" \"q\")))))(check-sat)",
        );
        let start = script::checked(&text, Alphabet::Unicode).unwrap();
        let mut bench = bench(2, behave);
        let records = bench.records(&start, &[0, 1]).unwrap().unwrap();
        let outlier = Outlier { measure: Measure::Wall, ratio: 20.0, least: 0.1 };
        let interest = Interest::outlier(outlier, 1, 0, &shown(&start, &records)).unwrap();
        let shrunk = shrink(&mut bench, start, interest, PLAN, &mut |_| {}).unwrap();
        let text = &shrunk.question.as_script().unwrap().text;
        assert!(text.contains("re.loop") && text.len() < 150, "{text}");
        assert_eq!(shrunk.confirmed, (2, 2));
    }

    #[test]
    fn what_is_found_is_never_longer_than_what_was_given() {
        // Nothing between them shows it, so that the plain form, which names a logic, stays the longer one.
        let text = "(assert true)(check-sat)";
        let given = Question::of_script(Alphabet::Unicode, text.to_owned(), 1);
        let behave = |job: &Job| {
            let script = job.question.as_script().unwrap();
            parts(job, if script.text == text { &[] } else { &["set-logic", "true"] })
        };
        let mut bench = bench(1, behave);
        let interest = found(&mut bench, &given);
        let shrunk = shrink(&mut bench, given.clone(), interest, PLAN, &mut |_| {}).unwrap();
        assert_eq!(shrunk.question, given);
        assert_eq!((shrunk.confirmed, shrunk.unsteady), ((2, 2), 0));
    }

    #[test]
    fn what_shows_it_by_accident_is_not_the_result() {
        // Of scripts shorter than 200 bytes the wrong one is wrong only the first time.
        let seen = Arc::new(std::sync::Mutex::new(std::collections::HashSet::new()));
        let behave = move |job: &Job| {
            let script = job.question.as_script().unwrap();
            let first = seen.lock().unwrap().insert((job.key.strategy.clone(), script.text.clone()));
            if script.text.len() < 200 && !first {
                answered([Verdict::Unsat])
            } else {
                parts(job, &["needle"])
            }
        };
        let start = script(6);
        let mut bench = bench(1, behave);
        let interest = found(&mut bench, &start);
        let shrunk = shrink(&mut bench, start, interest, PLAN, &mut |_| {}).unwrap();
        assert!(pass::length(&shrunk.question) >= 200 && shrunk.unsteady > 0, "{shrunk:?}");
        assert_eq!(shrunk.confirmed, (2, 2));
    }

    #[test]
    fn a_search_ends_when_it_is_told() {
        let tried = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&tried);
        let behave = move |job: &Job| {
            counted.fetch_add(1, Ordering::Relaxed);
            parts(job, &["needle"])
        };
        let start = script(20);
        let mut bench = bench(1, behave);
        let interest = found(&mut bench, &start);
        bench.end_after(10);
        let shrunk = shrink(&mut bench, start.clone(), interest, PLAN, &mut |_| {}).unwrap();
        assert_eq!(shrunk.end, Some(End::Tried));
        assert!(pass::length(&shrunk.question) < pass::length(&start));
        // Two records at first, at most two for each candidate, two each to confirm it.
        assert!(tried.load(Ordering::Relaxed) <= 2 + 2 * 10 + 2 * 2);
    }
}
