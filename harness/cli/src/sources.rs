//! Where tasks come from: corpora, users' files and generators, asked in the configuration's words.

use corpora::user_scripts::own_word;
use corpora::{
    Choice, Claims, Condition, GrammarChoice, Options, Pairing, Recipes, Sample, ScriptFiles, SystemChoice,
    TaskFile, UserGrammars, UserRegexes, UserScripts, UserSystems,
};
use generators::ParamValue;
use harness_config::benchexec::{self, BenchExecTask};
use harness_config::{
    CorpusEntry, FetchedEntry, GeneratorEntry, GrammarsEntry, Pairs, Param, Position, RegexesEntry,
    ScriptsEntry, SystemsEntry,
};
use harness_model::{Alphabet, Verdict};

use crate::fetch::place;
use crate::study::LoadedTasks;

/// Names of the corpora, with a line each.
pub fn corpora() -> Vec<(String, String)> {
    corpora::names().iter().map(|row| (row.name.to_owned(), row.summary.to_owned())).collect()
}

/// Names of the recipes that are built in. None where they cannot be read, which a test would find.
pub fn recipes() -> Vec<String> {
    let built_in = Recipes::built_in();
    built_in.map(|all| all.iter().map(|recipe| recipe.name.clone()).collect()).unwrap_or_default()
}

/// Names of the generators, with a line each.
pub fn generators() -> Vec<(String, String)> {
    let line = |info: &generators::GeneratorInfo| {
        let params: Vec<&str> = info.params.iter().map(|param| param.name).collect();
        let params = if params.is_empty() { "none".to_owned() } else { params.join(", ") };
        format!("{} (parameters: {params})", info.summary)
    };
    generators::names().iter().map(|info| (info.name.to_owned(), line(info))).collect()
}

/// Those of the corpora and generators that ask for string constraints.
pub fn problems() -> Vec<String> {
    let corpora = corpora::names().into_iter().filter(|info| info.scripts).map(|info| info.name);
    let generators = generators::names().into_iter().filter(|info| info.scripts).map(|info| info.name);
    corpora.chain(generators).map(str::to_owned).collect()
}

/// Tasks of a corpus.
pub fn corpus(entry: &CorpusEntry, alphabets: &[Alphabet]) -> Result<LoadedTasks, String> {
    let options = Options {
        alphabets: alphabets.to_vec(),
        operations: entry.operations.clone(),
        include: entry.include.clone(),
        exclude: entry.exclude.clone(),
        batch: entry.batch.into(),
        variants: entry.variants,
    };
    let tasks = corpora::load(&entry.name, &options).map_err(|error| error.to_string())?;
    Ok(LoadedTasks { tasks, bad: Vec::new() })
}

/// Tasks of a user's file, and its expressions that cannot be read.
pub fn regexes(entry: &RegexesEntry, alphabets: &[Alphabet]) -> Result<LoadedTasks, String> {
    let options = Options {
        alphabets: alphabets.to_vec(),
        operations: entry.operations.clone(),
        include: entry.include.clone(),
        exclude: entry.exclude.clone(),
        batch: entry.batch.into(),
        variants: false,
    };
    let file = UserRegexes::read(&entry.file).map_err(|error| error.to_string())?;
    let (tasks, bad) = file.tasks(entry.dialect, entry.find, &options).map_err(|error| error.to_string())?;
    Ok(LoadedTasks { tasks, bad: bad.iter().map(ToString::to_string).collect() })
}

