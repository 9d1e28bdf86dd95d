//! The names that a configuration may use.

use backends_api::{FamilySpec, Options};

use crate::config::Contender;

/// Names known to this build. The caller collects them from the registry, the corpora, the generators and the
/// reports.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Families of strategies, in the order in which their strategies are listed.
    pub families: Vec<FamilySpec>,
    /// Strategies that exist, though not in this build.
    pub unavailable: Vec<Unavailable>,
    /// Corpora.
    pub corpora: Vec<String>,
    /// Recipes of public corpora that are built in. A configuration may name others, of a file of the user's
    /// own: whether there is such a one is found when tasks are made.
    pub recipes: Vec<String>,
    /// Generators.
    pub generators: Vec<String>,
    /// Those of the corpora and generators that ask for string constraints; they need no alphabet to be
    /// named.
    pub problems: Vec<String>,
    /// Layouts of reports.
    pub layouts: Vec<String>,
}

/// Strategies that this build could have had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable {
    /// Their names, as a pattern.
    pub pattern: String,
    /// Why they are not there, and how to get them; the end of a sentence.
    pub why: String,
}

impl Vocabulary {
    /// The names of the strategies that are listed, in the order of the list.
    pub fn listed(&self) -> impl Iterator<Item = &str> + Clone {
        self.families.iter().flat_map(|family| family.presets.iter().map(|preset| preset.name.as_str()))
    }

    /// The strategy with this canonical name.
    pub fn resolve(&self, name: &str) -> Option<Contender> {
        self.families.iter().find_map(|family| {
            let options = family.read_name(name)?;
            Some(Contender::new(None, family, &options))
        })
    }
}

impl Contender {
    /// A strategy with these options, under this name or else its canonical one.
    pub(crate) fn new(name: Option<String>, family: &FamilySpec, options: &Options) -> Self {
        let canonical = family.name(options);
        Self {
            name: name.unwrap_or_else(|| canonical.clone()),
            family: family.id.to_owned(),
            options: options.texts(),
            canonical,
        }
    }
}
