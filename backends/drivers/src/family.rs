//! The family `driver`: which library, and how it finds that a difference is empty.

use backends_api::{Conflict, Family, FamilySpec, OptionSpec, Options, Strategy};

use crate::strategy::{Driver, Library, Results};

/// Automata libraries of other languages.
pub struct DriverFamily {
    spec: FamilySpec,
}

impl DriverFamily {
    /// The family.
    pub fn new() -> Self {
        let options = vec![
            OptionSpec::choice("library", Library::ALL.map(Library::name), "the library"),
            OptionSpec::choice(
                "results",
                Results::ALL.map(Results::name),
                "whether results are made, or a difference is only tested for emptiness by the library's test for \
                 inclusion, of which brics gives no word",
            ),
            OptionSpec::integer("heap", 1536, 16, 1 << 20, "MiB of the heap of a Java machine"),
        ];
        let summary = "automata libraries of other languages, each in a program of its own";
        let spec = FamilySpec::new("driver", summary, options)
            .check(check)
            .preset("brics-eager", &[])
            .preset("brics-lazy", &[("results", "lazy")])
            .preset("mata-eager", &[("library", "mata")])
            .preset("mata-lazy", &[("library", "mata"), ("results", "lazy")]);
        Self { spec }
    }
}

impl Default for DriverFamily {
    fn default() -> Self {
        Self::new()
    }
}

/// Refuses a heap for a library that is not in Java.
fn check(spec: &FamilySpec, options: &Options) -> Result<(), Conflict> {
    if library(options).is_java() {
        return Ok(());
    }
    spec.all_default(options, &["heap"], "a library in Java")
}

fn library(options: &Options) -> Library {
    options.one_of("library", &Library::ALL, Library::name)
}

impl Family for DriverFamily {
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, options: &Options) -> Box<dyn Strategy> {
        Box::new(Driver {
            name: self.spec.name(options),
            library: library(options),
            results: options.one_of("results", &Results::ALL, Results::name),
            heap: options.number("heap"),
        })
    }
}
