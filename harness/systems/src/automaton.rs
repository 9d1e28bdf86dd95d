//! Automata as DPRLE writes them: one start, one final state, moves on a set of characters or on nothing.
//!
//! States are numbers below [`Automaton::states`].

use std::fmt::Write as _;

use harness_model::{Alphabet, Char, CharSet, SmtString};

/// A move from one state to another; without characters it reads nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// From here.
    pub from: usize,
    /// What it reads: one of these, or nothing.
    pub reads: Option<CharSet>,
    /// To here.
    pub to: usize,
}

/// A finite automaton. The states that moves name exist.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Automaton {
    /// How many.
    pub states: usize,
    /// Where words begin.
    pub start: usize,
    /// Where words end.
    pub end: usize,
    /// In any order.
    pub moves: Vec<Move>,
}

impl Automaton {
    /// Whether `word` leads from the start to the end: every state that a part of the word may lead to, one
    /// character after the other.
    pub fn accepts(&self, word: &SmtString) -> bool {
        let mut from: Vec<Vec<&Move>> = vec![Vec::new(); self.states];
        for step in &self.moves {
            from[step.from].push(step);
        }
        let close = |reached: &mut Vec<bool>| {
            let mut todo: Vec<usize> = (0..self.states).filter(|&state| reached[state]).collect();
            while let Some(state) = todo.pop() {
                for step in from[state].iter().filter(|step| step.reads.is_none()) {
                    if !std::mem::replace(&mut reached[step.to], true) {
                        todo.push(step.to);
                    }
                }
            }
        };
        let mut now = vec![false; self.states];
        now[self.start] = true;
        close(&mut now);
        for &c in word.chars() {
            let mut next = vec![false; self.states];
            for step in (0..self.states).filter(|&state| now[state]).flat_map(|state| &from[state]) {
                if step.reads.as_ref().is_some_and(|set| set.contains(c)) {
                    next[step.to] = true;
                }
            }
            close(&mut next);
            now = next;
        }
        now[self.end]
    }

    /// Its text in DPRLE's notation. Sets of three and more successive characters are written as ranges, and
    /// characters beyond 255 as `\u{…}`, both of which DPRLE itself does not have, unless `plain` is asked
    /// for: then every character of a set is written, and there may be none beyond 255.
    pub fn text(&self, alphabet: Alphabet, plain: bool) -> String {
        let mut out = format!("[ s: q{} f: q{} d:", self.start, self.end);
        for Move { from, reads, to } in &self.moves {
            let _ = write!(out, " q{from} -> q{to} on ");
            match reads {
                None => out.push_str("epsilon"),
                Some(set) => label(set, alphabet, plain, &mut out),
            }
        }
        out.push_str(" ]");
        out
    }
}

fn label(set: &CharSet, alphabet: Alphabet, plain: bool, out: &mut String) {
    let rest = set.complement(alphabet);
    if rest.is_empty() {
        out.push_str("any");
    } else if rest.ranges().len() < set.ranges().len() {
        out.push_str("neg ");
        braced(&rest, plain, out);
    } else {
        braced(set, plain, out);
    }
}

fn braced(set: &CharSet, plain: bool, out: &mut String) {
    out.push_str("{ ");
    let mut first = true;
    for &(low, high) in set.ranges() {
        let mut piece = |text: String| {
            if !std::mem::take(&mut first) {
                out.push_str(", ");
            }
            out.push_str(&text);
        };
        if plain || high - low < 2 {
            (low..=high).for_each(|c| piece(symbol(Char(c))));
        } else {
            piece(format!("{}-{}", symbol(Char(low)), symbol(Char(high))));
        }
    }
    out.push_str(" }");
}

/// A character as DPRLE writes it.
pub fn symbol(c: Char) -> String {
    match u8::try_from(c.0) {
        Ok(byte) if byte.is_ascii_graphic() || byte == b' ' => format!("'{}'", char::from(byte)),
        Ok(byte) => format!("\\{byte:03}"),
        Err(_) => format!("\\u{{{:x}}}", c.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_that_read_nothing_are_taken_at_any_time() {
        let step = |from, reads: &str, to| Move {
            from,
            reads: reads.chars().next().map(|c| CharSet::single(Char(u32::from(c)))),
            to,
        };
        // (ab)+
        let automaton = Automaton {
            states: 4,
            start: 0,
            end: 3,
            moves: vec![step(0, "a", 1), step(1, "b", 2), step(2, "", 3), step(3, "", 0)],
        };
        let accepts = |word: &str| automaton.accepts(&SmtString::from(word));
        assert!(accepts("ab") && accepts("abab"));
        assert!(!accepts("") && !accepts("aba") && !accepts("b"));
        assert_eq!(
            automaton.text(Alphabet::Latin1, true),
            "[ s: q0 f: q3 d: q0 -> q1 on { 'a' } q1 -> q2 on { 'b' } q2 -> q3 on epsilon q3 -> q0 on epsilon ]"
        );
    }

    #[test]
    fn sets_are_written_in_the_shorter_way() {
        let text = |set: &CharSet, plain| {
            let mut out = String::new();
            label(set, Alphabet::Latin1, plain, &mut out);
            out
        };
        let letters = CharSet::from_ranges([(97, 100), (10, 10)]);
        assert_eq!(text(&letters, false), r"{ \010, 'a'-'d' }");
        assert_eq!(text(&letters, true), r"{ \010, 'a', 'b', 'c', 'd' }");
        assert_eq!(text(&letters.complement(Alphabet::Latin1), false), r"neg { \010, 'a'-'d' }");
        assert_eq!(text(&CharSet::full(Alphabet::Latin1), true), "any");
    }
}
