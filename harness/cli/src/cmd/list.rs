//! `harness list [WHAT]`

use reports::layout;

use crate::args::Listed;
use crate::exit::Exit;
use crate::{embedded, inventory, out, sources};

/// Prints the names of one kind, or of all.
pub fn run(what: Option<Listed>) -> anyhow::Result<Exit> {
    match what {
        Some(kind) => out::print(rows(kind))?,
        None => {
            let kinds = [
                ("Strategies", Listed::Strategies),
                ("Corpora", Listed::Corpora),
                ("Generators", Listed::Generators),
                ("Configs", Listed::Configs),
                ("Layouts", Listed::Layouts),
            ];
            let sections = kinds.map(|(title, kind)| format!("{title}\n{}", rows(kind)));
            out::print(sections.join("\n"))?;
        }
    }
    Ok(Exit::Fine)
}

fn rows(what: Listed) -> String {
    let owned: Vec<(String, String)> = match what {
        Listed::Strategies => {
            inventory::strategies().into_iter().map(|info| (info.name, info.summary)).collect()
        }
        Listed::Corpora => sources::corpora(),
        Listed::Generators => sources::generators(),
        Listed::Configs => embedded::ALL.iter().map(|c| (c.name.to_owned(), c.about())).collect(),
        Listed::Layouts => layout::ALL.iter().map(|l| (l.name().to_owned(), l.about().to_owned())).collect(),
    };
    out::names(owned.iter().map(|(name, about)| (name.as_str(), about.as_str())))
}
