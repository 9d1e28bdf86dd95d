//! A library as a strategy.
//!
//! Phases: in `prepare`, `parse`, `build` (the automata), `start_program` (from its start until it has read
//! them); in `solve`, as the program itself measures them, `rebuild` (the library's objects made of what was
//! read, which the study left out), `epsilon` (epsilon elimination), `product` or `difference` with its test
//! for emptiness, and `witness`. Counters: `states` of the results, where they are made.
//! Mata's symbols have no ranges: `rebuild` also makes symbols of the characters that no label tells apart.
//!
//! The program is started for the record: of a library in Java nothing was compiled before.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use backends_algebra::ranges::{RangeAlgebra, Ranges};
use backends_api::{BackendError, Budget, Ending, Op, Probe, Run, Strategy, StrategyInfo, Treatment};
use backends_automata::{EpsilonSfa, construct};
use backends_external::command;
use backends_external::process::{self, Errors, RunError};
use backends_input::{Expressions, expressions::treatment, expressions_of};
use harness_model::{
    Alphabet, Answer, Char, Operation, OperationKind, Outcome, Question, SmtString, Verdict,
};

use crate::program::Program;

/// How long a program may take to print its version.
const VERSION_TIME: Duration = Duration::from_secs(20);

/// The libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// dk.brics.automaton, in Java.
    Brics,
    /// Mata, in C++.
    Mata,
}

impl Library {
    /// All of them; the first is the default.
    pub const ALL: [Self; 2] = [Self::Brics, Self::Mata];

    /// The name in configurations.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Brics => "brics",
            Self::Mata => "mata",
        }
    }

    /// The program that it runs in.
    const fn program(self) -> &'static str {
        match self {
            Self::Brics => "harness-brics",
            Self::Mata => "harness-mata",
        }
    }

    /// What it is.
    const fn about(self) -> &'static str {
        match self {
            Self::Brics => "dk.brics.automaton, in Java",
            Self::Mata => "Mata, in C++",
        }
    }

    /// Whether it runs in a Java machine.
    pub const fn is_java(self) -> bool {
        match self {
            Self::Brics => true,
            Self::Mata => false,
        }
    }

    /// The largest character that it has.
    const fn last(self) -> Char {
        match self {
            Self::Brics => Alphabet::Utf16.max(),
            Self::Mata => Alphabet::Unicode.max(),
        }
    }
}

/// How much of a result is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// All of it.
    Eager,
    /// What the library's test for inclusion makes, where a difference is asked for; of a product, all.
    Lazy,
}

impl Results {
    /// Both; the first is the default.
    pub const ALL: [Self; 2] = [Self::Eager, Self::Lazy];

    /// The name in configurations.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Eager => "eager",
            Self::Lazy => "lazy",
        }
    }
}

/// A library, and how it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Driver {
    /// The canonical name.
    pub name: String,
    /// Which.
    pub library: Library,
    /// How much of a result is made.
    pub results: Results,
    /// MiB of the heap of a Java machine.
    pub heap: u32,
}

impl Driver {
    /// Where its program is.
    fn path(&self) -> Result<PathBuf, String> {
        let program = self.library.program();
        command::find(program).map_err(|why| {
            format!(
                "{why}; 'scripts/setup.sh --solvers' makes '{program}' of the library {} and puts it into \
                 .solvers/bin",
                self.library.about()
            )
        })
    }

    fn arguments(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.library.is_java() {
            all.push(format!("-Xmx{}m", self.heap));
        }
        if self.results == Results::Lazy {
            all.push("lazy".to_owned());
        }
        all
    }
}

impl Strategy for Driver {
    fn info(&self) -> StrategyInfo {
        let how = match self.results {
            Results::Eager => "results are made, then tested",
            Results::Lazy => "a difference is tested by inclusion",
        };
        StrategyInfo {
            name: self.name.clone(),
            backend: "drivers",
            version: env!("CARGO_PKG_VERSION").to_owned(),
            summary: format!("the library {}, in a program of its own: {how}", self.library.about()),
            source: "none: a library of its own",
        }
    }

    fn found(&self) -> Result<String, String> {
        let path = self.path()?;
        let deadline = Instant::now().checked_add(VERSION_TIME);
        let arguments = ["--version".to_owned()];
        let ran = process::run(&path, &arguments, None, Errors::Read, deadline, &mut |_| ());
        let shown = format!("'{} --version'", path.display());
        let ran = ran.map_err(|error| match error {
            RunError::Start(why) | RunError::System(why) => format!("{shown} cannot be run: {why}"),
            RunError::Late => format!("{shown} printed nothing within {} s", VERSION_TIME.as_secs()),
            RunError::TooMuch => format!("{shown} printed too much"),
        })?;
        let text = String::from_utf8_lossy(&ran.output);
        let line = text.lines().next().unwrap_or_default().to_owned();
        match ran.ending {
            Ending::Exit(0) if !line.is_empty() => Ok(line),
            ending => Err(format!("{shown} {ending}: {line}")),
        }
    }

