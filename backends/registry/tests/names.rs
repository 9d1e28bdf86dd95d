//! Names of strategies: the list, and that every set of options has a name that is read back.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::time::Duration;

use backends_api::{FamilySpec, Kind, Options, Value};
use proptest::prelude::*;

/// The strategies that need no feature, with those of Z3 where it is linked: names are a promise to
/// configurations.
fn expected() -> Vec<String> {
    let z3 = cfg!(feature = "z3");
    // Those of string graphs; the representation study has one more.
    let algebras = ["bdd", "ranges", "hashset", "predicate"];
    let mut names: Vec<String> = Vec::new();
    for algebra in ["bdd", "ranges", "hashset", "pairs", "predicate"] {
        if algebra == "predicate" && !z3 {
            continue;
        }
        let kinds = "eager lazy eager-refine lazy-refine lazy-bfs lazy-once lazy-refine-once eager-separate lazy-separate";
        names.extend(kinds.split_whitespace().map(|kind| format!("sfa-{algebra}-{kind}")));
    }
    let fixed = |names: &mut Vec<String>, text: &str| {
        names.extend(text.split_whitespace().map(str::to_owned));
    };
    fixed(&mut names, "classes-lazy classes-lazy-antichain classes-lazy-bfs classes-eager");
    if z3 {
        for algebra in algebras {
            let endings = ["", "-positive-first", "-cheapest-first", "-thesis", "-spf"];
            names.extend(endings.map(|ending| format!("graph-automata-{algebra}{ending}")));
            names.push(format!("graph-automata-free-{algebra}"));
            names.push(format!("graph-automata-{algebra}-published"));
        }
        fixed(
            &mut names,
            "hybrid hybrid-full hybrid-relaxed hybrid-no-rules hybrid-plain-split z3 rex
             graph-bitvector graph-bitvector-published graph-bitvector-thesis graph-bitvector-spf
             graph-bitvector-positive-first graph-bitvector-cheapest-first
             graph-bitvector-all graph-bitvector-all-thesis graph-bitvector-all-spf
             graph-bitvector-core graph-bitvector-core-thesis graph-bitvector-core-spf
             parray-mbqi parray-qelim parray-qelim-iterative parray-qelim-guided parray-concrete
             parray+automata parray+automata+qelim parray+automata+qelim-guided",
        );
    }
    for family in ["dprle", "strsolve"] {
        let published = if family == "dprle" { "hashset" } else { "ranges" };
        for algebra in algebras.into_iter().filter(|algebra| z3 || *algebra != "predicate") {
            let name = if algebra == published { family.to_owned() } else { format!("{family}-{algebra}") };
            names.push(name);
        }
        let more = if family == "dprle" { "dprle-minimise dprle-published" } else { "strsolve-published" };
        fixed(&mut names, more);
    }
    if z3 {
        fixed(&mut names, "hampi hampi-shortest");
    }
    fixed(&mut names, "hampi-sat hampi-sat-shortest cfg");
    fixed(&mut names, "automata-only brute-force brute-force-8 brics-eager brics-lazy mata-eager mata-lazy");
    if cfg!(feature = "peers") {
        fixed(
            &mut names,
            "peer-regexsolver peer-regexsolver-eager peer-aws-smt-strings peer-regex-automata peer-regex-automata-lazy",
        );
    }
    names
}

#[test]
fn the_list_is_what_it_was() {
    let mut names: Vec<String> = backends::infos().into_iter().map(|info| info.name).collect();
    names.retain(|name| !name.starts_with("test-"));
    assert_eq!(names, expected());
}

#[test]
fn names_are_unique_and_well_formed() {
    let infos = backends::infos();
    for info in &infos {
        // The study of parameterised arrays joins methods by '+'.
        let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-+".contains(c);
        assert!(info.name.chars().all(good), "{}", info.name);
        assert!(
            !info.summary.is_empty() && !info.version.is_empty() && !info.source.is_empty(),
            "{}",
            info.name
        );
    }
    let mut names: Vec<&str> = infos.iter().map(|info| info.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), infos.len());
}

