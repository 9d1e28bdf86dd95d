//! Ways to make a regular expression smaller, as text in whatever dialect it is written.
//!
//! The text is cut into pieces that all dialects have: groups and their branches, classes, escapes, single
//! characters, and the quantifier behind each. A dialect may mean something else by a piece; then what a
//! change makes is not legal, or not interesting, and it is left. Nothing here recurses over the input.

use std::ops::Range;

use harness_model::{Alphabet, Dialect};

use crate::edit::{Edit, halves};
use crate::script::constants::{numerals, towards_zero};

/// What a piece is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// One character that stands for itself, or one such as `.` and `^`.
    Character,
    /// A backslash and what belongs to it.
    Escape,
    /// Brackets; the range is what is between them.
    Class(Range<usize>),
    /// Parentheses; the range is what is between them, without a prefix such as `?:`.
    Group(Range<usize>),
}

/// A piece with its quantifier.
#[derive(Clone, Debug)]
struct Item {
    atom: Range<usize>,
    /// Behind the quantifier.
    end: usize,
    kind: Kind,
    /// Its branch.
    branch: usize,
}

/// A branch of a group, or of the whole.
#[derive(Clone, Debug)]
struct Branch {
    range: Range<usize>,
    /// What stands before it: a bar, or nothing.
    bar: bool,
    /// A bar stands behind it.
    bar_behind: bool,
}

/// The structure of a pattern.
struct Pieces {
    items: Vec<Item>,
    branches: Vec<Branch>,
}

impl Pieces {
    fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut pieces = Self { items: Vec::new(), branches: Vec::new() };
        // For each group that is open: the place of its item, and of its branch.
        let mut open: Vec<(Option<usize>, usize)> = vec![(None, pieces.begin(0, false))];
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let branch = open.last().map_or(0, |(_, branch)| *branch);
            match byte {
                b'|' => {
                    pieces.branches[branch].range.end = at;
                    pieces.branches[branch].bar_behind = true;
                    let next = pieces.begin(at + 1, true);
                    if let Some(top) = open.last_mut() {
                        top.1 = next;
                    }
                    at += 1;
                }
                b'(' => {
                    let body = prefix(bytes, at + 1);
                    pieces.items.push(Item {
                        atom: at..body,
                        end: body,
                        kind: Kind::Group(body..body),
                        branch,
                    });
                    let item = pieces.items.len() - 1;
                    open.push((Some(item), pieces.begin(body, false)));
                    at = body;
                }
                b')' if open.len() > 1 => {
                    pieces.branches[branch].range.end = at;
                    if let Some((Some(item), _)) = open.pop() {
                        let end = quantified(bytes, at + 1);
                        let item = &mut pieces.items[item];
                        if let Kind::Group(body) = &mut item.kind {
                            body.end = at;
                        }
                        (item.atom.end, item.end) = (at + 1, end);
                        at = end;
                    }
                }
                _ => {
                    let (end, kind) = match byte {
                        b'\\' => (escape(bytes, at), Kind::Escape),
                        b'[' => {
                            let end = class(bytes, at);
                            (end, Kind::Class(at + 1..end.saturating_sub(1).max(at + 1)))
                        }
                        _ => (at + text[at..].chars().next().map_or(1, char::len_utf8), Kind::Character),
                    };
                    let behind = quantified(bytes, end);
                    pieces.items.push(Item { atom: at..end, end: behind, kind, branch });
                    at = behind;
                }
            }
        }
        for (_, branch) in open {
            pieces.branches[branch].range.end = text.len();
        }
        pieces
    }

    fn begin(&mut self, at: usize, bar: bool) -> usize {
        self.branches.push(Branch { range: at..at, bar, bar_behind: false });
        self.branches.len() - 1
    }
}

/// Where the body of a group begins whose parenthesis ends at `at`: behind `?:`, `?<name>`, `?i:` and the
/// like.
fn prefix(bytes: &[u8], at: usize) -> usize {
    if bytes.get(at) != Some(&b'?') {
        return at;
    }
    let named =
        matches!(bytes.get(at + 1), Some(b'<' | b'P')) && !matches!(bytes.get(at + 2), Some(b'=' | b'!'));
    let ends = |byte: u8| if named { byte == b'>' } else { b":=!>".contains(&byte) };
    for (place, &byte) in bytes.iter().enumerate().skip(at + 1) {
        if ends(byte) {
            return place + 1;
        }
        if byte == b')' {
            return place;
        }
    }
    at
}

/// The end of a quantifier at `at`, if one is there.
fn quantified(bytes: &[u8], at: usize) -> usize {
    let end = match bytes.get(at) {
        Some(b'*' | b'+' | b'?') => at + 1,
        Some(b'{') => {
            let inside = bytes[at + 1..].iter().take_while(|&&b| b.is_ascii_digit() || b == b',').count();
            let end = at + 1 + inside;
            if inside == 0 || bytes.get(end) != Some(&b'}') {
                return at;
            }
            end + 1
        }
        _ => return at,
    };
    if matches!(bytes.get(end), Some(b'?' | b'+')) { end + 1 } else { end }
}

