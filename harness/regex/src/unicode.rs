//! Classes of characters by name: `\w`, `\d`, `\s` of each dialect, Unicode properties, POSIX names.
//!
//! Properties come from the tables of `regex-syntax`, which knows general categories, scripts and binary
//! properties under their loose names; surrogates, which it does not have, are added here. `\w`, `\d` and
//! `\s` of .NET are constant tables, so that reading a pattern does not pay for collecting categories.

use harness_model::{Alphabet, Char, CharSet};
use regex_syntax::hir::{Class, HirKind};

use crate::node::merge;
use crate::tables;

/// The halves of surrogate pairs: category Cs.
const SURROGATES: (u32, u32) = (0xD800, 0xDFFF);

/// Cuts sorted ranges to `alphabet`.
fn cut(table: &[(u32, u32)], alphabet: Alphabet) -> CharSet {
    let max = alphabet.max().0;
    let end = table.partition_point(|&(low, _)| low <= max);
    CharSet::from_ranges(table[..end].iter().map(|&(low, high)| (low, high.min(max))))
}

/// `\w` of the study: categories Lu Ll Lt Lm Lo Nd Pc.
pub(crate) fn study_word(alphabet: Alphabet) -> CharSet {
    cut(tables::WORD, alphabet)
}

/// `\w` of .NET: that of the study and category Mn.
pub(crate) fn dotnet_word(alphabet: Alphabet) -> CharSet {
    merge(&study_word(alphabet), &cut(tables::MARK, alphabet))
}

/// `\d` of .NET: category Nd.
pub(crate) fn dotnet_digit(alphabet: Alphabet) -> CharSet {
    cut(tables::DIGIT, alphabet)
}

/// `\s` of .NET: U+0009 to U+000D, U+0085, categories Zs Zl Zp.
pub(crate) fn dotnet_space(alphabet: Alphabet) -> CharSet {
    cut(tables::SPACE, alphabet)
}

/// The set of ASCII characters that `text` lists, with `a-z` for a range.
fn listed(text: &str) -> CharSet {
    let chars: Vec<u32> = text.chars().map(u32::from).collect();
    let mut ranges = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if chars.get(at + 1) == Some(&u32::from('-')) && at + 2 < chars.len() {
            ranges.push((chars[at], chars[at + 2]));
            at += 3;
        } else {
            ranges.push((chars[at], chars[at]));
            at += 1;
        }
    }
    CharSet::from_ranges(ranges)
}

/// `[0-9A-Z_a-z]`
pub(crate) fn ascii_word() -> CharSet {
    listed("0-9A-Z_a-z")
}

/// `\w` of the Rust crate, and of Java under flag `U`.
pub(crate) fn word(alphabet: Alphabet) -> CharSet {
    properties(&["Alphabetic", "M", "Nd", "Pc", "Join_Control"], alphabet)
}

/// `[0-9]`
pub(crate) fn ascii_digit() -> CharSet {
    listed("0-9")
}

/// Tab to carriage return, and the blank.
pub(crate) fn ascii_space() -> CharSet {
    CharSet::from_ranges([(0x09, 0x0D), (0x20, 0x20)])
}

/// `\h` of Java and PCRE2: white space within a line.
pub(crate) fn horizontal_space(alphabet: Alphabet) -> CharSet {
    cut(
        &[
            (0x09, 0x09),
            (0x20, 0x20),
            (0xA0, 0xA0),
            (0x1680, 0x1680),
            (0x180E, 0x180E),
            (0x2000, 0x200A),
            (0x202F, 0x202F),
            (0x205F, 0x205F),
            (0x3000, 0x3000),
        ],
        alphabet,
    )
}

/// `\v` of Java and PCRE2: what ends a line, in the widest sense.
pub(crate) fn vertical_space(alphabet: Alphabet) -> CharSet {
    cut(&[(0x0A, 0x0D), (0x85, 0x85), (0x2028, 0x2029)], alphabet)
}

/// What ends a line for `.`, `^` and `$` of Java.
pub(crate) fn java_terminators(alphabet: Alphabet) -> CharSet {
    cut(&[(0x0A, 0x0A), (0x0D, 0x0D), (0x85, 0x85), (0x2028, 0x2029)], alphabet)
}

/// `\n`
pub(crate) fn newline() -> CharSet {
    CharSet::single(Char(0x0A))
}

/// The POSIX class `name`, ASCII only.
pub(crate) fn posix(name: &str) -> Option<CharSet> {
    Some(match name {
        "alnum" => listed("0-9A-Za-z"),
        "alpha" => listed("A-Za-z"),
        "ascii" => CharSet::from_ranges([(0, 0x7F)]),
        "blank" => listed("\t "),
        "cntrl" => CharSet::from_ranges([(0, 0x1F), (0x7F, 0x7F)]),
        "digit" => ascii_digit(),
        "graph" => CharSet::from_ranges([(0x21, 0x7E)]),
        "lower" => listed("a-z"),
        "print" => CharSet::from_ranges([(0x20, 0x7E)]),
        "punct" => CharSet::from_ranges([(0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)]),
        "space" => ascii_space(),
        "upper" => listed("A-Z"),
        "word" => ascii_word(),
        "xdigit" => listed("0-9A-Fa-f"),
        _ => return None,
    })
}