/// Tasks of a user's scripts, and the files that cannot be read; or where and why a pattern is wrong.
pub fn scripts(entry: &ScriptsEntry, alphabets: &[Alphabet]) -> Result<LoadedTasks, (Position, String)> {
    let mut files = ScriptFiles::new(&entry.base);
    for (at, pattern) in &entry.files {
        files.add(pattern).map_err(|error| (*at, error.to_string()))?;
    }
    files.read_task_files(&task_file);
    exclude(&mut files, &entry.exclude)?;
    let conditions = conditions(&entry.conditions)?;
    let claims = match &entry.expected {
        Some((at, table)) => Some((*at, Claims::read(table).map_err(|error| (*at, error.to_string()))?)),
        None => None,
    };
    let patterns: Vec<&str> = entry.files.iter().map(|(_, pattern)| pattern.as_str()).collect();
    let choice = Choice {
        patterns: &patterns,
        conditions: &conditions,
        sample: sample(entry.sample),
        claims: claims.as_ref().map(|(_, claims)| claims),
        word: &own_word,
        utf8: entry.utf8,
    };
    let scripts = UserScripts::read(&files, &choice).map_err(|why| {
        let place = entry.expected.as_ref().map(|(at, table)| (*at, format!("{}: {why}", table.display())));
        place.unwrap_or((Position { line: 1, column: 1 }, why))
    })?;
    Ok(LoadedTasks {
        tasks: scripts.tasks("scripts", alphabets),
        bad: scripts.bad().iter().map(ToString::to_string).collect(),
    })
}

/// Tasks of a user's systems, and the files that cannot be read; or where and why a pattern is wrong.
pub fn systems(entry: &SystemsEntry, alphabets: &[Alphabet]) -> Result<LoadedTasks, (Position, String)> {
    let mut files = ScriptFiles::new(&entry.base);
    for (at, pattern) in &entry.files {
        if entry.base.join(pattern).is_dir() {
            let message =
                format!("{pattern}: this is a folder: '{pattern}/**/*.dprle' takes the files in it");
            return Err((*at, message));
        }
        files.add(pattern).map_err(|error| (*at, error.to_string()))?;
    }
    exclude(&mut files, &entry.exclude)?;
    let claims = match &entry.expected {
        Some((at, table)) => Some((*at, Claims::read(table).map_err(|error| (*at, error.to_string()))?)),
        None => None,
    };
    let patterns: Vec<&str> = entry.files.iter().map(|(_, pattern)| pattern.as_str()).collect();
    let choice = SystemChoice {
        patterns: &patterns,
        format: entry.format,
        solution: entry.solution,
        claims: claims.as_ref().map(|(_, claims)| claims),
    };
    let mut loaded = LoadedTasks { tasks: Vec::new(), bad: Vec::new() };
    for &alphabet in alphabets {
        let systems = UserSystems::read(&files, &choice, alphabet).map_err(|why| {
            let place =
                entry.expected.as_ref().map(|(at, table)| (*at, format!("{}: {why}", table.display())));
            place.unwrap_or((Position { line: 1, column: 1 }, why))
        })?;
        loaded.tasks.extend(systems.tasks);
        // What is wrong in several alphabets is told once.
        for bad in systems.bad {
            let line = bad.to_string();
            if !loaded.bad.contains(&line) {
                loaded.bad.push(line);
            }
        }
    }
    Ok(loaded)
}

/// Tasks of a user's grammars, and the files that cannot be read; or where and why a pattern is wrong.
pub fn grammars(entry: &GrammarsEntry, alphabets: &[Alphabet]) -> Result<LoadedTasks, (Position, String)> {
    let mut files = ScriptFiles::new(&entry.base);
    for (at, pattern) in &entry.files {
        if entry.base.join(pattern).is_dir() {
            let message = format!("{pattern}: this is a folder: '{pattern}/**/*.cfg' takes the files in it");
            return Err((*at, message));
        }
        files.add(pattern).map_err(|error| (*at, error.to_string()))?;
    }
    exclude(&mut files, &entry.exclude)?;
    let patterns: Vec<&str> = entry.files.iter().map(|(_, pattern)| pattern.as_str()).collect();
    let choice = GrammarChoice {
        patterns: &patterns,
        shortest: entry.shortest,
        longest: entry.longest,
        pairing: match entry.pairs {
            Pairs::All => Pairing::All,
            Pairs::Listed => Pairing::Listed,
            Pairs::Single => Pairing::Single,
        },
        sample: sample(entry.sample),
    };
    let mut loaded = LoadedTasks { tasks: Vec::new(), bad: Vec::new() };
    for &alphabet in alphabets {
        let grammars = UserGrammars::read(&files, &choice, alphabet);
        loaded.tasks.extend(grammars.tasks);
        for bad in grammars.bad {
            let line = bad.to_string();
            if !loaded.bad.contains(&line) {
                loaded.bad.push(line);
            }
        }
    }
    Ok(loaded)
}

