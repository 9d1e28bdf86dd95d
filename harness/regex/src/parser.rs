//! Groups, alternatives and quantifiers of .NET, Java and PCRE2.
//!
//! Groups are kept on a stack of its own, not by recursion, so no pattern can overflow the thread's stack;
//! the depth is limited all the same, for the sake of those who walk the term. Groups in parentheses leave no
//! trace in the result but the one that [`crate::node`] describes. Greedy and lazy quantifiers denote the
//! same language; possessive ones and atomic groups do not, and stay [`Node::Atomic`] unless the difference
//! cannot show.
//!
//! Sources: the documentation of the three engines; the answers they gave to the probes in `tests/dialects`.

use harness_model::{Alphabet, Char, CharSet, Regex};

use crate::NESTING_LIMIT;
use crate::cursor::Cursor;
use crate::engine::Engine;
use crate::error::ParseError;
use crate::escape::{Escape, Named};
use crate::flags::Flags;
use crate::fold::Folding;
use crate::group::Opening;
use crate::look::{LineStartAtEnd, Look};
use crate::node::{self, Node};
use crate::quantifier::{Item, sequence};
use crate::{split, unicode};

/// A group that is still open.
pub(crate) struct Frame {
    /// Where its parenthesis is.
    at: usize,
    /// Whether it captures, which can show in the shape of the term.
    captures: bool,
    /// Whether it is atomic.
    atomic: bool,
    /// Whether it is a look-ahead.
    look_ahead: bool,
    /// Whether a lazy quantifier is in it.
    pub(crate) lazy: bool,
    /// The flags outside.
    outside: Flags,
    /// The alternatives before the current one.
    alternatives: Vec<Node>,
    /// What the current alternative has so far.
    items: Vec<Node>,
}

/// Reads one pattern.
pub(crate) struct Parser {
    pub(crate) cursor: Cursor,
    pub(crate) engine: Engine,
    /// Whether `\w` is that of the representation study.
    pub(crate) study: bool,
    pub(crate) alphabet: Alphabet,
    pub(crate) flags: Flags,
    /// Between `\Q` and `\E`.
    pub(crate) quoting: bool,
    /// Classes that were asked for, so that each is made once.
    pub(crate) named: Named,
    /// Names of groups so far.
    pub(crate) group_names: Vec<String>,
    /// Whether a group of PCRE2 that numbers its alternatives alike was read.
    pub(crate) numbered_anew: bool,
    /// How deep the brackets are.
    pub(crate) class_depth: usize,
    stack: Vec<Frame>,
}

impl Parser {
    pub(crate) fn new(pattern: &str, engine: Engine, alphabet: Alphabet) -> Self {
        let units = engine == Engine::Dotnet && alphabet == Alphabet::Utf16;
        Self {
            cursor: Cursor::new(pattern, units),
            engine,
            study: false,
            alphabet,
            flags: Flags::default(),
            quoting: false,
            named: Named::default(),
            group_names: Vec::new(),
            numbered_anew: false,
            class_depth: 0,
            stack: Vec::new(),
        }
    }

    /// With the `\w` of the representation study.
    pub(crate) fn of_the_study(mut self) -> Self {
        self.study = true;
        self
    }

    /// A syntax error at the place `at`.
    pub(crate) fn syntax(&self, at: usize, message: impl Into<String>) -> ParseError {
        ParseError::syntax(self.cursor.offset(at), message)
    }

    /// A refusal at the place `at`.
    pub(crate) fn unsupported(&self, at: usize, message: impl Into<String>) -> ParseError {
        ParseError::unsupported(self.cursor.offset(at), message)
    }

    /// Reads the whole pattern.
    pub(crate) fn parse(mut self) -> Result<Node, ParseError> {
        self.stack.push(self.frame(0, &Opening::Plain));
        loop {
            let at = self.cursor.at();
            if self.quoting {
                if self.cursor.eat("\\E") {
                    self.quoting = false;
                    continue;
                }
            } else {
                self.skip_blanks()?;
            }
            let at = if self.quoting { at } else { self.cursor.at() };
            let Some(c) = self.cursor.peek() else { break };
            let item = match c {
                _ if self.quoting => Item::of(self.literal_item()?),
                '|' => {
                    self.cursor.skip(1);
                    self.end_alternative()?;
                    continue;
                }
                '(' => {
                    self.open(at)?;
                    continue;
                }
                ')' => {
                    self.cursor.skip(1);
                    self.close(at)?
                }
                _ => match self.atom(c, at)? {
                    Some(node) => {
                        let bare_assertion = matches!(node, Node::Look(..));
                        Item { bare_assertion, ..Item::of(node) }
                    }
                    None => continue,
                },
            };
            let node = self.quantified(item)?;
            self.push(node)?;
        }
        if let [_, .., open] = self.stack.as_slice() {
            return Err(self.syntax(open.at, "the group is not closed: a ')' is missing"));
        }
        let frame = self.stack.pop().ok_or_else(|| ParseError::syntax(0, "unbalanced groups"))?;
        self.finish(frame, true)
    }