/// The general categories, by the short names that every dialect takes.
pub(crate) const CATEGORIES: [&str; 37] = [
    "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Ps",
    "Pe", "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp", "C", "Cc", "Cf", "Cs", "Co",
    "Cn",
];

/// The general category with the short name `name`, cut to `alphabet`.
pub(crate) fn category(name: &str, alphabet: Alphabet) -> Option<CharSet> {
    if !CATEGORIES.contains(&name) {
        return None;
    }
    let surrogates = || CharSet::from_ranges([SURROGATES]);
    let set = match name {
        "Cs" => surrogates(),
        "C" => property("C")?.union(&surrogates()),
        "Cn" => property("Cn")?.difference(&surrogates()),
        _ => property(name)?,
    };
    Some(set.cut_to(alphabet))
}

/// The characters with a property as `regex-syntax` names it (`Lu`, `Greek`, `scx=Greek`, `Alphabetic`);
/// `None` if there is none of that name. Costs a walk over the property's table.
pub(crate) fn property(query: &str) -> Option<CharSet> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "_-= :".contains(c);
    if query.is_empty() || !query.chars().all(fits) {
        return None;
    }
    match regex_syntax::parse(&format!("\\p{{{query}}}")).ok()?.into_kind() {
        HirKind::Class(Class::Unicode(class)) => {
            Some(CharSet::from_ranges(class.iter().map(|r| (u32::from(r.start()), u32::from(r.end())))))
        }
        // A property of one character comes back as that character.
        HirKind::Literal(literal) => {
            let c = std::str::from_utf8(&literal.0).ok()?.chars().next()?;
            Some(CharSet::single(Char(u32::from(c))))
        }
        _ => None,
    }
}

/// The union of several properties, cut to `alphabet`.
pub(crate) fn properties(names: &[&str], alphabet: Alphabet) -> CharSet {
    let all = names.iter().filter_map(|n| property(n));
    all.fold(CharSet::empty(), |sum, set| sum.union(&set)).cut_to(alphabet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_what_the_categories_say() {
        let word = properties(&["Lu", "Ll", "Lt", "Lm", "Lo", "Nd", "Pc"], Alphabet::Unicode);
        assert_eq!(tables::WORD, word.ranges(), "run the test `print_tables`");
        assert_eq!(tables::MARK, properties(&["Mn"], Alphabet::Unicode).ranges());
        assert_eq!(tables::DIGIT, properties(&["Nd"], Alphabet::Unicode).ranges());
        let controls = CharSet::from_ranges([(0x09, 0x0D), (0x85, 0x85)]);
        assert_eq!(
            tables::SPACE,
            properties(&["Zs", "Zl", "Zp"], Alphabet::Unicode).union(&controls).ranges()
        );
    }

    /// Prints `tables.rs` anew: `cargo test -p harness-regex print_tables -- --ignored --nocapture`.
    #[test]
    #[ignore = "a generator, run by hand when regex-syntax brings a newer Unicode"]
    fn print_tables() {
        let show = |name: &str, doc: &str, set: &CharSet| {
            println!("/// {doc}\npub(crate) const {name}: &[(u32, u32)] = &[");
            for (low, high) in set.ranges() {
                println!("    (0x{low:X}, 0x{high:X}),");
            }
            println!("];");
        };
        let word = properties(&["Lu", "Ll", "Lt", "Lm", "Lo", "Nd", "Pc"], Alphabet::Unicode);
        show("WORD", "Lu Ll Lt Lm Lo Nd Pc", &word);
        show("MARK", "Mn", &properties(&["Mn"], Alphabet::Unicode));
        show("DIGIT", "Nd", &properties(&["Nd"], Alphabet::Unicode));
        let controls = CharSet::from_ranges([(0x09, 0x0D), (0x85, 0x85)]);
        let space = properties(&["Zs", "Zl", "Zp"], Alphabet::Unicode).union(&controls);
        show("SPACE", "U+0009 to U+000D, U+0085, Zs Zl Zp", &space);
    }

    #[test]
    fn every_category_is_known() {
        let mut all = CharSet::empty();
        for name in CATEGORIES.iter().filter(|n| n.len() == 2) {
            let set = category(name, Alphabet::Unicode).unwrap();
            assert!(all.intersection(&set).is_empty(), "{name} overlaps");
            all = all.union(&set);
        }
        assert_eq!(all, CharSet::full(Alphabet::Unicode));
    }

    #[test]
    fn lists() {
        assert_eq!(listed("a-c-"), CharSet::from_ranges([(0x61, 0x63), (0x2D, 0x2D)]));
        assert_eq!(posix("blank").map(|s| s.len()), Some(2));
        assert_eq!(posix("nope"), None);
    }

    #[test]
    fn properties_by_name() {
        assert!(property("Greek").unwrap().contains(Char(0x3B1)));
        assert_eq!(property("Zl").unwrap(), CharSet::single(Char(0x2028)));
        assert_eq!(property("no such"), None);
        assert_eq!(property("L}|x"), None);
    }
}
