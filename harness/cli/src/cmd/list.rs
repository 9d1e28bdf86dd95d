//! `harness list [WHAT]`

use anyhow::{anyhow, bail};
use backends_api::OptionSpec;
use harness_config::names::{hint, matches};
use reports::layout;

use crate::args::Listed;
use crate::cmd::fetch;
use crate::exit::Exit;
use crate::fetch::place;
use crate::operations::Table;
use crate::{embedded, inventory, out, sources};

/// Prints the names of one kind, or of all. `names` choose among them.
///
/// # Errors
///
/// When there is nothing of such a name, or `names` are given for a kind that has none.
pub fn run(what: Option<Listed>, names: &[String]) -> anyhow::Result<Exit> {
    match what {
        Some(Listed::Operations) => out::print(Table::new(names)?.text())?,
        Some(Listed::Options) => out::print(options(names)?)?,
        Some(Listed::Schema | Listed::Recipes) | None if !names.is_empty() => {
            bail!("there are no names to choose here: leave out '{}'", names.join(" "))
        }
        Some(Listed::Schema) => out::print(schema()?)?,
        Some(Listed::Recipes) => out::print(recipes()?)?,
        Some(kind) => out::print(chosen(kind, names)?)?,
        None => {
            let kinds = [
                ("Strategies", Listed::Strategies),
                ("Corpora", Listed::Corpora),
                ("Generators", Listed::Generators),
                ("Configs", Listed::Configs),
                ("Layouts", Listed::Layouts),
            ];
            let sections = kinds.map(|(title, kind)| format!("{title}\n{}", shown(&rows(kind))));
            out::print(sections.join("\n"))?;
        }
    }
    Ok(Exit::Fine)
}

/// The JSON schema of configurations, with the names of this build, but for the strategies of tests.
fn schema() -> anyhow::Result<String> {
    let mut vocabulary = inventory::vocabulary();
    vocabulary.families.retain(|family| family.id != "test");
    let schema = harness_config::schema::schema(&vocabulary);
    Ok(format!("{}\n", serde_json::to_string_pretty(&schema)?))
}

/// Every recipe, and whether its corpus is in the cache.
fn recipes() -> anyhow::Result<String> {
    let cache = place::cache(None).map_err(|why| anyhow!(why))?;
    Ok(fetch::table(&place::recipes(None)?, &cache))
}

/// Every option of every family, or of those that `names` choose by their own names or those of their
/// strategies: type, default, the paper's value where it has one, meaning.
fn options(names: &[String]) -> anyhow::Result<String> {
    let mut text = String::new();
    let registry = backends::registry();
    let strategies: Vec<(String, &str)> =
        registry.listed().iter().map(|found| (found.name(), found.family.spec().id)).collect();
    let mut wanted: Vec<&str> = Vec::new();
    for name in names {
        let before = wanted.len();
        let families = registry.families().map(|family| family.spec().id);
        wanted.extend(families.filter(|id| matches(name, id)));
        if wanted.len() == before {
            wanted.extend(registry.resolve(name).map(|found| found.family.spec().id));
            wanted.extend(strategies.iter().filter(|(known, _)| matches(name, known)).map(|(_, id)| *id));
        }
        if wanted.len() == before {
            let known: Vec<&str> = registry.families().map(|family| family.spec().id).collect();
            bail!("there is no family '{name}'{}", hint(name, known));
        }
    }
    for family in registry.families() {
        let spec = family.spec();
        if !names.is_empty() && !wanted.contains(&spec.id) {
            continue;
        }
        let gap = if text.is_empty() { "" } else { "\n" };
        text.push_str(&format!("{gap}{}: {}\n", spec.id, spec.summary));
        let lines: Vec<(&str, String)> =
            spec.options.iter().map(|option| (option.name, line(option))).collect();
        text.push_str(&match lines.as_slice() {
            [] => "  no options\n".to_owned(),
            lines => out::names(lines.iter().map(|(name, about)| (*name, about.as_str()))),
        });
    }
    Ok(text)
}

fn line(option: &OptionSpec) -> String {
    let paper = option.paper.map_or_else(String::new, |value| format!(", in the paper {value}"));
    let default = Some(option.default.to_string()).filter(|text| !text.is_empty());
    let default = default.map_or_else(|| "no default".to_owned(), |text| format!("default {text}"));
    format!("{} ({}; {}{paper})", option.meaning, option.kind, default)
}

/// A list of the names of one kind that `names` choose; all without these.
fn chosen(what: Listed, names: &[String]) -> anyhow::Result<String> {
    let mut rows = rows(what);
    for name in names {
        if !rows.iter().any(|(known, _)| matches(name, known)) {
            let known: Vec<&str> = rows.iter().map(|(known, _)| known.as_str()).collect();
            bail!("nothing here is called '{name}'{}", hint(name, known));
        }
    }
    rows.retain(|(known, _)| names.is_empty() || names.iter().any(|name| matches(name, known)));
    Ok(shown(&rows))
}

fn shown(rows: &[(String, String)]) -> String {
    out::names(rows.iter().map(|(name, about)| (name.as_str(), about.as_str())))
}

fn rows(what: Listed) -> Vec<(String, String)> {
    match what {
        Listed::Strategies => {
            inventory::strategies().into_iter().map(|info| (info.name, info.summary)).collect()
        }
        Listed::Options | Listed::Operations | Listed::Schema | Listed::Recipes => Vec::new(),
        Listed::Corpora => sources::corpora(),
        Listed::Generators => sources::generators(),
        Listed::Configs => embedded::ALL.iter().map(|c| (c.name.to_owned(), c.about())).collect(),
        Listed::Layouts => layout::ALL.iter().map(|l| (l.name().to_owned(), l.about().to_owned())).collect(),
    }
}
