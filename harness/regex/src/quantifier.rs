//! How often: quantifiers, and what possessive ones and atomic groups give up.
//!
//! Greedy and lazy quantifiers denote the same language. A possessive quantifier or an atomic group does not,
//! unless nothing that follows could have used what it refuses to give back: then it is plain, else
//! [`Node::Atomic`].

use harness_model::{CharSet, Dialect, Regex};

use crate::error::ParseError;
use crate::node::Node;
use crate::parser::Parser;
use crate::split;

/// How often.
pub(crate) struct Count {
    min: u32,
    max: Option<u32>,
}

impl Parser {
    /// Takes the quantifiers after `node` and applies them.
    pub(crate) fn quantified(&mut self, mut node: Node, mut captured: bool) -> Result<Node, ParseError> {
        let mut first = true;
        loop {
            self.after_quoted_character();
            if self.quoting {
                return Ok(node);
            }
            self.skip_blanks()?;
            let at = self.cursor.at();
            let Some(count) = self.quantifier()? else { return Ok(node) };
            if !first && self.dialect == Dialect::Dotnet {
                return Err(self.syntax(at, "a quantifier on a quantifier; put the inner one into (?:...)"));
            }
            first = false;
            // PCRE2 wants the mark right after the quantifier, the others do not care.
            let blank_from = self.cursor.at();
            self.skip_blanks()?;
            let gap = self.cursor.at() != blank_from;
            let mark = self.cursor.peek().filter(|c| matches!(c, '?' | '+'));
            if gap && mark.is_some() && self.dialect == Dialect::Pcre2 {
                let at = self.cursor.at();
                return Err(self.unsupported(at, "a '?' or '+' set off from its quantifier is not modelled"));
            }
            let possessive = mark == Some('+') && self.dialect != Dialect::Dotnet;
            if mark == Some('?') || possessive {
                self.cursor.skip(1);
            }
            if let (true, Node::Plain(set @ Regex::Set(_)), false) =
                (captured, &node, (count.min, count.max) == (1, Some(1)))
            {
                node = Node::Plain(Regex::concat([set.clone()]));
            }
            captured = false;
            let offset = self.cursor.offset(at);
            node = if count.max == Some(0) {
                Node::Plain(Regex::Epsilon)
            } else {
                node.repeat(count.min, count.max, offset)
            };
            if possessive {
                node = match node {
                    Node::Plain(term) if split::fixed_length(&term).is_some() => Node::Plain(term),
                    Node::Plain(term) => Node::Atomic(term, offset),
                    _ => {
                        return Err(
                            self.unsupported(at, "a possessive quantifier on an assertion is not modelled")
                        );
                    }
                };
            }
            if self.dialect == Dialect::Java {
                // A second count would apply to the empty word, any other quantifier is an error of its own.
                return Ok(node);
            }
        }
    }

    /// Leaves a quotation that ends here, so that a quantifier behind it applies to its last character.
    fn after_quoted_character(&mut self) {
        if self.quoting && self.cursor.eat("\\E") {
            self.quoting = false;
        }
        while !self.quoting && self.dialect == Dialect::Pcre2 && self.cursor.eat("\\E") {}
    }

    /// Takes a quantifier without its mark, if one stands here.
    fn quantifier(&mut self) -> Result<Option<Count>, ParseError> {
        let count = match self.cursor.peek() {
            Some('*') => Count { min: 0, max: None },
            Some('+') => Count { min: 1, max: None },
            Some('?') => Count { min: 0, max: Some(1) },
            Some('{') => {
                let at = self.cursor.at();
                let count = self.count()?;
                if count.is_none() && self.dialect == Dialect::Java {
                    return Err(
                        self.syntax(at, "illegal repetition: write {n}, {n,} or {n,m}, or \\{ for the brace")
                    );
                }
                return Ok(count);
            }
            _ => return Ok(None),
        };
        self.cursor.skip(1);
        Ok(Some(count))
    }

    /// Takes `{n}`, `{n,}` or `{n,m}`; leaves everything where it is if the braces hold something else.
    pub(crate) fn count(&mut self) -> Result<Option<Count>, ParseError> {
        let at = self.cursor.at();
        self.cursor.skip(1);
        let low = self.cursor.take_while(usize::MAX, |c| c.is_ascii_digit());
        let comma = self.cursor.eat(",");
        let high = self.cursor.take_while(usize::MAX, |c| c.is_ascii_digit());
        if low.is_empty() || (!comma && !high.is_empty()) || !self.cursor.eat("}") {
            self.cursor.seek(at);
            return Ok(None);
        }
        let min = self.number(at, &low)?;
        let max = match (comma, high.is_empty()) {
            (false, _) => Some(min),
            (true, true) => None,
            (true, false) => Some(self.number(at, &high)?),
        };
        if max.is_some_and(|max| max < min) {
            return Err(self.syntax(at, format!("the count {{{low},{high}}} is the wrong way round")));
        }
        Ok(Some(Count { min, max }))
    }

    fn number(&self, at: usize, digits: &str) -> Result<u32, ParseError> {
        let most: u32 = if self.dialect == Dialect::Pcre2 { 65_535 } else { 2_147_483_647 };
        let value = digits.parse::<u32>().ok().filter(|&n| n <= most);
        value.ok_or_else(|| {
            self.syntax(at, format!("the count {digits} is above {most}, the greatest of {}", self.dialect))
        })
    }
}

/// The items of an alternative; an atomic item whose follower decides that it makes no difference becomes
/// plain. `last` says whether the pattern ends with this alternative.
pub(crate) fn sequence(mut items: Vec<Node>, last: bool) -> Node {
    for i in 0..items.len() {
        let Node::Atomic(term, _) = &items[i] else { continue };
        let harmless = match (given_up(term), items.get(i + 1)) {
            // What comes next could not have begun with anything that was taken.
            (Some(set), Some(Node::Plain(next))) => {
                !split::nullable(next) && split::first(next).intersection(&set).is_empty()
            }
            // Nothing comes next that could want any of it.
            (Some(_), None) => last,
            _ => false,
        };
        if harmless {
            items[i] = Node::Plain(term.clone());
        }
    }
    Node::concat(items)
}

/// For an atomic term that takes as much as it can: the characters that it takes where it could also have
/// stopped before them. `None` if it is neither a loop over a set nor a line break.
fn given_up(term: &Regex) -> Option<CharSet> {
    if let Some(set) = split::loop_set(term) {
        return Some(set.clone());
    }
    // `\R`, which is `\r\n` or a single character, `\r` among them.
    let Regex::Union(parts) = term else { return None };
    let [Regex::Concat(pair), Regex::Set(singles)] = &**parts else { return None };
    let [Regex::Set(first), Regex::Set(second)] = &**pair else { return None };
    (first.intersection(singles) == **first).then(|| (**second).clone())
}
