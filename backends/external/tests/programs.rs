//! Programs that answer, and programs that do all that a solver should not: what each amounts to.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::cell::RefCell;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use backends_api::{BackendError, Budget, Ending, Family as _, Options, Probe, Stop, Strategy};
use backends_external::ExternalFamily;
use harness_model::{
    Alphabet, Answer, Dialect, Limits, Operation, OperationKind, Question, RegexSource, Verdict, Witness,
};

const SAT: &str = "(declare-const x String)(assert (= (str.len x) 2))(check-sat)";
const MODEL: &str = r#"echo '((define-fun x () String "ab"))'"#;

/// The folder of scripts is the process's, and a file that is written while another thread forks cannot be
/// executed: one test at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

struct Programs {
    folder: tempfile::TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl Programs {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), _alone: alone() }
    }

    /// A program of this text, a shell's, with options by name.
    fn strategy(&self, text: &str, options: &[(&str, &str)]) -> Box<dyn Strategy> {
        let path = self.folder.path().join("program");
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        build(&path, options)
    }

    fn ask(
        &self,
        text: &str,
        options: &[(&str, &str)],
        question: &Question,
    ) -> Result<Vec<Answer>, BackendError> {
        ask(&*self.strategy(text, options), question)
    }

    fn one(&self, text: &str) -> Result<Answer, BackendError> {
        self.ask(text, &[], &script(SAT)).map(|mut answers| answers.remove(0))
    }
}

fn build(program: &Path, changes: &[(&str, &str)]) -> Box<dyn Strategy> {
    let family = ExternalFamily::new();
    let specs = &family.spec().options;
    let command = format!("'{}'", program.display());
    let mut all = vec![("command", command.as_str())];
    all.extend(changes);
    let options = Options::defaults(specs).with(specs, &all);
    assert_eq!(family.spec().allows(&options), Ok(()));
    family.build(&options)
}

fn ask(strategy: &dyn Strategy, question: &Question) -> Result<Vec<Answer>, BackendError> {
    let second = Duration::from_secs(60);
    let limits = Limits { wall: second, cpu: second, memory: 512 << 20 };
    let budget = Budget::with_time(second).within(limits);
    let probe = Probe::new();
    let outcome = strategy.prepare(question, &budget, &probe)?.run(&probe)?;
    assert!(!backends_api::scratch::of(std::process::id()).exists());
    Ok(outcome.answers)
}

fn script(text: &str) -> Question {
    Question::of_script(Alphabet::Unicode, text, text.matches("(check-sat)").count())
}

