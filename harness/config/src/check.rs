//! From the wire types to the checked ones. Finds everything that is wrong, not only the first thing.

use std::path::Path;
use std::time::Duration;

use harness_model::limits::Sampling;
use harness_model::rules::{CounterRule, Metric, Rules};
use harness_model::run::ReportSpec;
use harness_model::{Alphabet, Dialect, GrammarsSource, Limits, OperationKind, SolutionKind, SystemFormat};
use serde_saphyr::Spanned;

use crate::config::{
    Config, CorpusEntry, FetchedEntry, GeneratorEntry, GrammarsEntry, OnBadTask, Pairs, RegexesEntry,
    ScriptsEntry, SystemsEntry, TaskEntry, TaskSource,
};
use crate::error::{Diagnostic, Position};
use crate::names;
use crate::plain::{Plain, Scalar};
use crate::syntax::position;
use crate::units;
use crate::vocabulary::Vocabulary;
use crate::wire::{
    WireConfig, WireCorpus, WireFetched, WireGenerator, WireGrammars, WireLimits, WireOnBadTask, WireRegexes,
    WireRegress, WireReport, WireSample, WireSampling, WireScripts, WireSystems, WireTasks,
};

/// Default wall limit.
const WALL: Duration = Duration::from_secs(60);
/// Default memory limit.
const MEMORY: u64 = 2 << 30;
/// The least memory with which a worker can start.
const LEAST_MEMORY: u64 = 16 << 20;
/// Default seed.
const SEED: u64 = 1;
/// The greatest ratio that is accepted; above it there is probably a typing error.
const MOST_RATIO: f64 = 1000.0;
/// The most rounds of confirmation; more would not change the outcome.
const MOST_ROUNDS: u32 = 20;

pub(crate) type Names = Spanned<Vec<Spanned<String>>>;

/// Checks a whole file; all diagnostics on failure.
pub(crate) fn check(
    wire: WireConfig,
    text: &str,
    path: &Path,
    base: &Path,
    vocabulary: &Vocabulary,
) -> Result<Config, Vec<Diagnostic>> {
    let mut c = Checker { diagnostics: Vec::new(), vocabulary, base };
    let seed = c.plain(wire.seed.as_ref(), SEED);
    let common = wire.alphabets.as_ref().map(|list| c.alphabets(list));
    let tasks = c.require("tasks", wire.tasks).map_or_else(Vec::new, |list| {
        if list.value.is_empty() {
            c.report(&list, "there are no tasks: 'tasks' needs at least one entry");
        }
        list.value.into_iter().map(|entry| c.task(entry, common.as_deref(), seed)).collect()
    });
    let list = c.require("strategies", wire.strategies);
    let at = list.as_ref().and_then(|list| position(list.referenced));
    let before = c.diagnostics.len();
    let strategies = list.map_or_else(Vec::new, |list| c.strategies(&list));
    // What is said elsewhere of strategies that are not known themselves would only be told twice.
    let names: Vec<String> = strategies.iter().map(|contender| contender.name.clone()).collect();
    let among = (c.diagnostics.len() == before).then_some(names.as_slice());
    let config = Config {
        path: path.to_owned(),
        text: text.to_owned(),
        base: base.to_owned(),
        name: c.require("name", wire.name).map_or_else(String::new, |name| c.study_name(&name)),
        seed,
        workers: wire.workers.map(|n| c.at_least_one(&n, "workers")),
        limits: c.limits(wire.limits),
        repeats: wire.repeats.map_or(1, |n| c.at_least_one(&n, "repeats")),
        sampling: wire.sampling.map(|s| c.sampling(&s)),
        tasks,
        leave_out: wire.leave_out.iter().map(|l| c.leave_out(l, among)).collect(),
        on_bad_task: match wire.on_bad_task {
            None | Some(WireOnBadTask::Stop) => OnBadTask::Stop,
            Some(WireOnBadTask::Skip) => OnBadTask::Skip,
        },
        report: wire.report.map(|r| c.report_spec(&r, among)).unwrap_or_default(),
        regress: wire.regress.map(|r| c.regress(&r)).unwrap_or_default(),
        strategies,
    };
    c.all_left_out(&config, at);
    if c.diagnostics.is_empty() { Ok(config) } else { Err(c.diagnostics) }
}