    fn operation(&self, op: Op) -> Option<Treatment> {
        treatment(op)
    }

    fn prepare<'a>(
        &'a self,
        question: &'a Question,
        budget: &'a Budget,
        probe: &Probe,
    ) -> Result<Box<dyn Run + 'a>, BackendError> {
        let asked = expressions_of(question, probe)?;
        if asked.alphabet().max() > self.library.last() {
            let (library, alphabet) = (self.library.name(), asked.alphabet());
            return Err(BackendError::Unsupported(format!("the alphabet {alphabet} with {library}")));
        }
        let automata = probe.phase("build", || automata(&asked, budget))?;
        let path = self.path().map_err(BackendError::Program)?;
        let mut run = probe.phase("start_program", || {
            DriverRun::start(&path, &self.arguments(), &automata, asked.operations().to_vec())
        })?;
        run.tells = asked.systems().is_empty();
        Ok(asked.systems().answered_by(Box::new(run)))
    }
}

/// The automata of the expressions that operations name.
fn automata(asked: &Expressions, budget: &Budget) -> Result<Vec<Option<EpsilonSfa<Ranges>>>, BackendError> {
    let algebra = RangeAlgebra::new(asked.alphabet());
    let named = |index: usize| asked.operations().iter().any(|o| o.left == index || o.right == index);
    let made = asked.regexes().iter().enumerate().map(|(index, regex)| {
        named(index).then(|| construct(&algebra, regex, budget)).transpose().map_err(BackendError::from)
    });
    made.collect()
}

/// Tells the program the automata and the operations.
fn describe(
    program: &mut Program,
    automata: &[Option<EpsilonSfa<Ranges>>],
    operations: &[Operation],
) -> Result<(), BackendError> {
    program.tell(format_args!("automata {}", automata.len()))?;
    for automaton in automata {
        let Some(automaton) = automaton else {
            program.tell(format_args!("automaton 1 0\nend"))?;
            continue;
        };
        let reading = automaton.reading();
        program.tell(format_args!("automaton {} {}", reading.states(), reading.initial().0))?;
        for state in reading.state_ids() {
            if reading.is_final(state) {
                program.tell(format_args!("final {}", state.0))?;
            }
            for target in automaton.epsilons_from(state) {
                program.tell(format_args!("epsilon {} {}", state.0, target.0))?;
            }
            for step in reading.moves_from(state) {
                for (first, last) in reading.label(step.label).as_slice() {
                    program.tell(format_args!("move {} {} {first} {last}", state.0, step.target.0))?;
                }
            }
        }
        program.tell(format_args!("end"))?;
    }
    program.tell(format_args!("operations {}", operations.len()))?;
    for Operation { kind, left, right } in operations {
        program.tell(format_args!("{kind} {left} {right}"))?;
    }
    Ok(())
}

fn unexpected(wanted: &str, said: &str) -> BackendError {
    let said: String = said.chars().take(200).collect();
    BackendError::Program(format!("expected '{wanted}' from the program, found '{said}'"))
}

struct DriverRun {
    program: Program,
    operations: Vec<Operation>,
    /// Whether answers are told one by one.
    tells: bool,
}

impl DriverRun {
    /// Starts the program, which is ready when this returns.
    fn start(
        path: &Path,
        arguments: &[String],
        automata: &[Option<EpsilonSfa<Ranges>>],
        operations: Vec<Operation>,
    ) -> Result<Self, BackendError> {
        let mut program = Program::start(path, arguments)?;
        describe(&mut program, automata, &operations)?;
        let said = program.hear()?;
        if said == "ready" {
            Ok(Self { program, operations, tells: true })
        } else {
            Err(unexpected("ready", &said))
        }
    }

    /// The numbers of a line that starts with `name`.
    fn numbers(&mut self, name: &'static str) -> Result<Vec<u64>, BackendError> {
        let said = self.program.hear()?;
        let rest = said.strip_prefix(name).ok_or_else(|| unexpected(name, &said))?;
        let numbers: Result<_, _> = rest.split_whitespace().map(str::parse).collect();
        numbers.map_err(|_| unexpected(name, &said))
    }

    fn answer(&mut self, kind: OperationKind, probe: &Probe) -> Result<Answer, BackendError> {
        let said = self.program.hear()?;
        let answer = answer_of(&said)?;
        let times = self.numbers("times")?;
        let phase = kind.name();
        for (name, nanoseconds) in ["rebuild", "epsilon", phase, "witness"].into_iter().zip(times) {
            probe.add_time(name, Duration::from_nanos(nanoseconds));
        }
        for states in self.numbers("states")? {
            probe.count("states", states);
        }
        Ok(answer)
    }
}

