//! Regular expressions as SMT-LIB text, for people.

use harness_model::{Alphabet, CharSet, Regex, SmtString};
use harness_smtlib::print;

/// What stands where a text was cut.
pub const CUT: char = '…';

enum Todo<'r> {
    Visit(&'r Regex),
    Text(&'static str),
    Close,
}

/// The expression in SMT-LIB's words, such as `(re.+ (re.range "a" "c"))`, cut after about `most` characters:
/// what is shared is written out each time, so that a whole text may be far larger than the expression.
/// Without recursion.
pub fn regex_text(regex: &Regex, alphabet: Alphabet, most: usize) -> String {
    let all = CharSet::full(alphabet);
    let mut out = String::new();
    let mut todo = vec![Todo::Visit(regex)];
    while let Some(next) = todo.pop() {
        if out.len() > most {
            out = out.chars().take(most).collect();
            out.push(CUT);
            return out;
        }
        if !matches!(next, Todo::Close) && !out.is_empty() && !out.ends_with('(') {
            out.push(' ');
        }
        match next {
            Todo::Close => out.push(')'),
            Todo::Text(text) => out.push_str(text),
            Todo::Visit(regex) => match regex {
                Regex::Empty => out.push_str("re.none"),
                Regex::Epsilon => out.push_str("(str.to_re \"\")"),
                Regex::Set(set) if **set == all => out.push_str("re.allchar"),
                Regex::Set(set) => out.push_str(&set_text(set, most)),
                Regex::Concat(parts) => visit_word(parts, &mut out, &mut todo),
                Regex::Union(parts) => visit_all("(re.union", "re.none", parts, &mut out, &mut todo),
                Regex::Inter(parts) => visit_all("(re.inter", "re.all", parts, &mut out, &mut todo),
                Regex::Complement(inner) => {
                    out.push_str("(re.comp");
                    todo.extend([Todo::Close, Todo::Visit(inner)]);
                }
                Regex::Repeat { inner, min, max } => {
                    match (min, max) {
                        (0, None) => out.push_str("(re.*"),
                        (1, None) => out.push_str("(re.+"),
                        (0, Some(1)) => out.push_str("(re.opt"),
                        (min, Some(max)) if min == max => out.push_str(&format!("((_ re.^ {min})")),
                        (min, Some(max)) => out.push_str(&format!("((_ re.loop {min} {max})")),
                        (min, None) => {
                            out.push_str(&format!("(re.++ ((_ re.^ {min})"));
                            let star = [Todo::Close, Todo::Close, Todo::Visit(inner), Todo::Text("(re.*")];
                            todo.extend(star);
                        }
                    }
                    todo.extend([Todo::Close, Todo::Visit(inner)]);
                }
            },
        }
    }
    out
}

/// The one word of a set of one character, if it is one.
#[allow(clippy::wildcard_enum_match_arm, reason = "recognises sets of one character")]
fn letter(regex: &Regex) -> Option<u32> {
    match regex {
        Regex::Set(set) => match set.ranges() {
            [(low, high)] if low == high => Some(*low),
            _ => None,
        },
        _ => None,
    }
}

/// A word of single characters is one literal.
fn word(letters: impl IntoIterator<Item = u32>) -> String {
    let word: Vec<_> = letters.into_iter().map(harness_model::Char).collect();
    format!("(str.to_re {})", print::string(&SmtString::from(word)))
}

fn set_text(set: &CharSet, most: usize) -> String {
    let literal = |c: u32| print::string(&SmtString::from(vec![harness_model::Char(c)]));
    let mut out = String::new();
    for &(low, high) in set.ranges() {
        if out.len() > most {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        if low == high {
            out.push_str(&word([low]));
        } else {
            out.push_str(&format!("(re.range {} {})", literal(low), literal(high)));
        }
    }
    match set.ranges().len() {
        0 => "re.none".to_owned(),
        1 => out,
        _ => format!("(re.union {out})"),
    }
}

fn visit_word<'r>(parts: &'r [Regex], out: &mut String, todo: &mut Vec<Todo<'r>>) {
    let letters: Option<Vec<u32>> = parts.iter().map(letter).collect();
    match letters {
        Some(letters) => out.push_str(&word(letters)),
        None => visit_all("(re.++", "", parts, out, todo),
    }
}

fn visit_all<'r>(head: &str, none: &str, parts: &'r [Regex], out: &mut String, todo: &mut Vec<Todo<'r>>) {
    match parts {
        [] => out.push_str(none),
        [one] => {
            // The one part stands where this would: without a second blank.
            if out.ends_with(' ') {
                out.pop();
            }
            todo.push(Todo::Visit(one));
        }
        _ => {
            out.push_str(head);
            todo.push(Todo::Close);
            todo.extend(parts.iter().rev().map(Todo::Visit));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(expression: &str, most: usize) -> String {
        let script = format!("(declare-const s String)(assert (str.in_re s {expression}))(check-sat)");
        let queries = harness_smtlib::read(script.as_bytes()).unwrap().queries;
        let graph = crate::StringGraph::of_problem(&queries[0].problem, Alphabet::Unicode).unwrap();
        let crate::Relation::InRe { regex, .. } = &graph.edges()[0].relation else { panic!("no inRe") };
        regex_text(regex, Alphabet::Unicode, most)
    }

    #[test]
    fn what_was_written_is_shown() {
        for text in [
            "(re.+ (re.range \"a\" \"c\"))",
            "(re.* re.allchar)",
            "(re.opt (str.to_re \"a\"))",
            "(str.to_re \"a\"\"b\")",
            "((_ re.loop 2 5) (re.range \"0\" \"9\"))",
            "((_ re.^ 3) (str.to_re \"ab\"))",
            "(re.++ (re.* (re.range \"a\" \"c\")) (re.comp (str.to_re \"x\")))",
            "(re.union (str.to_re \"ab\") (re.inter (str.to_re \"cd\") (re.+ (str.to_re \"e\"))))",
        ] {
            assert_eq!(shown(text, 1000), text);
        }
    }

    #[test]
    fn others_are_shown_in_other_words_and_long_ones_cut() {
        let a = || Regex::set(CharSet::single(harness_model::Char(97)));
        let text = |regex: &Regex| regex_text(regex, Alphabet::Ascii, 60);
        assert_eq!(
            text(&a().repeat(2, None)),
            "(re.++ ((_ re.^ 2) (str.to_re \"a\")) (re.* (str.to_re \"a\")))"
        );
        assert_eq!(text(&Regex::concat([])), "(str.to_re \"\")");
        assert_eq!(
            text(&Regex::union([Regex::union([a().star()])]).star()),
            "(re.* (re.* (str.to_re \"a\")))"
        );
        // Each level holds the one below twice.
        let mut deep = a().star();
        for _ in 0..64 {
            deep = Regex::union([deep.clone(), deep]);
        }
        let cut = text(&deep);
        assert_eq!(cut.chars().count(), 61);
        assert!(cut.ends_with(CUT));
    }
}