pub(crate) struct Checker<'a> {
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) base: &'a Path,
}

impl Checker<'_> {
    pub(crate) fn report<T>(&mut self, at: &Spanned<T>, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic { at: position(at.referenced), message: message.into() });
    }

    /// A key that must be there.
    fn require<T>(&mut self, key: &str, value: Option<T>) -> Option<T> {
        if value.is_none() {
            let at = Some(Position { line: 1, column: 1 });
            self.diagnostics.push(Diagnostic { at, message: format!("the key '{key}' is missing") });
        }
        value
    }

    fn study_name(&mut self, name: &Spanned<String>) -> String {
        let ok = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.' | '_');
        if name.value.is_empty() || !name.value.chars().all(ok) {
            let message = format!(
                "the name '{}' should be made of lower-case letters, digits, '-', '.' and '_'",
                name.value
            );
            self.report(name, message);
        }
        name.value.clone()
    }

    /// A number or a truth value; `otherwise` where nothing is said.
    fn plain<T: Scalar>(&mut self, said: Option<&Spanned<Plain>>, otherwise: T) -> T {
        let Some(said) = said else { return otherwise };
        T::of(&said.value).unwrap_or_else(|| {
            self.report(said, format!("expected {}, found {}", T::EXPECTED, said.value));
            otherwise
        })
    }

    fn at_least_one(&mut self, number: &Spanned<Plain>, what: &str) -> u32 {
        let value = self.plain(Some(number), 1);
        if value == 0 {
            self.report(number, format!("'{what}' must be at least 1"));
        }
        value
    }

    fn duration(&mut self, text: &Spanned<String>) -> Duration {
        match units::duration(&text.value) {
            Ok(time) if !time.is_zero() => return time,
            Ok(_) => self.report(text, "the time must be more than zero"),
            Err(message) => self.report(text, message),
        }
        Duration::ZERO
    }

    fn limits(&mut self, wire: Option<WireLimits>) -> Limits {
        let Some(wire) = wire else {
            return Limits { wall: WALL, cpu: WALL, memory: MEMORY };
        };
        let wall = wire.wall.map_or(WALL, |t| self.duration(&t));
        let cpu = wire.cpu.map_or(wall, |t| self.duration(&t));
        let memory = wire.memory.map_or(MEMORY, |text| match units::size(&text.value) {
            Ok(bytes) if bytes >= LEAST_MEMORY => bytes,
            Ok(_) => {
                self.report(&text, "the memory limit must be at least 16MiB");
                0
            }
            Err(message) => {
                self.report(&text, message);
                0
            }
        });
        Limits { wall, cpu, memory }
    }

    fn sampling(&mut self, wire: &WireSampling) -> Sampling {
        Sampling {
            total: self.duration(&wire.total),
            max_samples: self.at_least_one(&wire.max_samples, "max_samples"),
        }
    }

    /// A list of names, each of which `parse` knows, none there twice, at least one.
    fn list<T: Clone + PartialEq>(
        &mut self,
        list: &Names,
        what: &str,
        known: &[&str],
        parse: impl Fn(&str) -> Option<T>,
    ) -> Vec<T> {
        if list.value.is_empty() {
            self.report(list, format!("the list is empty: it needs at least one {what}"));
        }
        let mut all = Vec::new();
        for item in &list.value {
            match parse(&item.value) {
                Some(value) if all.contains(&value) => {
                    self.report(item, format!("the {what} '{}' is there twice", item.value));
                }
                Some(value) => all.push(value),
                None => {
                    let hint = names::hint(&item.value, known.iter().copied());
                    self.report(item, format!("there is no {what} '{}'{hint}", item.value));
                }
            }
        }
        all
    }

    pub(crate) fn alphabets(&mut self, list: &Names) -> Vec<Alphabet> {
        self.list(list, "alphabet", &Alphabet::ALL.map(Alphabet::name), |name| name.parse().ok())
    }

    fn operations(&mut self, list: Option<&Names>) -> Vec<OperationKind> {
        const ALL: [OperationKind; 2] = [OperationKind::Product, OperationKind::Difference];
        let Some(list) = list else { return ALL.to_vec() };
        self.list(list, "operation", &ALL.map(OperationKind::name), |name| {
            ALL.into_iter().find(|o| o.name() == name)
        })
    }

    /// Names that a later stage checks: only doubles are looked for.
    fn free_names(&mut self, list: &[Spanned<String>], what: &str) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for item in list {
            if all.contains(&item.value) {
                self.report(item, format!("the {what} '{}' is there twice", item.value));
            } else {
                all.push(item.value.clone());
            }
        }
        all
    }

    fn known(&mut self, name: &Spanned<String>, what: &str, known: &[String]) -> String {
        if !known.contains(&name.value) {
            let hint = names::hint(&name.value, known.iter().map(String::as_str));
            self.report(name, format!("there is no {what} '{}'{hint}", name.value));
        }
        name.value.clone()
    }

    fn task(&mut self, entry: Spanned<WireTasks>, common: Option<&[Alphabet]>, seed: u64) -> TaskEntry {
        // The reader knows no place of an alias' target in some cases; the start of the file is better than
        // none.
        let at = position(entry.referenced).unwrap_or(Position { line: 1, column: 1 });
        let own = match &entry.value {
            WireTasks::Corpus(WireCorpus { alphabets, .. })
            | WireTasks::Regexes(WireRegexes { alphabets, .. })
            | WireTasks::Scripts(WireScripts { alphabets, .. })
            | WireTasks::Systems(WireSystems { alphabets, .. })
            | WireTasks::Grammars(WireGrammars { alphabets, .. })
            | WireTasks::Fetched(WireFetched { alphabets, .. })
            | WireTasks::Generator(WireGenerator { alphabets, .. }) => alphabets.as_ref(),
        };
        let own = own.map(|list| self.alphabets(list));
        // SMT-LIB's strings are over all of Unicode, where a file of it says nothing else; so what asks for
        // string constraints needs no alphabet to be named.
        let problems = match &entry.value {
            WireTasks::Scripts(_) | WireTasks::Fetched(_) => true,
            WireTasks::Corpus(corpus) => self.vocabulary.problems.contains(&corpus.name.value),
            WireTasks::Generator(generator) => self.vocabulary.problems.contains(&generator.name.value),
            WireTasks::Regexes(_) | WireTasks::Systems(_) | WireTasks::Grammars(_) => false,
        };
        // The formats of systems have bytes, and grammars are published with these.
        let otherwise = match &entry.value {
            WireTasks::Systems(_) | WireTasks::Grammars(_) => Some(vec![Alphabet::Latin1]),
            WireTasks::Corpus(_)
            | WireTasks::Regexes(_)
            | WireTasks::Scripts(_)
            | WireTasks::Fetched(_)
            | WireTasks::Generator(_) => problems.then(|| vec![Alphabet::Unicode]),
        };
        let alphabets = own.or(common.map(<[_]>::to_vec)).or(otherwise).unwrap_or_else(|| {
            self.report(
                &entry,
                "no alphabet: give 'alphabets' for the whole file or for this entry, such as [ascii]",
            );
            Vec::new()
        });
        let source = match entry.value {
            WireTasks::Corpus(corpus) => TaskSource::Corpus(self.corpus(&corpus)),
            WireTasks::Regexes(regexes) => TaskSource::Regexes(self.regexes(&regexes, at)),
            WireTasks::Scripts(scripts) => TaskSource::Scripts(self.scripts(&scripts, at, seed)),
            WireTasks::Systems(systems) => TaskSource::Systems(self.systems(&systems, at)),
            WireTasks::Grammars(grammars) => TaskSource::Grammars(self.grammars(&grammars, at, seed)),
            WireTasks::Fetched(fetched) => TaskSource::Fetched(self.fetched(&fetched, at, seed)),
            WireTasks::Generator(generator) => TaskSource::Generator(self.generator(generator, seed)),
        };
        TaskEntry { at, alphabets, source }
    }

    fn corpus(&mut self, wire: &WireCorpus) -> CorpusEntry {
        let vocabulary = self.vocabulary;
        CorpusEntry {
            name: self.known(&wire.name, "corpus", &vocabulary.corpora),
            operations: self.operations(wire.operations.as_ref()),
            include: self.free_names(&wire.include, "name"),
            exclude: self.free_names(&wire.exclude, "name"),
            batch: self.plain(wire.batch.as_ref(), false),
            variants: self.plain(wire.variants.as_ref(), false),
        }
    }

    fn regexes(&mut self, wire: &WireRegexes, at: Position) -> RegexesEntry {
        if wire.file.value.is_empty() {
            self.report(&wire.file, "the name of the file is empty");
        }
        let dialect = match &wire.dialect {
            None => Dialect::default(),
            Some(name) => name.value.parse().unwrap_or_else(|_| {
                let hint = names::hint(&name.value, Dialect::ALL.map(Dialect::name));
                self.report(name, format!("there is no dialect '{}'{hint}", name.value));
                Dialect::default()
            }),
        };
        RegexesEntry {
            at: position(wire.file.referenced).unwrap_or(at),
            file: self.base.join(&wire.file.value),
            dialect,
            find: self.plain(wire.find.as_ref(), false),
            operations: self.operations(wire.operations.as_ref()),
            include: self.free_names(&wire.include, "name"),
            exclude: self.free_names(&wire.exclude, "name"),
            batch: self.plain(wire.batch.as_ref(), false),
        }
    }

    fn scripts(&mut self, wire: &WireScripts, at: Position, seed: u64) -> ScriptsEntry {
        if wire.files.value.is_empty() {
            self.report(&wire.files, "the list is empty: it needs at least one path or pattern");
        }
        ScriptsEntry {
            files: self.paths(&wire.files.value, "file", at),
            exclude: self.paths(&wire.exclude, "exclusion", at),
            expected: wire.expected.as_ref().map(|file| {
                if file.value.is_empty() {
                    self.report(file, "the name of the file is empty");
                }
                (position(file.referenced).unwrap_or(at), self.base.join(&file.value))
            }),
            conditions: conditions(&wire.conditions, at),
            sample: wire.sample.as_ref().map(|sample| self.sample(sample, seed)),
            utf8: self.plain(wire.utf8.as_ref(), false),
            base: self.base.to_owned(),
        }
    }

    fn systems(&mut self, wire: &WireSystems, at: Position) -> SystemsEntry {
        if wire.files.value.is_empty() {
            self.report(&wire.files, "the list is empty: it needs at least one path or pattern");
        }
        let format = wire.format.as_ref().and_then(|name| {
            let found = SystemFormat::ALL.into_iter().find(|format| format.name() == name.value);
            if found.is_none() {
                let hint = names::hint(&name.value, SystemFormat::ALL.map(SystemFormat::name));
                self.report(name, format!("there is no format '{}'{hint}", name.value));
            }
            found
        });
        let solution = wire.solution.as_ref().map_or(SolutionKind::Words, |name| {
            name.value.parse().unwrap_or_else(|_| {
                let hint = names::hint(&name.value, SolutionKind::ALL.map(SolutionKind::name));
                self.report(name, format!("there is no kind of solution '{}'{hint}", name.value));
                SolutionKind::Words
            })
        });
        SystemsEntry {
            files: self.paths(&wire.files.value, "file", at),
            format,
            solution,
            exclude: self.paths(&wire.exclude, "exclusion", at),
            expected: wire.expected.as_ref().map(|file| {
                if file.value.is_empty() {
                    self.report(file, "the name of the file is empty");
                }
                (position(file.referenced).unwrap_or(at), self.base.join(&file.value))
            }),
            base: self.base.to_owned(),
        }
    }

    fn grammars(&mut self, wire: &WireGrammars, at: Position, seed: u64) -> GrammarsEntry {
        if wire.files.value.is_empty() {
            self.report(&wire.files, "the list is empty: it needs at least one path or pattern");
        }
        let longest: u32 = self.plain(Some(&wire.longest), 0);
        if longest > GrammarsSource::LONGEST {
            self.report(&wire.longest, format!("words have at most {} characters", GrammarsSource::LONGEST));
        }
        let shortest: u32 = self.plain(wire.shortest.as_ref(), 0);
        if let Some(said) = wire.shortest.as_ref().filter(|_| shortest > longest) {
            self.report(said, format!("'shortest' is {shortest}, but 'longest' is {longest}"));
        }
        let pairs = wire.pairs.as_ref().map_or(Pairs::All, |name| {
            Pairs::ALL.into_iter().find(|pairs| pairs.name() == name.value).unwrap_or_else(|| {
                let hint = names::hint(&name.value, Pairs::ALL.map(Pairs::name));
                self.report(name, format!("there is no choice of pairs '{}'{hint}", name.value));
                Pairs::All
            })
        });
        GrammarsEntry {
            files: self.paths(&wire.files.value, "file", at),
            shortest,
            longest,
            pairs,
            sample: wire.sample.as_ref().map(|sample| self.sample(sample, seed)),
            exclude: self.paths(&wire.exclude, "exclusion", at),
            base: self.base.to_owned(),
        }
    }

    fn fetched(&mut self, wire: &WireFetched, at: Position, seed: u64) -> FetchedEntry {
        FetchedEntry {
            name: (position(wire.name.referenced).unwrap_or(at), wire.name.value.clone()),
            exclude: self.paths(&wire.exclude, "exclusion", at),
            conditions: conditions(&wire.conditions, at),
            sample: wire.sample.as_ref().map(|sample| self.sample(sample, seed)),
        }
    }

    /// How many are drawn, and from what.
    fn sample(&mut self, wire: &WireSample, seed: u64) -> (u32, u64) {
        let count = self.at_least_one(&wire.count, "count");
        (count, self.plain(wire.seed.as_ref(), seed))
    }

    /// Paths and patterns, each once; a later stage looks for the files.
    fn paths(
        &mut self,
        list: &[Spanned<String>],
        what: &str,
        otherwise: Position,
    ) -> Vec<(Position, String)> {
        let mut all: Vec<(Position, String)> = Vec::new();
        for item in list {
            if item.value.is_empty() {
                self.report(item, "the name of the file is empty");
            } else if all.iter().any(|(_, known)| *known == item.value) {
                self.report(item, format!("the {what} '{}' is there twice", item.value));
            } else {
                all.push((position(item.referenced).unwrap_or(otherwise), item.value.clone()));
            }
        }
        all
    }

    fn generator(&mut self, wire: WireGenerator, seed: u64) -> GeneratorEntry {
        let vocabulary = self.vocabulary;
        GeneratorEntry {
            name: self.known(&wire.name, "generator", &vocabulary.generators),
            params: wire.params.into_iter().map(|(name, value)| (name, value.0)).collect(),
            seed: self.plain(wire.seed.as_ref(), seed),
        }
    }

    fn report_spec(&mut self, wire: &WireReport, strategies: Option<&[String]>) -> ReportSpec {
        let mut layouts = Vec::new();
        for item in &wire.layouts {
            if layouts.contains(&item.value) {
                self.report(item, format!("the layout '{}' is there twice", item.value));
            } else {
                layouts.push(self.known(item, "layout", &self.vocabulary.layouts));
            }
        }
        let mut scatter = Vec::new();
        for pair in &wire.scatter {
            let [a, b] = pair.value.as_slice() else {
                self.report(pair, "a scatter plot needs two strategies: [one, other]");
                continue;
            };
            for name in [a, b] {
                if let Some(all) = strategies.filter(|all| !all.contains(&name.value)) {
                    let hint = names::hint(&name.value, all.iter().map(String::as_str));
                    self.report(
                        name,
                        format!("'{}' is not among the strategies of this file{hint}", name.value),
                    );
                }
            }
            scatter.push((a.value.clone(), b.value.clone()));
        }
        ReportSpec { layouts, scatter }
    }

    fn regress(&mut self, wire: &WireRegress) -> Rules {
        let usual = Rules::default();
        let within = |c: &mut Self,
                      key: &str,
                      value: Option<&Spanned<Plain>>,
                      usual: f64,
                      from: f64,
                      to: f64,
                      example: &str| {
            let Some(value) = value else { return usual };
            let before = c.diagnostics.len();
            let number = c.plain(Some(value), usual);
            if c.diagnostics.len() == before && !(number > from && number <= to) {
                let message = format!("'{key}' must be above {from} and at most {to}, such as {example}");
                c.report(value, message);
            }
            number
        };
        let ratio =
            within(self, "ratio", wire.ratio.as_ref(), usual.ratio, 1.0, MOST_RATIO, "1.10 for 10 % slower");
        let task_ratio = wire.task_ratio.as_ref();
        let task_ratio = within(
            self,
            "task_ratio",
            task_ratio,
            usual.task_ratio,
            1.0,
            MOST_RATIO,
            "1.5 for half as slow again",
        );
        let alpha = within(self, "alpha", wire.alpha.as_ref(), usual.alpha, 0.0, 0.5, "0.05");
        let confirm = wire.confirm.as_ref().map_or(usual.confirm, |rounds| {
            let number = self.plain(Some(rounds), usual.confirm);
            if number > MOST_ROUNDS {
                self.report(rounds, format!("'confirm' must be at most {MOST_ROUNDS}"));
            }
            number
        });
        let metric = self.one_of("metric", wire.metric.as_ref(), &Metric::ALL, Metric::name);
        let counters =
            self.one_of("rule for counters", wire.counters.as_ref(), &CounterRule::ALL, CounterRule::name);
        let ignore = self.free_names(&wire.ignore, "counter");
        Rules { metric, ratio, task_ratio, alpha, confirm, counters, ignore }
    }

    /// One of several things with names; the usual one where nothing is said.
    fn one_of<T: Copy + Default>(
        &mut self,
        what: &str,
        name: Option<&Spanned<String>>,
        all: &[T],
        name_of: impl Fn(T) -> &'static str,
    ) -> T {
        let Some(name) = name else { return T::default() };
        all.iter().copied().find(|known| name_of(*known) == name.value).unwrap_or_else(|| {
            let known: Vec<&str> = all.iter().map(|known| name_of(*known)).collect();
            self.report(name, format!("there is no {what} '{}': {}", name.value, known.join(", ")));
            T::default()
        })
    }

    /// Leaving out everything is an empty task set too.
    fn all_left_out(&mut self, config: &Config, at: Option<Position>) {
        let runs = config.tasks.iter().flat_map(|entry| &entry.alphabets).any(|&alphabet| {
            config.strategies.iter().any(|contender| config.left_out(&contender.name, alphabet).is_none())
        });
        if self.diagnostics.is_empty() && !runs {
            self.diagnostics.push(Diagnostic {
                at,
                message: "nothing is left to run: 'leave_out' takes every strategy away in every alphabet"
                    .into(),
            });
        }
    }
}

/// Conditions with their places.
fn conditions(list: &[Spanned<String>], otherwise: Position) -> Vec<(Position, String)> {
    list.iter().map(|one| (position(one.referenced).unwrap_or(otherwise), one.value.clone())).collect()
}