/// The end of the escape whose backslash is at `at`.
fn escape(bytes: &[u8], at: usize) -> usize {
    let (Some(&letter), next) = (bytes.get(at + 1), at + 2) else { return bytes.len() };
    let hexadecimal =
        |most: usize| next + bytes[next..].iter().take(most).take_while(|b| b.is_ascii_hexdigit()).count();
    let braced = || {
        let end = bytes[next..].iter().position(|&b| b == b'}');
        (bytes.get(next) == Some(&b'{')).then(|| end.map_or(bytes.len(), |end| next + end + 1))
    };
    // Of a character beyond ASCII all bytes.
    let character = || {
        let end = bytes.len().min(next + 1);
        end + bytes[end..].iter().take_while(|&&b| (0x80..0xC0).contains(&b)).count()
    };
    match letter {
        b'Q' => {
            let end = bytes[next..].windows(2).position(|pair| pair == b"\\E");
            end.map_or(bytes.len(), |end| next + end + 2)
        }
        b'x' => braced().unwrap_or_else(|| hexadecimal(2)),
        b'u' => braced().unwrap_or_else(|| hexadecimal(4)),
        b'U' => braced().unwrap_or_else(|| hexadecimal(8)),
        b'p' | b'P' | b'N' | b'o' => braced().unwrap_or_else(character),
        b'c' => character(),
        b'0'..=b'9' => next + bytes[next..].iter().take(2).take_while(|b| b.is_ascii_digit()).count(),
        0x80.. => next + bytes[next..].iter().take_while(|&&b| (0x80..0xC0).contains(&b)).count(),
        _ => next,
    }
}

/// The end of the class whose bracket is at `at`.
fn class(bytes: &[u8], at: usize) -> usize {
    let mut depth = 1;
    let mut place = at + 1;
    if bytes.get(place) == Some(&b'^') {
        place += 1;
    }
    // A closing bracket that comes first is a character.
    if bytes.get(place) == Some(&b']') {
        place += 1;
    }
    while let Some(&byte) = bytes.get(place) {
        match byte {
            b'\\' => {
                place = escape(bytes, place);
                continue;
            }
            b'[' => depth += 1,
            b']' => {
                depth -= 1;
                if depth == 0 {
                    return place + 1;
                }
            }
            _ => {}
        }
        place += 1;
    }
    bytes.len()
}

/// The members of a class: single characters, escapes, ranges, inner classes.
fn members(text: &str, inside: &Range<usize>) -> Vec<Range<usize>> {
    let bytes = &text.as_bytes()[..inside.end];
    let one = |at: usize| match bytes[at] {
        b'\\' => escape(bytes, at),
        b'[' => class(bytes, at),
        _ => at + text[at..].chars().next().map_or(1, char::len_utf8),
    };
    let mut all = Vec::new();
    let mut at = inside.start + usize::from(bytes.get(inside.start) == Some(&b'^'));
    while at < inside.end {
        let mut end = one(at);
        if bytes.get(end) == Some(&b'-') && end + 1 < inside.end {
            end = one(end + 1);
        }
        all.push(at..end.min(inside.end));
        at = end;
    }
    all
}

/// Whether a pattern can be read.
pub fn is_legal(pattern: &str, dialect: Dialect, alphabet: Alphabet) -> bool {
    harness_regex::parse(pattern, dialect, alphabet).is_ok()
}

/// Sizes of pieces of branches.
pub fn grains(text: &str) -> Vec<usize> {
    let pieces = Pieces::of(text);
    let count = |branch: usize| pieces.items.iter().filter(|item| item.branch == branch).count();
    halves((0..pieces.branches.len()).map(count).max().unwrap_or(0))
}

/// So many neighbouring pieces left out, of each branch.
pub fn left_out(text: &str, size: usize) -> Vec<Edit> {
    let pieces = Pieces::of(text);
    let mut edits = Vec::new();
    for branch in 0..pieces.branches.len() {
        let items: Vec<&Item> = pieces.items.iter().filter(|item| item.branch == branch).collect();
        for chunk in items.chunks(size.max(1)) {
            if let [first, ..] = chunk
                && let Some(last) = chunk.last()
            {
                edits.push(Edit::cut(first.atom.start..last.end));
            }
        }
    }
    largest_first(edits)
}