fn failed(result: Result<Answer, BackendError>) -> String {
    match result {
        Err(BackendError::Program(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn answers_are_read_with_their_models() {
    let programs = Programs::new();
    let answer = programs.one(&format!("echo sat; {MODEL}")).unwrap();
    let model = Witness::Model("((define-fun x () String \"ab\"))".to_owned());
    assert_eq!(answer, Answer::proved(Verdict::Sat, model));
    assert_eq!(programs.one("printf unsat"), Ok(Answer::of(Verdict::Unsat)));
    assert_eq!(
        programs.one("echo unsat; echo '(error \"no model\")'; exit 1"),
        Ok(Answer::of(Verdict::Unsat))
    );
    assert_eq!(programs.one("echo unknown").unwrap().verdict, Verdict::Unknown);
    // A warning goes elsewhere.
    assert_eq!(programs.one("echo warning >&2; echo unsat"), Ok(Answer::of(Verdict::Unsat)));
}

#[test]
fn the_script_is_given_as_it_was_asked_for() {
    let programs = Programs::new();
    let exit = "tail -n 1 | grep -qx '(exit)' && echo unsat || echo unknown";
    for (text, options) in [
        (format!("cat \"$1\" | {exit}"), &[] as &[(&str, &str)]),
        (format!("[ $# = 0 ] && {exit}"), &[("script", "stdin")]),
        ("grep -q exit \"$1\" && echo unknown || echo unsat".to_owned(), &[("exit", "false")]),
        ("head -n 1 \"$1\" | grep -qx '(set-option :produce-models true)' && echo unsat".to_owned(), &[]),
        ("grep -q '^(get-value (x))$' \"$1\" && echo unsat".to_owned(), &[("models", "get-value")]),
        ("grep -q 'get-\\|option' \"$1\" || echo unsat".to_owned(), &[("models", "none")]),
        ("grep -q '^(set-logic QF_SLIA)$' \"$1\" && echo unsat".to_owned(), &[]),
        ("grep -q '^(set-logic ALL)$' \"$1\" && echo unsat".to_owned(), &[("logic", "ALL")]),
    ] {
        let answers = programs.ask(&text, options, &script(SAT));
        assert_eq!(answers, Ok(vec![Answer::of(Verdict::Unsat)]), "{text}");
    }
    let old = programs.ask(
        "grep -q 'smt-lib-version 2.5' \"$1\" && echo unsat",
        &[("dialect", "smtlib-2-5")],
        &Question::of_script(Alphabet::Ascii, SAT, 1),
    );
    assert_eq!(old, Ok(vec![Answer::of(Verdict::Unsat)]));
    // Placeholders, the file in the middle.
    let path = programs.folder.path().join("program");
    let command = format!("'{}' -t {{wall_s}} --file={{file}} {{memory_mib}} {{cpu_ms}}", path.display());
    programs.strategy("exit 1", &[]);
    fs::write(&path, "#!/bin/sh\n[ $# = 5 ] && [ \"$1 $2 $4 $5\" = '-t 60 512 60000' ] && [ -f \"${3#--file=}\" ] && echo unsat\n")
        .unwrap();
    assert_eq!(
        ask(&*build(&path, &[("command", &command)]), &script(SAT)),
        Ok(vec![Answer::of(Verdict::Unsat)])
    );
}

#[test]
fn an_old_program_is_spoken_to_in_its_words() {
    let programs = Programs::new();
    let old = &[("dialect", "smtlib-2-5")];
    let text = "(declare-const x String)(assert (str.in_re x (str.to_re \"a\\u{e9}\")))(check-sat)";
    let program = r#"grep -q 'str.in.re.*str.to.re "a.xe9"' "$1" && echo sat && echo '(model (define-fun x () String "a\xe9"))'"#;
    let answers = programs.ask(program, old, &script(text)).unwrap();
    assert_eq!(
        answers[0].witness.as_ref().and_then(Witness::model),
        Some(r#"(model (define-fun x () String "a\u{e9}"))"#)
    );
    let text = "(declare-const x String)(assert (str.is_digit x))(check-sat)";
    let refused = programs.ask("echo unsat", old, &script(text));
    let name = "str.is_digit is not in SMT-LIB before 2.6";
    assert_eq!(refused, Err(BackendError::Unsupported(name.to_owned())));
    // What can be said of other queries is.
    let text = "(declare-const x String)(push)(assert (str.is_digit x))(check-sat)(pop)(check-sat)";
    let answers = programs.ask("echo unsat", old, &Question::of_script(Alphabet::Latin1, text, 2)).unwrap();
    assert_eq!(answers.iter().map(|a| a.verdict).collect::<Vec<_>>(), [Verdict::Unknown, Verdict::Unsat]);
    assert!(answers[0].reason.as_ref().is_some_and(|why| why.contains(name)), "{answers:?}");
}

/// A program with 256 characters refutes a problem over all of Unicode within that bound only.
#[test]
fn an_old_program_refutes_among_its_characters_only() {
    let programs = Programs::new();
    let old = &[("dialect", "smtlib-2-5")];
    let text = "(declare-const x String)(assert (= (str.len x) 1))(check-sat)";
    let of = |alphabet| programs.ask("echo unsat", old, &Question::of_script(alphabet, text, 1)).unwrap();
    assert_eq!(of(Alphabet::Latin1), [Answer::of(Verdict::Unsat)]);
    let wide = of(Alphabet::Unicode);
    assert_eq!(wide[0].verdict, Verdict::UnsatWithinBound);
    assert!(wide[0].reason.as_ref().is_some_and(|reason| reason.contains("U+00FF")), "{wide:?}");
}

#[test]
fn javas_operations_are_written_out() {
    let programs = Programs::new();
    let text = "(declare-const x String)(assert (= (java.trim x) \"a\"))(check-sat)";
    let answers = programs.ask("grep -q '(java' \"$1\" || echo unsat", &[], &script(text));
    assert_eq!(answers, Ok(vec![Answer::of(Verdict::Unsat)]));
}

#[test]
fn what_is_no_answer_is_an_error_in_its_words() {
    let programs = Programs::new();
    let says = |text: &str, part: &str| {
        let why = failed(programs.one(text));
        assert!(why.contains(part), "{text}: {why}");
    };
    says("echo hello world", "found 'hello'");
    says("echo '(error \"line 3: unknown constant\")'; echo sat; exit 1", "unknown constant");
    says("echo \"(error \\\"$1:4.5: what?\\\")\"", "(error \"script.smt2:4.5: what?\")");
    says("echo sat; echo unsat", "2 answers");
    says("echo sat; printf '((define-fun x'", "no answer");
    says("head -c 1048576 /dev/zero | tr '\\0' x", "no answer");
    says("exec >&-; exit 0", "ended without an answer");
    says("true", "ended without an answer");
    // A model that never ends is cut off before the memory is full of it.
    says("echo sat; yes '(define-fun x () String \"\")'", "more than 64 MiB");
}

#[test]
fn a_program_that_ends_badly_has_crashed() {
    let programs = Programs::new();
    assert_eq!(programs.one("kill -SEGV $$"), Err(BackendError::Ended(Ending::Signal(11))));
    assert_eq!(programs.one("exit 3"), Err(BackendError::Ended(Ending::Exit(3))));
    assert_eq!(
        programs.one("echo sat; printf '(('; kill -ABRT $$"),
        Err(BackendError::Ended(Ending::Signal(6)))
    );
    // What it said before stands.
    assert_eq!(programs.one("echo unsat; kill -SEGV $$"), Ok(Answer::of(Verdict::Unsat)));
}

#[test]
fn a_program_that_cannot_be_started_is_told_by_name() {
    let programs = Programs::new();
    let unsupported = |result: Result<Answer, BackendError>| match result {
        Err(BackendError::Unsupported(why)) => why,
        other => panic!("{other:?}"),
    };
    let path = programs.folder.path().join("absent");
    let absent = build(&path, &[]);
    assert!(absent.found().unwrap_err().contains("is not there"));
    assert!(unsupported(ask(&*absent, &script(SAT)).map(|mut a| a.remove(0))).contains("is not there"));

    fs::write(&path, "#!/bin/sh\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let plain = build(&path, &[]);
    assert!(plain.found().unwrap_err().contains("chmod +x"));
    assert!(unsupported(ask(&*plain, &script(SAT)).map(|mut a| a.remove(0))).contains("chmod +x"));

    fs::write(&path, "#!/nowhere/sh\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let lost = build(&path, &[]);
    assert!(lost.found().unwrap_err().contains("the interpreter that its first line names"));
    assert!(unsupported(ask(&*lost, &script(SAT)).map(|mut a| a.remove(0))).contains("the interpreter"));

    let none = build(Path::new("no-such-solver"), &[]);
    assert!(none.found().unwrap_err().contains("is not installed"));
}

#[test]
fn a_version_is_a_line_of_a_program_that_ends_well() {
    let programs = Programs::new();
    let version = |text: &str, options: &[(&str, &str)]| programs.strategy(text, options).found();
    assert_eq!(
        version("[ \"$*\" = --version ] && printf '\\n Solver 1.2 \\nof today\\n'", &[]),
        Ok("Solver 1.2".into())
    );
    assert_eq!(version("exit 1", &[("version", "echo 'Solver 3'")]), Ok("Solver 3".into()));
    assert_eq!(version("echo 'Solver 4' >&2", &[]), Ok("Solver 4".into()));
    for (text, part) in [
        ("exit 0", "ended with exit code 0: the option 'version'"),
        ("echo wrong option; exit 2", "ended with exit code 2, after it said: wrong option"),
        ("kill -9 $$", "was ended by signal 9"),
    ] {
        let why = version(text, &[]).unwrap_err();
        assert!(why.contains(part), "{why}");
    }
}

/// Descendants that hang or hold the output open delay nothing.
#[test]
fn descendants_are_not_waited_for_and_do_not_stay() {
    let programs = Programs::new();
    let pids = programs.folder.path().join("pids");
    let text = format!(
        "(trap '' TERM; sleep 1000) & echo $! >'{0}'; sleep 1001 & echo $! >>'{0}'; echo unsat",
        pids.display()
    );
    assert_eq!(programs.one(&text), Ok(Answer::of(Verdict::Unsat)));
    for pid in fs::read_to_string(&pids).unwrap().lines() {
        // A process that was killed may still be on its way out.
        let gone = || match fs::read_to_string(format!("/proc/{pid}/stat")) {
            Ok(stat) => stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('Z')),
            Err(_) => true,
        };
        let deadline = std::time::Instant::now() + Duration::from_secs(60);
        while !gone() {
            assert!(std::time::Instant::now() < deadline, "{pid} is still there");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn a_deadline_from_inside_ends_it() {
    let programs = Programs::new();
    let strategy = programs.strategy("trap '' TERM; while :; do sleep 1000; done", &[]);
    let (budget, probe, question) =
        (Budget::with_time(Duration::from_millis(200)), Probe::new(), script(SAT));
    let result = strategy.prepare(&question, &budget, &probe).unwrap().run(&probe);
    assert_eq!(result, Err(BackendError::Stopped(Stop::Time)));
}

const THREE: &str = "(declare-const x String)(push)(assert (= x \"one\"))(check-sat)(pop)\
                     (push)(assert (= x \"two\"))(check-sat)(pop)(assert (= x \"three\"))(check-sat)";

#[test]
fn each_check_sat_is_a_run_by_itself() {
    let programs = Programs::new();
    let say = "if grep -q one \"$1\"; then echo sat; else echo unsat; fi";
    let verdicts = |text: &str| {
        let answers = programs.ask(text, &[], &script(THREE))?;
        Ok::<_, BackendError>(answers.iter().map(|answer| answer.verdict).collect::<Vec<_>>())
    };
    assert_eq!(verdicts(say), Ok(vec![Verdict::Sat, Verdict::Unsat, Verdict::Unsat]));
    // One that fails takes nothing from the others.
    let fails = format!("if grep -q two \"$1\"; then kill -SEGV $$; fi; {say}");
    assert_eq!(verdicts(&fails), Ok(vec![Verdict::Sat, Verdict::Unknown, Verdict::Unsat]));
    let refuses = format!("if grep -q two \"$1\"; then echo unsupported; fi; {say}");
    assert_eq!(verdicts(&refuses), Ok(vec![Verdict::Sat, Verdict::Unknown, Verdict::Unsat]));
    let answers = programs.ask(&refuses, &[], &script(THREE)).unwrap();
    assert!(answers[1].reason.as_ref().is_some_and(|why| why.contains("unsupported")), "{answers:?}");
    assert!(matches!(verdicts("echo unsupported"), Err(BackendError::Unsupported(_))));
    // A failure beside refusals is told.
    let both = "if grep -q two \"$1\"; then kill -SEGV $$; fi; echo unsupported";
    assert_eq!(verdicts(both), Err(BackendError::Ended(Ending::Signal(11))));
    let answers = programs.ask(&fails, &[], &script(THREE)).unwrap();
    assert_eq!(answers[1].reason.as_deref(), Some("the program was ended by signal 11 without an answer"));
    assert_eq!(verdicts("kill -SEGV $$"), Err(BackendError::Ended(Ending::Signal(11))));
}

#[test]
fn a_verdict_is_told_before_its_model_has_come() {
    let programs = Programs::new();
    let strategy = programs.strategy("if grep -q two \"$1\"; then echo sat; sleep 1000; fi; echo unsat", &[]);
    let heard = Rc::new(RefCell::new(Vec::new()));
    let kept = Rc::clone(&heard);
    let probe = Probe::with_listener(move |place, answer| kept.borrow_mut().push((place, answer.verdict)));
    let question = script(THREE);
    let budget = Budget::with_time(Duration::from_secs(5));
    let result = strategy.prepare(&question, &budget, &probe).unwrap().run(&probe);
    assert_eq!(result, Err(BackendError::Stopped(Stop::Time)));
    let heard = heard.borrow();
    assert_eq!(heard.first(), Some(&(0, Verdict::Unsat)));
    assert_eq!(heard.last(), Some(&(1, Verdict::Sat)), "{heard:?}");
}

#[test]
fn words_of_languages_are_values_of_a_model() {
    let programs = Programs::new();
    let source = |name: &str, pattern: &str| RegexSource {
        find: false,
        name: name.to_owned(),
        pattern: pattern.to_owned(),
        dialect: Dialect::Java,
    };
    let operation = |kind| Operation { kind, left: 0, right: 1 };
    let question = Question::of_operations(
        Alphabet::Ascii,
        vec![source("A", "ab*"), source("B", "a")],
        vec![operation(OperationKind::Product), operation(OperationKind::Difference)],
    );
    // A difference is a negation.
    let text = "if grep -q '(not' \"$1\"; then echo unsat; else echo sat; echo '((word \"\\u{61}\"))'; fi";
    assert_eq!(
        programs.ask(text, &[("models", "get-value")], &question),
        Ok(vec![Answer::word("a".into()), Answer::empty()])
    );
    let answers = programs.ask("echo sat; echo '((define-fun y () Int 3))'", &[], &question).unwrap();
    assert_eq!(answers[0].verdict, Verdict::Nonempty);
    assert!(answers[0].reason.as_ref().unwrap().contains("no value of 'word'"));
}
