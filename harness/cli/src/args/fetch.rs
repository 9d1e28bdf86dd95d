//! What 'fetch' is told.

use std::path::PathBuf;

use clap::Args;

/// Where things lie, and an example.
pub const EXAMPLE: &str = "\
Clones the folder of each corpus at the commit that its recipe names, with git, into the cache:
--cache, or else $HARNESS_CACHE, $XDG_CACHE_HOME/harness or ~/.cache/harness. A configuration then
takes its tasks with 'fetched: {name: NAME}'. No other command uses the network. Without NAME, shows
the recipes, as 'harness list recipes' does. Recipes of your own: --recipes FILE, or a file that
$HARNESS_RECIPES names, which configurations read too.

Example: harness fetch smt-bench/omark
         harness fetch zaligvinder/pisa --accept none-stated";

/// What 'fetch' is told.
#[derive(Debug, Args)]
pub struct FetchArgs {
    /// Recipes (see 'harness list recipes')
    #[arg(value_name = "NAME", add = crate::complete::recipes())]
    pub names: Vec<String>,
    /// Accepts this licence of a corpus, by the name that the recipe gives it; none-stated where there is
    /// none. May be given several times
    #[arg(long, value_name = "LICENCE", requires = "names")]
    pub accept: Vec<String>,
    /// Fetches what is in the cache already once more
    #[arg(long, requires = "names")]
    pub again: bool,
    /// The folder of the cache; others find it there when HARNESS_CACHE says so
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// A file of recipes of your own, beside those that are built in
    #[arg(long, value_name = "FILE")]
    pub recipes: Option<PathBuf>,
}
