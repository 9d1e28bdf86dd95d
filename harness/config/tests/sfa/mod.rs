//! A family of strategies for the tests of configurations.

use backends_api::{FamilySpec, OptionSpec, Options};

/// Symbolic automata over these algebras, eager and lazy.
pub fn sfa(presets: &[&str]) -> FamilySpec {
    let options = vec![
        OptionSpec::choice("algebra", ["bdd", "ranges"], ""),
        OptionSpec::choice("mode", ["lazy", "eager"], ""),
        OptionSpec::flag("once", false, ""),
        OptionSpec::integer("limit", 8, 1, 99, ""),
    ];
    let check = |spec: &FamilySpec, options: &Options| match options.word("mode") {
        "eager" => spec.all_default(options, &["once"], "'mode: lazy'"),
        _ => Ok(()),
    };
    presets.iter().fold(FamilySpec::new("sfa", "", options).check(check), |spec, name| {
        let words: Vec<&str> = name.split('-').collect();
        spec.preset(*name, &[("algebra", words[1]), ("mode", words[2])])
    })
}
