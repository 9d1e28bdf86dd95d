//! Variables replaced by one another or by constants, names by shorter ones, declarations in the shorter
//! form.

use std::collections::HashSet;

use harness_smtlib::{names, print};

use super::terms::constants;
use crate::edit::Edit;
use crate::outline::Outline;

/// How many variables are tried in the place of one.
const EARLIER: usize = 8;

/// Each variable replaced by a constant, or by an earlier one of its sort, and not declared any more.
pub fn merged(outline: &Outline<'_>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (number, (name, sort, place)) in outline.variables.iter().enumerate().rev() {
        let Some(sort) = *sort else { continue };
        let declaration = outline.commands[*place].range.clone();
        let uses: Vec<_> = outline.uses(name).iter().map(|&at| outline.range(at)).collect();
        let uses = || uses.iter().filter(|range| !declaration.contains(&range.start)).cloned();
        let by = |by: &str| uses().fold(Edit::cut(declaration.clone()), |edit, range| edit.and(range, by));
        edits.extend(constants(sort).iter().map(|constant| by(constant)));
        let earlier = outline.variables[..number].iter().filter(|(_, other, _)| *other == Some(sort));
        edits.extend(earlier.take(EARLIER).map(|(name, ..)| by(&print::symbol(name))));
    }
    edits
}

/// Short names for all that are declared, defined or bound, all at once and each; `declare-const` for
/// `declare-fun`.
pub fn shorter(outline: &Outline<'_>) -> Vec<Edit> {
    let mut own: Vec<&str> = Vec::new();
    let mut edits = Vec::new();
    for (place, command) in outline.commands.iter().enumerate() {
        let arguments = outline.arguments(place);
        if let ("declare-fun", [name, list, sort]) = (command.name.as_str(), arguments.as_slice())
            && outline.tokens.after(*list) == list + 2
        {
            let by = format!("(declare-const {} {})", outline.source(*name), outline.source(*sort));
            edits.push(Edit::replace(command.range.clone(), by));
        }
        let names = command.name.starts_with("declare-") || command.name.starts_with("define-");
        if let (true, Some(Ok(name))) = (names, arguments.first().map(|&at| outline.tokens.text(at))) {
            own.push(name);
        }
    }
    for node in &outline.nodes {
        own.extend(outline.bindings(node).into_iter().map(|(name, _)| name));
    }
    let mut seen = HashSet::new();
    own.retain(|name| seen.insert(*name));
    let mut short = short_names().filter(|name| !outline.is_taken(name));
    let mut all = Edit::default();
    let mut renamed = 0;
    for name in own {
        // A name of one letter is as short as can be.
        if name.len() < 2 {
            continue;
        }
        let Some(by) = short.next() else { break };
        if by.len() >= name.len() {
            continue;
        }
        let mut one = Edit::default();
        for &at in outline.uses(name) {
            one = one.and(outline.range(at), by.as_str());
            all = all.and(outline.range(at), by.as_str());
        }
        renamed += 1;
        edits.push(one);
    }
    if renamed > 1 {
        edits.insert(0, all);
    }
    edits
}

/// `x`, `y`, `z`, `u`, then the other letters, then letters with numbers.
fn short_names() -> impl Iterator<Item = String> {
    let letters = || "xyzuvwabcdefghijklmnopqrst".chars();
    let numbered = (0_u32..).flat_map(move |number| letters().map(move |letter| format!("{letter}{number}")));
    letters().map(String::from).chain(numbered).filter(|name| names::spelled(name).is_none())
}

#[cfg(test)]
mod tests {
    use super::super::testkit::{assert_has, made};
    use super::*;

    #[test]
    fn variables_become_constants_and_one_another() {
        let script = "(declare-const x String)(declare-const n Int)(declare-const |y z| String)(assert (= x |y z|))\
                      (assert (= n (str.len |y z|)))(check-sat)";
        let made = made(script, merged);
        assert_has(
            &made,
            &[
                "(declare-const x String)(declare-const n Int)(assert (= x x))(assert (= n (str.len x)))(check-sat)",
                "(declare-const x String)(declare-const |y z| String)(assert (= x |y z|))(assert (= 0 (str.len |y z|)))(check-sat)",
            ],
        );
    }

    #[test]
    fn names_become_short_and_stay_different() {
        let script = "(declare-fun first () String)(declare-const |second one| String)(declare-const x String)\
                      (assert (= first |second one| x))(check-sat)";
        let made = made(script, shorter);
        assert!(
            made.contains(
                &"(declare-fun y () String)(declare-const z String)(declare-const x String)(assert (= y z x))(check-sat)"
                    .to_owned()
            ),
            "{made:?}"
        );
        assert!(made.iter().any(|text| text.starts_with("(declare-const first String)")), "{made:?}");
        assert!(made.iter().all(|text| !text.contains("(= x x")), "{made:?}");
    }
}