/// What the first line about an operation says.
fn answer_of(said: &str) -> Result<Answer, BackendError> {
    let mut words = said.split(' ');
    match words.next() {
        Some("empty") => Ok(Answer::empty()),
        Some("nonempty") => {
            let reason = Some("the library's test gives no word".to_owned());
            Ok(Answer { reason, ..Answer::of(Verdict::Nonempty) })
        }
        Some("word") => {
            let word: Result<SmtString, _> = words.map(|code| code.parse().map(Char)).collect();
            word.map(Answer::word).map_err(|_| unexpected("word", said))
        }
        _ => Err(unexpected("an answer", said)),
    }
}

impl Run for DriverRun {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        self.program.tell(format_args!("run"))?;
        let mut answers = Vec::with_capacity(self.operations.len());
        for Operation { kind, .. } in self.operations.clone() {
            let answer = self.answer(kind, probe)?;
            // Of a system an answer is not told before it is put in the system's words.
            if self.tells {
                probe.answered(answers.len(), &answer);
            }
            answers.push(answer);
        }
        let said = self.program.hear()?;
        if said == "done" { Ok(Outcome { answers }) } else { Err(unexpected("done", &said)) }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use harness_model::{Dialect, RegexSource};

    use super::*;

    fn question() -> Question {
        let source = |name: &str, pattern: &str| RegexSource {
            find: false,
            name: name.to_owned(),
            pattern: pattern.to_owned(),
            dialect: Dialect::Java,
        };
        let operation = |kind| Operation { kind, left: 0, right: 1 };
        let operations = [OperationKind::Product, OperationKind::Difference].map(operation).to_vec();
        Question::of_operations(Alphabet::Ascii, vec![source("A", "[a-c]"), source("B", "a|b")], operations)
    }

    /// What a program that is this script answers to the question.
    fn answers(script: &str) -> (Result<Outcome, BackendError>, Probe) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        fs::write(&path, format!("#!/bin/sh\n{script}")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let (probe, question) = (Probe::new(), question());
        let asked = expressions_of(&question, &probe).unwrap();
        let automata = automata(&asked, &Budget::unlimited()).unwrap();
        let run = DriverRun::start(&path, &[], &automata, asked.operations().to_vec());
        (run.and_then(|mut run| run.run(&probe)), probe)
    }

    /// Reads what is described, up to the operations.
    const READ: &str = "while read word rest; do [ \"$word\" != difference ] || break; done\n";

    #[test]
    fn answers_times_and_counts_are_read() {
        let times = "echo times 1000000 2000000 3000000 4000000; echo states 5\n";
        let (outcome, probe) = answers(&format!(
            "{READ}echo ready; read run\necho word 97 98; {times}echo empty; {times}echo done; read end"
        ));
        let word = SmtString::unescape("ab").unwrap();
        assert_eq!(outcome.unwrap().answers, [Answer::word(word), Answer::empty()]);
        let millis = |name| probe.time_of(name).as_millis();
        assert_eq!(["rebuild", "epsilon", "product", "difference", "witness"].map(millis), [2, 4, 3, 3, 8]);
        assert_eq!(probe.counted("states"), 10);
    }

    #[test]
    fn faults_are_told() {
        let fault = |script: &str| answers(&format!("{READ}{script}")).0.unwrap_err();
        assert_eq!(fault("echo error no memory"), BackendError::Program("no memory".to_owned()));
        assert_eq!(fault("exit 3"), BackendError::Ended(Ending::Exit(3)));
        assert_eq!(fault("kill -9 $$"), BackendError::Ended(Ending::Signal(9)));
        let BackendError::Program(why) = fault("echo ready; read run; echo what; read end") else { panic!() };
        assert_eq!(why, "expected 'an answer' from the program, found 'what'");
        let BackendError::Program(why) = fault("echo ready; read run; echo empty; echo times x; read end")
        else {
            panic!()
        };
        assert_eq!(why, "expected 'times' from the program, found 'times x'");
    }

    #[test]
    fn the_program_is_told_whole_automata() {
        let (fault, _) = answers(
            "while read line; do all=\"$all$line;\"; case $line in difference*) break;; esac; done\n\
             echo \"error $all\"",
        );
        let BackendError::Program(said) = fault.unwrap_err() else { panic!() };
        assert_eq!(
            said,
            "automata 2;automaton 2 0;move 0 1 97 99;final 1;end;automaton 2 0;move 0 1 97 98;final 1;end;\
             operations 2;product 0 1;difference 0 1;"
        );
    }
}