/// Branches left out, groups replaced by what is in them, quantifiers left out or made simple.
pub fn simpler(text: &str) -> Vec<Edit> {
    let pieces = Pieces::of(text);
    let mut edits = Vec::new();
    for branch in &pieces.branches {
        let range = &branch.range;
        if branch.bar {
            edits.push(Edit::cut(range.start - 1..range.end));
        } else if branch.bar_behind {
            edits.push(Edit::cut(range.start..range.end + 1));
        }
    }
    for item in &pieces.items {
        let whole = item.atom.start..item.end;
        if let Kind::Group(body) = &item.kind {
            edits.push(Edit::replace(whole.clone(), body.clone()));
            edits.push(Edit::replace(item.atom.clone(), body.clone()));
            edits.push(Edit::replace(item.atom.start..body.start, "("));
        }
        let quantifier = item.atom.end..item.end;
        if !quantifier.is_empty() {
            edits.push(Edit::cut(quantifier.clone()));
            for simple in ["*", "+", "?"] {
                edits.push(Edit::replace(quantifier.clone(), simple));
            }
            if let Some(comma) = text[quantifier.clone()].find(',') {
                let brace = text[quantifier.clone()].find('}').unwrap_or(comma);
                let comma = quantifier.start + comma;
                edits.push(Edit::cut(comma..quantifier.start + brace));
                edits.push(Edit::cut(comma + 1..quantifier.start + brace));
            }
            for number in numerals(&text[quantifier.clone()]) {
                let range = quantifier.start + number.start..quantifier.start + number.end;
                for by in towards_zero(&text[range.clone()]) {
                    edits.push(Edit::replace(range.clone(), by));
                }
            }
        }
        if text[item.atom.clone()] != *"a" {
            edits.push(Edit::replace(whole, "a"));
            edits.push(Edit::replace(item.atom.clone(), "a"));
        }
    }
    largest_first(edits)
}

/// Members of classes left out; classes replaced by one of their members; members made plain.
pub fn smaller_classes(text: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    for item in Pieces::of(text).items {
        let Kind::Class(inside) = &item.kind else { continue };
        let members = members(text, inside);
        for size in halves(members.len()) {
            for chunk in members.chunks(size) {
                edits.push(Edit::remove(chunk.iter().cloned()));
            }
        }
        if text.as_bytes().get(inside.start) == Some(&b'^') {
            edits.push(Edit::cut(inside.start..inside.start + 1));
        }
        for member in members {
            edits.push(Edit::replace(item.atom.clone(), member.clone()));
            edits.push(Edit::replace(member, "a"));
        }
    }
    largest_first(edits)
}

fn largest_first(mut edits: Vec<Edit>) -> Vec<Edit> {
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.saves()));
    edits
}

/// How simple a pattern of one length is: characters other than `a` count, digits as many times as they say.
pub fn plainness(text: &str) -> u64 {
    let cost = |byte: u8| match byte {
        b'a' => 0,
        b'0'..=b'9' => u64::from(byte - b'0') + 1,
        _ => 1,
    };
    text.bytes().map(cost).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::testkit::assert_has;

    fn made(text: &str, edits: &[Edit]) -> Vec<String> {
        let mut made: Vec<String> = Vec::new();
        for text in edits.iter().filter_map(|edit| edit.apply(text)) {
            if is_legal(&text, Dialect::Java, Alphabet::Utf16) && !made.contains(&text) {
                made.push(text);
            }
        }
        made
    }

    #[test]
    fn pieces_go() {
        let text = r"\x41b{2,3}(?:c|d[e-g\]])*é";
        assert_eq!(grains(text), [2, 1]);
        assert_has(&made(text, &left_out(text, 2)), &[r"(?:c|d[e-g\]])*é", r"\x41b{2,3}"]);
        assert_has(
            &made(text, &left_out(text, 1)),
            &[r"b{2,3}(?:c|d[e-g\]])*é", r"\x41b{2,3}é", r"\x41b{2,3}(?:c|d)*é"],
        );
    }

    #[test]
    fn branches_groups_and_quantifiers_become_simpler() {
        let text = "x(?<n>bc|d|e{2,9})+?y";
        assert_has(
            &made(text, &simpler(text)),
            &[
                "x(?<n>d|e{2,9})+?y",
                "x(?<n>bc|d)+?y",
                "xbc|d|e{2,9}y",
                "x(bc|d|e{2,9})+?y",
                "x(?<n>bc|d|e{2,9})y",
                "x(?<n>bc|d|e{0,9})+?y",
                "x(?<n>bc|d|e{2,4})+?y",
                "x(?<n>bc|d|e{2})+?y",
                "x(?<n>bc|d|e{2,})+?y",
                "x(?<n>bc|d|e*)+?y",
                "xay",
                "a(?<n>bc|d|e{2,9})+?y",
            ],
        );
    }

    #[test]
    fn classes_lose_members() {
        let text = r"[^b-dx\n]+";
        assert_has(
            &made(text, &smaller_classes(text)),
            &[r"[^\n]+", r"[^b-dx]+", r"[b-dx\n]+", r"\n+", "x+", r"[^ax\n]+"],
        );
    }

    #[test]
    fn whatever_a_text_is_its_pieces_are_found() {
        for text in [
            "", "(", ")", "[", "[]", "[^]a]", "\\", "a{", "a{,}", "((a)", "|", "(?", "\\Qa(", "é|(é", "\\é*",
            "\\cé", "\\pé", "[\\cé]",
        ] {
            for edit in [left_out(text, 1), simpler(text), smaller_classes(text)].concat() {
                let _ = edit.apply(text);
            }
            grains(text);
        }
        let deep = format!("{}a{}", "(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(Pieces::of(&deep).items.len(), 100_001);
    }
}
