//! How often: quantifiers, and what possessive ones and atomic groups give up.
//!
//! Greedy and lazy quantifiers denote the same language, except inside an atomic group or under a possessive
//! quantifier, where a lazy one is refused. A possessive quantifier or an atomic group does not,
//! unless nothing that follows could have used what it refuses to give back: then it is plain, else
//! [`Node::Atomic`].

use harness_model::{CharSet, Regex};

use crate::engine::Engine;
use crate::error::ParseError;
use crate::node::Node;
use crate::parser::Parser;
use crate::split;

/// How often.
pub(crate) struct Count {
    min: u32,
    max: Option<u32>,
}

/// What a quantifier may follow.
pub(crate) struct Item {
    pub(crate) node: Node,
    /// Whether it is a capturing group, which can show in the shape of the term.
    pub(crate) captured: bool,
    /// Whether it is an assertion outside of parentheses of its own.
    pub(crate) bare_assertion: bool,
    /// Whether a lazy quantifier is in it.
    pub(crate) lazy: bool,
    /// Where its parenthesis is, if it is a look-ahead. Its node is the empty word: with a quantifier that
    /// allows no repetition, it excludes no match. With any other it is refused.
    pub(crate) look_ahead: Option<usize>,
}

impl Item {
    pub(crate) fn of(node: Node) -> Self {
        Self { node, captured: false, bare_assertion: false, lazy: false, look_ahead: None }
    }
}

impl Parser {
    /// Takes the quantifier after `node`, if there is one, and applies it.
    pub(crate) fn quantified(&mut self, item: Item) -> Result<Node, ParseError> {
        let Item { mut node, captured, bare_assertion, lazy, look_ahead } = item;
        self.after_quoted_character();
        let mut at = self.cursor.at();
        let mut count = None;
        if !self.quoting {
            self.skip_blanks()?;
            at = self.cursor.at();
            count = self.quantifier()?;
        }
        if let Some(look) = look_ahead
            && count.as_ref().is_none_or(|count| count.min > 0)
        {
            return Err(self.unsupported(
                look,
                "a look-ahead that has to hold is not modelled; write its condition as an expression of its own and ask for the \
                 product of both",
            ));
        }
        let Some(count) = count else { return Ok(node) };
        if bare_assertion && self.engine == Engine::Pcre2 {
            return Err(self.syntax(
                at,
                "PCRE2 does not repeat an assertion; put it into (?:...) if it is meant to be repeated",
            ));
        }
        // PCRE2 wants the mark right after the quantifier, the others do not care.
        let blank_from = self.cursor.at();
        self.skip_blanks()?;
        let gap = self.cursor.at() != blank_from;
        let mark = self.cursor.peek().filter(|c| matches!(c, '?' | '+'));
        if gap && mark.is_some() && self.engine == Engine::Pcre2 {
            let at = self.cursor.at();
            return Err(self.unsupported(
                at,
                "a '?' or '+' set off from its quantifier is not modelled; write it right behind",
            ));
        }
        let possessive = mark == Some('+') && self.engine != Engine::Dotnet;
        if mark == Some('?') || possessive {
            self.cursor.skip(1);
        }
        if look_ahead.is_none()
            && !possessive
            && (mark == Some('?')) != self.flags.ungreedy
            && count.max != Some(count.min)
        {
            self.top()?.lazy = true;
        }
        if let (true, Node::Plain(set @ Regex::Set(_)), false) =
            (captured, &node, (count.min, count.max) == (1, Some(1)))
        {
            node = Node::Plain(Regex::concat([set.clone()]));
        }
        let offset = self.cursor.offset(at);
        let assertion = matches!(node, Node::Look(..));
        node = if count.max == Some(0) || look_ahead.is_some() {
            Node::Plain(Regex::Epsilon)
        } else {
            node.repeat(count.min, count.max, offset)
        };
        if possessive {
            node = match node {
                // Holding twice is holding once, so there is nothing to give back.
                node if assertion => node,
                Node::Plain(term) if split::fixed_length(&term).is_some() => Node::Plain(term),
                Node::Plain(_) if lazy => return Err(self.lazy_inside(at)),
                Node::Plain(term) => Node::Atomic(term, offset),
                _ => {
                    return Err(
                        self.unsupported(at, "a possessive quantifier on an assertion is not modelled")
                    );
                }
            };
        }
        self.no_second_quantifier()?;
        Ok(node)
    }

    /// What gives nothing back takes the first way that it finds, so there laziness changes the language.
    pub(crate) fn lazy_inside(&self, at: usize) -> ParseError {
        self.unsupported(
            at,
            "a lazy quantifier in an atomic group or under a possessive quantifier is not modelled; make it greedy, or leave \
             the '(?>' or the '+' away",
        )
    }

    /// Refuses a quantifier that follows another one, where the engine does.
    fn no_second_quantifier(&mut self) -> Result<(), ParseError> {
        // In Java a second count applies to the empty word, and any other quantifier is an error of its own.
        if self.engine == Engine::Java {
            return Ok(());
        }
        self.after_quoted_character();
        self.skip_blanks()?;
        let at = self.cursor.at();
        match self.quantifier()? {
            Some(_) => Err(self.syntax(at, "a quantifier on a quantifier; put the inner one into (?:...)")),
            None => Ok(()),
        }
    }

    /// Leaves a quotation that ends here, so that a quantifier behind it applies to its last character.
    fn after_quoted_character(&mut self) {
        if self.quoting && self.cursor.eat("\\E") {
            self.quoting = false;
        }
        while !self.quoting && self.engine == Engine::Pcre2 && self.cursor.eat("\\E") {}
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
                if count.is_none() && self.engine == Engine::Java {
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
        let low = self.count_digits()?;
        let comma = !low.is_empty() && self.cursor.eat(",");
        if comma {
            self.skip_in_count()?;
        }
        let high = if comma { self.count_digits()? } else { String::new() };
        if low.is_empty() || !self.cursor.eat("}") {
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

    /// Whether a count stands here, which is left where it is.
    pub(crate) fn count_ahead(&mut self) -> Result<bool, ParseError> {
        let at = self.cursor.at();
        let count = self.count()?;
        self.cursor.seek(at);
        Ok(count.is_some())
    }

    /// Digits of a count.
    fn count_digits(&mut self) -> Result<String, ParseError> {
        let mut digits = String::new();
        while let Some(digit) = self.cursor.peek().filter(char::is_ascii_digit) {
            digits.push(digit);
            self.cursor.skip(1);
            self.skip_in_count()?;
        }
        Ok(digits)
    }

    /// Skips what Java does not see behind a digit or the comma of a count.
    fn skip_in_count(&mut self) -> Result<(), ParseError> {
        if self.engine == Engine::Java && self.flags.extended { self.skip_blanks() } else { Ok(()) }
    }

    fn number(&self, at: usize, digits: &str) -> Result<u32, ParseError> {
        let most: u32 = if self.engine == Engine::Pcre2 { 65_535 } else { 2_147_483_647 };
        let value = digits.parse::<u32>().ok().filter(|&n| n <= most);
        value.ok_or_else(|| {
            self.syntax(at, format!("the count {digits} is above {most}, the greatest of {}", self.engine))
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