/// Tasks of a public corpus in the cache, each file of which is what was fetched, and the files that cannot
/// be read; or where and why there are none.
pub fn fetched(entry: &FetchedEntry, alphabets: &[Alphabet]) -> Result<LoadedTasks, (Position, String)> {
    let (at, name) = &entry.name;
    let here = |why: String| (*at, why);
    let recipes = place::recipes(None).map_err(|error| here(error.to_string()))?;
    let recipe = recipes.find(name).map_err(|error| here(error.to_string()))?;
    let cache = place::cache(None).map_err(here)?;
    // Locked until all is read.
    let corpus = cache.open(recipe).map_err(|trouble| here(trouble.to_string()))?;
    let mut files = ScriptFiles::new(corpus.files());
    let pattern = corpus.pattern();
    files.add(&pattern).map_err(|error| here(error.to_string()))?;
    exclude(&mut files, &entry.exclude)?;
    let choice = Choice {
        patterns: &[pattern.as_str()],
        conditions: &conditions(&entry.conditions)?,
        sample: sample(entry.sample),
        claims: None,
        word: &|file, stated, asked| corpus.word(file, stated, asked),
        utf8: false,
    };
    let scripts = UserScripts::read(&files, &choice).map_err(here)?;
    Ok(LoadedTasks {
        tasks: scripts.tasks(&corpus.place(), alphabets),
        bad: scripts.bad().iter().map(ToString::to_string).collect(),
    })
}

fn exclude(files: &mut ScriptFiles, patterns: &[(Position, String)]) -> Result<(), (Position, String)> {
    patterns
        .iter()
        .try_for_each(|(at, pattern)| files.exclude(pattern).map_err(|error| (*at, error.to_string())))
}

fn conditions(conditions: &[(Position, String)]) -> Result<Vec<Condition>, (Position, String)> {
    conditions.iter().map(|(at, condition)| Condition::parse(condition).map_err(|why| (*at, why))).collect()
}

fn sample(said: Option<(u32, u64)>) -> Option<Sample> {
    said.map(|(count, seed)| Sample { count: count as usize, seed })
}

/// A task file of BenchExec, whose verdict says whether its script is satisfiable.
fn task_file(text: &str) -> Result<TaskFile, String> {
    let BenchExecTask { inputs, expected } = benchexec::read(text)?;
    let verdict = expected.map(|satisfiable| if satisfiable { Verdict::Sat } else { Verdict::Unsat });
    Ok(TaskFile { inputs, verdict })
}

/// Tasks of a generator.
pub fn generator(entry: &GeneratorEntry, alphabets: &[Alphabet]) -> Result<LoadedTasks, String> {
    let params = entry.params.iter().map(|(name, value)| (name.clone(), param(value))).collect();
    let tasks = generators::generate(&entry.name, &params, entry.seed, alphabets);
    Ok(LoadedTasks { tasks: tasks.map_err(|error| error.to_string())?, bad: Vec::new() })
}

fn param(value: &Param) -> ParamValue {
    match value {
        Param::Int(value) => ParamValue::Int(*value),
        Param::Float(value) => ParamValue::Float(*value),
        Param::Bool(value) => ParamValue::Bool(*value),
        Param::Text(value) => ParamValue::Text(value.clone()),
        Param::List(values) => ParamValue::List(values.iter().map(param).collect()),
    }
}