    fn frame(&self, at: usize, opening: &Opening) -> Frame {
        Frame {
            at,
            captures: matches!(opening, Opening::Capture),
            atomic: matches!(opening, Opening::Atomic),
            look_ahead: matches!(opening, Opening::LookAhead),
            lazy: false,
            outside: self.flags,
            alternatives: Vec::new(),
            items: Vec::new(),
        }
    }

    pub(crate) fn top(&mut self) -> Result<&mut Frame, ParseError> {
        self.stack.last_mut().ok_or_else(|| ParseError::syntax(0, "unbalanced groups"))
    }

    fn push(&mut self, node: Node) -> Result<(), ParseError> {
        self.top()?.items.push(node);
        Ok(())
    }

    fn end_alternative(&mut self) -> Result<(), ParseError> {
        let frame = self.top()?;
        let items = std::mem::take(&mut frame.items);
        frame.alternatives.push(sequence(items, false));
        Ok(())
    }

    /// The node of a frame that is complete; `last` says whether the pattern ends with it.
    fn finish(&self, mut frame: Frame, last: bool) -> Result<Node, ParseError> {
        frame.alternatives.push(sequence(frame.items, last));
        let node = Node::union(frame.alternatives);
        if !frame.atomic {
            return Ok(node);
        }
        match node {
            Node::Plain(term) if split::fixed_length(&term).is_some() => Ok(Node::Plain(term)),
            Node::Plain(_) if frame.lazy => Err(self.lazy_inside(frame.at)),
            Node::Plain(term) => Ok(Node::Atomic(term, self.cursor.offset(frame.at))),
            _ => Err(self
                .unsupported(frame.at, "an atomic group around an assertion or another one is not modelled")),
        }
    }

    /// Opens a group, or does what a group that is none says: flags, comments.
    fn open(&mut self, at: usize) -> Result<(), ParseError> {
        let outside = self.flags;
        let opening = self.opening(at)?;
        if matches!(opening, Opening::Nothing) {
            return Ok(());
        }
        // The outermost frame is no group.
        if self.stack.len() > NESTING_LIMIT {
            return Err(ParseError::limit(
                self.cursor.offset(at),
                format!("groups nest deeper than the limit of {NESTING_LIMIT}"),
            ));
        }
        let mut frame = self.frame(at, &opening);
        frame.outside = outside;
        self.stack.push(frame);
        Ok(())
    }

    fn close(&mut self, at: usize) -> Result<Item, ParseError> {
        // The outermost frame is no group.
        let Some(frame) = self.stack.pop().filter(|_| !self.stack.is_empty()) else {
            return Err(self.syntax(at, "this ')' closes nothing; write \\) for the character"));
        };
        self.flags = frame.outside;
        if frame.look_ahead {
            return Ok(Item { look_ahead: Some(frame.at), ..Item::of(Node::Plain(Regex::Epsilon)) });
        }
        let (captured, lazy) = (frame.captures, frame.lazy);
        self.top()?.lazy |= lazy;
        Ok(Item { captured, lazy, ..Item::of(self.finish(frame, false)?) })
    }

    /// One character, class or assertion; none where the text stands for nothing at all, such as `\E`.
    fn atom(&mut self, c: char, at: usize) -> Result<Option<Node>, ParseError> {
        match c {
            '[' => {
                self.cursor.skip(1);
                let set = self.class(at)?;
                return Ok(Some(Node::Plain(Regex::set(set))));
            }
            '\\' => {
                self.cursor.skip(1);
                return Ok(match self.escape(at, false)? {
                    Escape::Nothing => None,
                    Escape::Char(c) => Some(self.character(c)),
                    Escape::Set(set) => Some(Node::Plain(Regex::Set(set))),
                    Escape::Node(node) => Some(node),
                });
            }
            '.' => {
                self.cursor.skip(1);
                return Ok(Some(Node::Plain(Regex::set(self.dot()))));
            }
            '^' => {
                self.cursor.skip(1);
                return Ok(Some(Node::Look(self.caret(), self.cursor.offset(at))));
            }
            '$' => {
                self.cursor.skip(1);
                return Ok(Some(Node::Look(self.dollar(), self.cursor.offset(at))));
            }
            '*' | '+' | '?' => return Err(self.syntax(at, format!("nothing to repeat before '{c}'"))),
            '{' => match (self.engine, self.count()?) {
                (Engine::Java, Some(_)) => {
                    // Java counts the empty word.
                    self.cursor.seek(at);
                    return Ok(Some(Node::Plain(Regex::Epsilon)));
                }
                (Engine::Java, None) => {
                    return Err(self.syntax(at, "a '{' that begins no count is illegal here; write \\{"));
                }
                (_, Some(_)) => return Err(self.syntax(at, "nothing to repeat before the count")),
                (_, None) => {}
            },
            _ => {}
        }
        self.literal_item().map(Some)
    }

    fn literal_item(&mut self) -> Result<Node, ParseError> {
        let at = self.cursor.at();
        let c = self.cursor.next().ok_or_else(|| self.syntax(at, "the pattern ends too early"))?;
        Ok(self.character(c))
    }

