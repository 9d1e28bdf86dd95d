//! `harness fetch [NAME…]`

use anyhow::{anyhow, bail};
use corpora::fetched::{FILES, Glance};
use corpora::recipes::{NONE_STATED, PERMISSIVE};
use corpora::{Cache, Recipe, Recipes};

use crate::args::fetch::FetchArgs;
use crate::exit::Exit;
use crate::fetch::entry::{self, Outcome};
use crate::fetch::place;
use crate::out;

/// Fetches corpora, or shows the recipes.
///
/// # Errors
///
/// When a name is unknown or a licence has to be accepted, before anything is fetched; and when a corpus
/// could not be fetched, after all others.
pub fn run(args: &FetchArgs) -> anyhow::Result<Exit> {
    let recipes = place::recipes(args.recipes.as_deref())?;
    let cache = place::cache(args.cache.as_deref()).map_err(|why| anyhow!(why))?;
    if args.names.is_empty() {
        out::print(table(&recipes, &cache))?;
        return Ok(Exit::Fine);
    }
    let mut chosen: Vec<&Recipe> = Vec::new();
    for name in &args.names {
        let recipe = recipes.find(name)?;
        if !chosen.contains(&recipe) {
            chosen.push(recipe);
        }
    }
    let refused: Vec<String> = chosen.iter().filter_map(|recipe| refusal(recipe, args, &cache)).collect();
    if !refused.is_empty() {
        bail!("{}", refused.join("\n"));
    }
    let mut failed = Vec::new();
    for recipe in chosen {
        let accepted = recipe.needs_consent();
        match entry::fetch(&cache, recipe, accepted, args.again) {
            Ok(outcome) => tell(recipe, &outcome, &cache)?,
            Err(error) => failed.push(out::causes(&error)),
        }
    }
    if !failed.is_empty() {
        bail!("{}", failed.join("\n"));
    }
    if let Some(folder) = args.cache.as_deref().filter(|_| place::cache(None).ok().as_ref() != Some(&cache)) {
        out::tell(format_args!("note: configurations find it with {}={}", place::CACHE, folder.display()));
    }
    Ok(Exit::Fine)
}

/// Why the recipe's corpus is not fetched, if its licence has to be accepted and is not.
fn refusal(recipe: &Recipe, args: &FetchArgs, cache: &Cache) -> Option<String> {
    if !recipe.needs_consent() || args.accept.contains(&recipe.licence) || cache.accepted(recipe) {
        return None;
    }
    let what = if recipe.licence == NONE_STATED {
        format!("no licence is stated ({})", recipe.stated)
    } else {
        format!(
            "its licence is {} (stated by: {}), which is none of {}",
            recipe.licence,
            recipe.stated,
            PERMISSIVE.join(", ")
        )
    };
    Some(format!(
        "{}: {what}; look at {} and, if you may use the files, say 'harness fetch {} --accept {}'",
        recipe.name, recipe.repository, recipe.name, recipe.licence
    ))
}

fn tell(recipe: &Recipe, outcome: &Outcome, cache: &Cache) -> anyhow::Result<()> {
    let (receipt, what) = match outcome {
        Outcome::There(receipt) => (receipt, "is there already"),
        Outcome::Fetched { receipt, .. } => (receipt, "fetched"),
    };
    out::print(format_args!(
        "{}: {what}: {} files at {}, licence {}, in {}\n",
        recipe.name,
        receipt.files,
        receipt.commit,
        receipt.licence,
        cache.entry(recipe).display()
    ))?;
    if let Some(said) = recipe.files.filter(|said| *said != receipt.files) {
        out::tell(format_args!("note: the recipe says that there are {said} files"));
    }
    for wrong in &recipe.wrong {
        if !cache.entry(recipe).join(FILES).join(&wrong.file).exists() {
            out::tell(format_args!("note: the recipe speaks of {}, which is not there", wrong.file));
        }
    }
    if let Outcome::Fetched { left_out, .. } = outcome
        && *left_out > 0
    {
        out::tell(format_args!("note: left out, since they are links or have unusable names: {left_out}"));
    }
    Ok(())
}

/// The recipes: name, files, licence, whether it is there, what it is about.
pub fn table(recipes: &Recipes, cache: &Cache) -> String {
    let mut rows = vec![["name", "files", "licence", "cached", "what it is"].map(str::to_owned)];
    rows.extend(recipes.iter().map(|recipe| {
        let there = match cache.glance(recipe) {
            Glance::Absent => "-",
            Glance::Present => "yes",
            Glance::Other => "other",
        };
        let files = recipe.files.map_or_else(|| "?".to_owned(), |files| files.to_string());
        let about = format!("{} [{}]", recipe.summary, recipe.dialect);
        [recipe.name.clone(), files, recipe.licence.clone(), there.to_owned(), out::line(&about)]
    }));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let [name, files, licence, there] = [0, 1, 2, 3].map(width);
    let line = |row: &[String; 5]| {
        let [a, b, c, d, e] = row;
        format!("{a:name$}  {b:>files$}  {c:licence$}  {d:there$}  {e}\n")
    };
    rows.iter().map(line).collect()
}