#[test]
fn every_listed_name_is_read_back() {
    let registry = backends::registry();
    for listed in registry.listed() {
        let (name, spec) = (listed.name(), listed.family.spec());
        assert_eq!(spec.allows(&listed.options), Ok(()), "{name}");
        assert_eq!(listed.build().info().name, name);
        let found = registry.resolve(&name).unwrap();
        assert_eq!((found.family.spec().id, found.options), (spec.id, listed.options));
    }
    for wrong in [
        "",
        "sfa",
        "sfa-bdd",
        "sfa-bdd-lazy-",
        "graph-bitvector-max-0",
        "brute-force-length-4",
        "hybrid-full-",
        "external",
        "external-exit-false",
    ] {
        assert!(registry.resolve(wrong).is_none(), "{wrong}");
    }
}

#[test]
fn options_are_described() {
    let registry = backends::registry();
    for family in registry.families() {
        let spec = family.spec();
        // Which programs there are is for configurations to say.
        assert_eq!(spec.presets.is_empty(), spec.id == "external", "{}", spec.id);
        assert!(!spec.summary.is_empty(), "{}", spec.id);
        for option in &spec.options {
            assert!(!option.meaning.is_empty(), "{}: {}", spec.id, option.name);
            assert_eq!(option.kind.parse(&option.default.to_string()), Ok(option.default.clone()));
        }
    }
}

/// What another build has is not in this one.
#[test]
fn strategies_of_features_are_those_of_the_patterns() {
    let matches = |pattern: &str, name: &str| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    };
    let infos = backends::infos();
    for feature in backends::FEATURES {
        for pattern in feature.patterns {
            let found = infos.iter().any(|info| matches(pattern, &info.name));
            assert_eq!(found, feature.on, "{}: {pattern}", feature.name);
        }
    }
}

/// A value of the kind, for each number.
fn value(kind: &Kind, number: u64) -> Value {
    match kind {
        Kind::Flag => Value::Flag(number % 2 == 1),
        Kind::Integer { low, high, word } => match word {
            Some(word) if number.is_multiple_of(5) => Value::Word(word),
            _ => {
                let width = high.abs_diff(*low) + 1;
                Value::Integer(low + i64::try_from(number % width).unwrap())
            }
        },
        Kind::Numbers { high, most } => {
            let count = 1 + usize::try_from(number).unwrap() % most;
            Value::Numbers(
                (0..count).map(|place| 1 + (i64::try_from(number).unwrap() + place as i64) % high).collect(),
            )
        }
        Kind::Time if number.is_multiple_of(5) => Value::Word("none"),
        Kind::Time => Value::Time(Duration::from_millis(1 + number % 86_400_000)),
        Kind::Choice(names) => Value::Word(names[usize::try_from(number).unwrap() % names.len()]),
        Kind::Text => Value::Text(format!("a text-{number} +")),
        Kind::Command => Value::Command(vec!["a-program".to_owned(), format!("it's {number}")]),
    }
}

fn some_options(spec: &FamilySpec, draws: &[(bool, u32)]) -> Options {
    let mut options = Options::defaults(&spec.options);
    for (option, (other, number)) in spec.options.iter().zip(draws) {
        if *other {
            options.set(option, value(&option.kind, u64::from(*number)));
        }
    }
    options
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_set_of_options_has_a_name_that_is_read_back(
        family in any::<prop::sample::Index>(), draws in prop::collection::vec((prop::bool::weighted(0.4), any::<u32>()), 16),
    ) {
        let registry = backends::registry();
        let families: Vec<_> = registry.families().collect();
        let family = families[family.index(families.len())];
        let options = some_options(family.spec(), &draws);
        prop_assume!(family.spec().allows(&options).is_ok());
        let name = family.spec().name(&options);
        prop_assert!(name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-+".contains(c)), "{}", name);
        prop_assert_eq!(&family.build(&options).info().name, &name);
        let found = registry.resolve(&name);
        prop_assert!(found.is_some(), "{}", name);
        let found = found.unwrap();
        prop_assert_eq!((found.family.spec().id, found.options), (family.spec().id, options), "{}", name);
    }
}