    /// The character `c`, with what is equal to it when case does not count.
    pub(crate) fn character(&self, c: u32) -> Node {
        if self.alphabet == Alphabet::Utf16 && c > 0xFFFF {
            // Two UTF-16 units. Characters up there that have a case are not folded over this alphabet.
            let c = c - 0x1_0000;
            let units = [0xD800 + (c >> 10), 0xDC00 + (c & 0x3FF)];
            return Node::Plain(node::concat(units.map(|u| Regex::set(CharSet::from_ranges([(u, u)])))));
        }
        let single = CharSet::single(Char(c));
        if !self.flags.ignore_case && self.alphabet.contains(Char(c)) {
            return Node::Plain(Regex::set(single));
        }
        Node::Plain(Regex::set(self.folded(single)))
    }

    /// `set` cut to the alphabet, folded when case does not count.
    pub(crate) fn folded(&self, set: CharSet) -> CharSet {
        if !self.flags.ignore_case {
            let inside = set.ranges().last().is_none_or(|&(_, high)| high <= self.alphabet.max().0);
            return if inside { set } else { set.cut_to(self.alphabet) };
        }
        let folding = match self.engine {
            Engine::Dotnet => Folding::Lower,
            Engine::Java if self.flags.unicode_case => Folding::LowerOfUpper,
            Engine::Java => Folding::Ascii,
            Engine::Pcre2 => Folding::Simple,
        };
        folding.fold(&set, self.alphabet)
    }

    fn dot(&self) -> CharSet {
        if self.flags.dot_all {
            return CharSet::full(self.alphabet);
        }
        self.terminators(self.alphabet).complement(self.alphabet)
    }

    /// What ends a line for `.`, `^` and `$`.
    fn terminators(&self, alphabet: Alphabet) -> CharSet {
        if self.engine == Engine::Java && !self.flags.unix_lines {
            unicode::java_terminators(alphabet)
        } else {
            unicode::newline()
        }
    }

    fn caret(&self) -> Look {
        if !self.flags.lines {
            return Look::text_start(self.alphabet);
        }
        let terminators = self.terminators(self.alphabet);
        match self.engine {
            Engine::Java if self.flags.unix_lines => {
                Look::line_start(&terminators, LineStartAtEnd::Never, self.alphabet)
            }
            Engine::Java => Look::line_start_outside_crlf(&terminators, LineStartAtEnd::Never, self.alphabet),
            Engine::Pcre2 => Look::line_start(&terminators, LineStartAtEnd::OfEmptyWord, self.alphabet),
            Engine::Dotnet => Look::line_start(&terminators, LineStartAtEnd::Always, self.alphabet),
        }
    }

    fn dollar(&self) -> Look {
        if !self.flags.lines {
            return self.final_end();
        }
        if self.engine == Engine::Java && !self.flags.unix_lines {
            return Look::line_end_outside_crlf(&self.terminators(self.alphabet), self.alphabet);
        }
        Look::line_end_at_newline(self.alphabet)
    }

    /// `\Z`, and `$` where lines do not count.
    pub(crate) fn final_end(&self) -> Look {
        if self.engine == Engine::Java && !self.flags.unix_lines {
            return Look::text_end_or_final_terminator(self.alphabet);
        }
        Look::text_end_or_final_newline(self.alphabet)
    }

    /// Skips what does not count: comments, quotations of nothing, and in extended mode blanks.
    pub(crate) fn skip_blanks(&mut self) -> Result<(), ParseError> {
        loop {
            let at = self.cursor.at();
            // A quotation of nothing is not there, so a quantifier behind it applies to what is before it.
            while self.engine != Engine::Dotnet && self.cursor.eat("\\Q\\E") {}
            if self.engine != Engine::Java && self.cursor.looking_at("(?#") {
                let _ = self.cursor.take_while(usize::MAX, |c| c != ')');
                if !self.cursor.eat(")") {
                    return Err(self.syntax(at, "the comment is not closed: a ')' is missing"));
                }
            }
            if self.flags.extended {
                let engine = self.engine;
                let _ = self.cursor.take_while(usize::MAX, |c| is_blank(c, engine));
                if self.cursor.peek() == Some('#') {
                    // Where a comment ends is syntax: the alphabet has no say in it.
                    let ends = self.terminators(Alphabet::Unicode);
                    let _ = self.cursor.take_while(usize::MAX, |c| !ends.contains(Char(u32::from(c))));
                }
            }
            if self.cursor.at() == at {
                return Ok(());
            }
        }
    }
}

/// Whether extended mode skips `c`.
pub(crate) fn is_blank(c: char, engine: Engine) -> bool {
    match engine {
        Engine::Dotnet => matches!(c, '\t' | '\n' | '\u{C}' | '\r' | ' '),
        Engine::Java => matches!(c, '\t'..='\r' | ' '),
        Engine::Pcre2 => {
            matches!(c, '\t'..='\r' | ' ' | '\u{85}' | '\u{200E}' | '\u{200F}' | '\u{2028}' | '\u{2029}')
        }
    }
}
