//! Patterns over names, and the name that was probably meant.
//!
//! A pattern has `*` and nothing else. Patterns over names of files are another thing:
//! `corpora::script_files` has them.

/// Whether `name` is what `pattern` describes: `*` stands for any characters, also none; everything else for
/// itself.
///
/// Takes time proportional to the product of the lengths at worst.
pub fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut p, mut n) = (0, 0);
    // Where to go on when the text after the last star does not fit: the star, and how much it has eaten so
    // far.
    let mut retry: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&b'*') {
            retry = Some((p, n));
            p += 1;
        } else if pattern.get(p) == name.get(n) {
            p += 1;
            n += 1;
        } else if let Some((star, eaten)) = retry {
            retry = Some((star, eaten + 1));
            p = star + 1;
            n = eaten + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&c| c == b'*')
}

/// Whether `name` is a pattern rather than a plain name.
pub fn is_pattern(name: &str) -> bool {
    name.contains('*')
}

/// The name among `known` that `wrong` was probably meant to be: the one that takes the fewest insertions,
/// deletions, replacements and swaps of neighbours, if these are at most a third of its length (and at least
/// one is allowed).
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wrong = wrong.to_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::osa_distance(&wrong, name), name))
        .filter(|(distance, name)| *distance <= (name.chars().count() / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// The end of a message about a wrong name: the nearest right one, else all of them if they are few.
pub fn hint<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    if let Some(name) = nearest(wrong, known.clone()) {
        return format!(": did you mean '{name}'?");
    }
    let all: Vec<&str> = known.into_iter().collect();
    match all.as_slice() {
        [] => String::new(),
        [only] => format!(": there is only '{only}'"),
        [most @ .., last] if all.len() <= 16 => format!(": there are {} and {last}", most.join(", ")),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn stars() {
        for (pattern, name, expected) in [
            ("sfa-*-lazy", "sfa-bdd-lazy", true),
            ("sfa-*-lazy", "sfa-bdd-eager", false),
            ("sfa-*-lazy", "sfa--lazy", true),
            ("sfa-*-lazy", "sfa-lazy", false),
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("a", "", false),
            ("*lazy*", "sfa-bdd-lazy-bfs", true),
            ("a*b*c", "axbxbxc", true),
            ("a*b*c", "axbxbx", false),
            ("é*", "éa", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn nearest_names() {
        let known = ["sfa-bdd-lazy", "sfa-bdd-eager", "sfa-ranges-lazy"];
        assert_eq!(nearest("sfa-bbd-lazy", known), Some("sfa-bdd-lazy"));
        assert_eq!(nearest("SFA-BDD-EAGER", known), Some("sfa-bdd-eager"));
        assert_eq!(nearest("z3", known), None);
        assert_eq!(hint("z3", ["a", "b", "c"]), ": there are a, b and c");
        assert_eq!(hint("z3", ["classes"]), ": there is only 'classes'");
    }

    proptest! {
        #[test]
        fn a_name_matches_itself_and_every_pattern_with_a_part_replaced_by_a_star(
            head in "[a-c-]{0,4}", middle in "[a-c-]{0,4}", tail in "[a-c-]{0,4}",
        ) {
            let name = format!("{head}{middle}{tail}");
            prop_assert!(matches(&name, &name));
            let pattern = format!("{head}*{tail}");
            prop_assert!(matches(&pattern, &name));
            let longer = format!("{name}x");
            prop_assert!(!matches(&name, &longer));
        }
    }
}
