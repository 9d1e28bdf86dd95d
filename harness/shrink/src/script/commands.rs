//! Commands, levels and declarations left out.

use std::ops::Range;

use crate::edit::{Edit, halves};
use crate::outline::Outline;

/// The places of commands that can go without others going. The logic stays: the standard wants one, and some
/// solvers do.
fn loose(outline: &Outline<'_>) -> Vec<usize> {
    let fixed = |name: &str| {
        let defines = name.starts_with("declare-") || name.starts_with("define-");
        defines || ["push", "pop", "set-logic"].contains(&name)
    };
    (0..outline.commands.len()).filter(|&place| !fixed(&outline.commands[place].name)).collect()
}

/// Sizes of pieces of commands.
pub fn grains(outline: &Outline<'_>) -> Vec<usize> {
    halves(loose(outline).len())
}

/// Pieces of so many commands left out.
pub fn left_out(outline: &Outline<'_>, size: usize) -> Vec<Edit> {
    let loose = loose(outline);
    let range = |&place: &usize| outline.commands[place].range.clone();
    loose.chunks(size.max(1)).map(|piece| Edit::remove(piece.iter().map(range))).collect()
}

/// Levels left out: with all that is in them, or only their ends.
pub fn levels(outline: &Outline<'_>) -> Vec<Edit> {
    let mut open: Vec<usize> = Vec::new();
    let mut edits = Vec::new();
    for (place, command) in outline.commands.iter().enumerate() {
        match command.name.as_str() {
            "push" => open.push(place),
            "pop" => {
                let Some(first) = open.pop() else { continue };
                let first = outline.commands[first].range.clone();
                edits.push(Edit::cut(first.start..command.range.end));
                edits.push(Edit::remove([first, command.range.clone()]));
            }
            _ => {}
        }
    }
    // A level that is never closed.
    edits.extend(open.into_iter().map(|place| Edit::cut(outline.commands[place].range.clone())));
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.saves()));
    edits
}

/// Declarations and definitions of names that are used nowhere left out: all at once, then each.
pub fn unused(outline: &Outline<'_>) -> Vec<Edit> {
    let ranges: Vec<Range<usize>> = (0..outline.commands.len())
        .filter(|&place| {
            let name = &outline.commands[place].name;
            let defines = name.starts_with("declare-") || name.starts_with("define-");
            let first = outline.arguments(place).first().copied();
            defines
                && first
                    .is_some_and(|at| outline.tokens.text(at).is_ok_and(|name| outline.uses(name).len() == 1))
        })
        .map(|place| outline.commands[place].range.clone())
        .collect();
    let all = (ranges.len() > 1).then(|| Edit::remove(ranges.clone()));
    all.into_iter().chain(ranges.into_iter().map(Edit::cut)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testkit::made;
    use super::*;

    const SCRIPT: &str = "(set-info :status sat)(declare-const x String)(declare-const y String)(declare-const z String)\
        (assert (= x y))(push 1)(assert (= y \"\"))(check-sat)(pop 1)(get-model)";

    #[test]
    fn pieces_of_commands_go() {
        let kept = |size| made(SCRIPT, |outline| left_out(outline, size));
        let outline = Outline::of(SCRIPT).unwrap();
        assert_eq!(grains(&outline), [3, 2, 1]);
        // Of the halves, the second one has the only query.
        assert_eq!(kept(3).len(), 1);
        assert!(!kept(3)[0].contains("(assert (= x y))"), "{:?}", kept(3));
        let single = kept(1);
        assert_eq!(single.len(), 4, "{single:?}");
        assert!(single.iter().all(|text| text.contains("(check-sat)")));
    }

    #[test]
    fn levels_go_whole_or_leave_what_was_in_them() {
        let two = SCRIPT.replace("(get-model)", "(check-sat)");
        let made = made(&two, levels);
        assert_eq!(made.len(), 2, "{made:?}");
        assert!(!made[0].contains("(= y \"\")") && made[0].contains("(check-sat)"), "{made:?}");
        assert!(made[1].contains("(= y \"\")") && !made[1].contains("push"), "{made:?}");
    }

    #[test]
    fn what_is_used_stays() {
        let made = made(SCRIPT, unused);
        assert_eq!(made.len(), 1);
        assert!(!made[0].contains(" z ") && made[0].contains("const y "), "{made:?}");
    }
}
