//! Text to [`File`].

use std::collections::{HashMap, HashSet};

use harness_model::{Alphabet, Char, CharSet, SmtString};
use harness_theory::Position;

use super::{Assertion, Claim, File, Node, Part, Variable};
use crate::ReadError;
use crate::grammar::{Atom, Grammar, Rule, RuleId, Symbol};
use crate::lex::{Manner, Token, Tokens, illegal};

/// How deep expressions may be nested.
const DEPTH: usize = 200;

/// The most parts of a value, its names followed.
const PARTS: usize = 100_000;

/// Reads a file whose strings are over `alphabet`.
///
/// # Errors
///
/// When it is not legal.
pub fn parse(text: &str, alphabet: Alphabet) -> Result<File, ReadError> {
    let tokens = Tokens::read(text, Manner::Hampi)?;
    let mut parser = Parser {
        tokens,
        alphabet,
        variable: None,
        rules: HashMap::new(),
        grammar: Grammar::default(),
        defined: HashSet::new(),
        nodes: Vec::new(),
        languages: Vec::new(),
        language_of: HashMap::new(),
        values: HashMap::new(),
        named: Vec::new(),
        assertions: Vec::new(),
    };
    while *parser.tokens.peek() != Token::End {
        parser.statement()?;
    }
    parser.finish()
}

struct Parser {
    tokens: Tokens,
    alphabet: Alphabet,
    variable: Option<Variable>,
    /// By name; a rule may be used before it is defined.
    rules: HashMap<String, RuleId>,
    grammar: Grammar,
    defined: HashSet<RuleId>,
    nodes: Vec<Node>,
    languages: Vec<(String, usize)>,
    language_of: HashMap<String, usize>,
    values: HashMap<String, Vec<Part>>,
    named: Vec<(String, Vec<Part>)>,
    assertions: Vec<Assertion>,
}

impl Parser {
    fn statement(&mut self) -> Result<(), ReadError> {
        let position = self.tokens.position();
        if self.tokens.accept_word("var") {
            self.variable(position)?;
        } else if self.tokens.accept_word("cfg") {
            self.cfg(position)?;
        } else if self.tokens.accept_word("reg") {
            let name = self.identifier("the name of an expression")?;
            self.tokens.sign(":=", "after the name of an expression")?;
            let node = self.expression()?;
            if self.language_of.insert(name.clone(), node).is_some() {
                return Err(illegal(position, format!("there is an expression '{name}' already")));
            }
            self.languages.push((name, node));
        } else if self.tokens.accept_word("val") {
            let name = self.identifier("the name of a value")?;
            self.tokens.sign(":=", "after the name of a value")?;
            let value = self.value()?;
            if self.is_variable(&name) || self.values.insert(name.clone(), value.clone()).is_some() {
                return Err(illegal(position, format!("there is a value '{name}' already")));
            }
            self.named.push((name, value));
        } else if self.tokens.accept_word("assert") {
            self.assertion(position)?;
        } else {
            return Err(self.tokens.expected("a statement: var, cfg, reg, val or assert"));
        }
        self.tokens.sign(";", "at the end of a statement")
    }

    fn is_variable(&self, name: &str) -> bool {
        self.variable.as_ref().is_some_and(|variable| variable.name == name)
    }

    /// A name. One of digits alone is a number, which no name is.
    fn identifier(&mut self, what: &str) -> Result<String, ReadError> {
        self.tokens.name(what)
    }

    fn variable(&mut self, position: Position) -> Result<(), ReadError> {
        if self.variable.is_some() {
            return Err(illegal(position, "there is a variable already, and only one is allowed"));
        }
        let name = self.identifier("the name of the variable")?;
        self.tokens.sign(":", "and the length of the variable")?;
        let low = self.tokens.number("a length")?;
        let at = self.tokens.position();
        let high = if self.tokens.accept("..") { self.tokens.number("the greatest length")? } else { low };
        if high < low {
            return Err(illegal(at, format!("expected a length of at least {low}, found {high}")));
        }
        self.variable = Some(Variable { name, low, high, position });
        Ok(())
    }

    fn rule(&mut self, name: String, position: Position) -> RuleId {
        if let Some(&known) = self.rules.get(&name) {
            return known;
        }
        let id = RuleId(self.grammar.rules.len());
        self.grammar.rules.push(Rule { name: name.clone(), position, alternatives: Vec::new() });
        self.rules.insert(name, id);
        id
    }

    fn cfg(&mut self, position: Position) -> Result<(), ReadError> {
        let name = self.identifier("the name of a rule")?;
        self.tokens.sign(":=", "after the name of a rule")?;
        let id = self.rule(name.clone(), position);
        if !self.defined.insert(id) {
            return Err(illegal(position, format!("there is a rule '{name}' already")));
        }
        let mut alternatives = Vec::new();
        loop {
            let mut symbols = Vec::new();
            while !self.tokens.is_sign("|") && !self.tokens.is_sign(";") {
                symbols.push(self.symbol()?);
            }
            alternatives.push(symbols);
            if !self.tokens.accept("|") {
                break;
            }
        }
        let rule = &mut self.grammar.rules[id.0];
        rule.alternatives = alternatives;
        rule.position = position;
        Ok(())
    }

    fn symbol(&mut self) -> Result<Symbol, ReadError> {
        if !self.tokens.accept("(") {
            return Ok(Symbol::Once(self.atom()?));
        }
        let atom = self.atom()?;
        self.tokens.sign(")", "after a symbol in brackets")?;
        if self.tokens.accept("?") {
            Ok(Symbol::Optional(atom))
        } else if self.tokens.accept("*") {
            Ok(Symbol::Star(atom))
        } else if self.tokens.accept("+") {
            Ok(Symbol::Plus(atom))
        } else {
            Err(self.tokens.expected("'?', '*' or '+' after a symbol in brackets"))
        }
    }

    fn atom(&mut self) -> Result<Atom, ReadError> {
        let position = self.tokens.position();
        match self.tokens.peek() {
            Token::Text(_) | Token::Character(_) => Ok(Atom::Word(self.word()?)),
            Token::Sign(sign) if sign == "[" => Ok(Atom::Set(self.range()?)),
            Token::Name(_) => {
                let name = self.identifier("a name")?;
                Ok(Atom::Rule(self.rule(name, position)))
            }
            Token::Number(..) | Token::Sign(_) | Token::End => {
                Err(self.tokens.expected("a text, a character code, a range, a name, '|' or ';'"))
            }
        }
    }

    /// A text in quotes, or a character by its code.
    fn word(&mut self) -> Result<SmtString, ReadError> {
        let position = self.tokens.position();
        let word = match self.tokens.peek().clone() {
            Token::Text(chars) => SmtString::from(chars),
            Token::Character(c) => SmtString::from(vec![c]),
            Token::Name(_) | Token::Number(..) | Token::Sign(_) | Token::End => {
                return Err(self.tokens.expected("a text in double quotes or a character code"));
            }
        };
        self.tokens.take();
        match word.foreign_to(self.alphabet) {
            None => Ok(word),
            Some(c) => Err(self.foreign(position, c)),
        }
    }

    fn foreign(&self, position: Position, c: Char) -> ReadError {
        illegal(position, format!("expected a character of {}, found U+{:04X}", self.alphabet, c.0))
    }

    fn range(&mut self) -> Result<CharSet, ReadError> {
        self.tokens.sign("[", "before a range")?;
        let end = |parser: &mut Self| {
            let position = parser.tokens.position();
            match *parser.tokens.peek() {
                Token::Character(c) if parser.alphabet.contains(c) => {
                    parser.tokens.take();
                    Ok(c)
                }
                Token::Character(c) => Err(parser.foreign(position, c)),
                Token::Name(_) | Token::Number(..) | Token::Text(_) | Token::Sign(_) | Token::End => {
                    Err(parser.tokens.expected("a character, such as 'a' or \\097"))
                }
            }
        };
        let low = end(self)?;
        self.tokens.sign("-", "between the ends of a range")?;
        let position = self.tokens.position();
        let high = end(self)?;
        self.tokens.sign("]", "after a range")?;
        if high < low {
            return Err(illegal(position, "expected a range whose first character is the lower one"));
        }
        Ok(CharSet::range(low, high))
    }

    fn node(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// An expression. Calls that are open are on a stack.
    fn expression(&mut self) -> Result<usize, ReadError> {
        let mut open: Vec<(String, Position, Vec<usize>)> = Vec::new();
        loop {
            let position = self.tokens.position();
            let call = matches!(self.tokens.second(), Token::Sign(sign) if sign == "(");
            let mut done = match self.tokens.peek().clone() {
                Token::Name(name) if call && ["star", "or", "concat"].contains(&name.as_str()) => {
                    if open.len() == DEPTH {
                        let message = format!("expected expressions nested at most {DEPTH} deep");
                        return Err(illegal(position, message));
                    }
                    self.tokens.take();
                    self.tokens.take();
                    open.push((name, position, Vec::new()));
                    continue;
                }
                Token::Name(name) if call && name == "fix" => {
                    self.tokens.take();
                    self.tokens.take();
                    let at = self.tokens.position();
                    let rule = self.identifier("the name of a rule")?;
                    let rule = self.rule(rule, at);
                    self.tokens.sign(",", "and a length")?;
                    let length = self.tokens.number("a length")?;
                    self.tokens.sign(")", "after fix")?;
                    self.node(Node::Fix(rule, length))
                }
                Token::Name(name) => {
                    self.tokens.take();
                    match self.language_of.get(&name) {
                        Some(&known) => known,
                        None => {
                            let rule = self.rule(name, position);
                            self.node(Node::Rule(rule))
                        }
                    }
                }
                Token::Text(_) | Token::Character(_) => {
                    let word = self.word()?;
                    self.node(Node::Word(word))
                }
                Token::Sign(sign) if sign == "[" => {
                    let set = self.range()?;
                    self.node(Node::Set(set))
                }
                Token::Number(..) | Token::Sign(_) | Token::End => {
                    let what =
                        "an expression: a name, a text, a character code, a range, fix, star, or, or concat";
                    return Err(self.tokens.expected(what));
                }
            };
            // What is done belongs to the innermost call, which may be done with it.
            loop {
                let Some((_, _, parts)) = open.last_mut() else { return Ok(done) };
                parts.push(done);
                if self.tokens.accept(",") {
                    break;
                }
                self.tokens.sign(")", "or ',' after a part of an expression")?;
                let Some((name, position, parts)) = open.pop() else { return Ok(done) };
                done = match (name.as_str(), parts.as_slice()) {
                    ("star", &[inner]) => self.node(Node::Star(inner)),
                    ("star", _) => {
                        let message = format!("expected one expression in 'star', found {}", parts.len());
                        return Err(illegal(position, message));
                    }
                    ("or", _) => self.node(Node::Or(parts)),
                    _ => self.node(Node::Concat(parts)),
                };
            }
        }
    }

    /// A value: its parts, with names and nested concatenations written out.
    fn value(&mut self) -> Result<Vec<Part>, ReadError> {
        let mut parts: Vec<Part> = Vec::new();
        let mut open = 0usize;
        loop {
            let position = self.tokens.position();
            let call = matches!(self.tokens.second(), Token::Sign(sign) if sign == "(");
            match self.tokens.peek().clone() {
                Token::Name(name) if call && name == "concat" => {
                    self.tokens.take();
                    self.tokens.take();
                    open += 1;
                    continue;
                }
                Token::Name(name) => {
                    self.tokens.take();
                    let named = self.named_value(&name, position)?;
                    let named = if self.tokens.is_sign("[") { self.slice(&named, position)? } else { named };
                    parts.extend(named);
                }
                Token::Text(_) | Token::Character(_) => parts.push(Part::Word(self.word()?)),
                Token::Number(..) | Token::Sign(_) | Token::End => {
                    return Err(self.tokens.expected("a value: a name, a text, or concat"));
                }
            }
            if parts.len() > PARTS {
                return Err(illegal(position, format!("expected a value of at most {PARTS} parts")));
            }
            while open > 0 && !self.tokens.is_sign(",") {
                self.tokens.sign(")", "or ',' after a part of a value")?;
                open -= 1;
            }
            if open == 0 {
                return Ok(parts);
            }
            self.tokens.sign(",", "between the parts of a value")?;
        }
    }

    fn named_value(&self, name: &str, position: Position) -> Result<Vec<Part>, ReadError> {
        if self.is_variable(name) {
            return Ok(vec![Part::Variable]);
        }
        self.values.get(name).cloned().ok_or_else(|| {
            illegal(position, format!("expected the variable or a value defined before, found '{name}'"))
        })
    }

    /// A part of a value, whose name was taken.
    fn slice(&mut self, of: &[Part], position: Position) -> Result<Vec<Part>, ReadError> {
        self.tokens.sign("[", "before an offset")?;
        let offset = self.tokens.number("an offset")?;
        self.tokens.sign(":", "and a length")?;
        let length = self.tokens.number("a length")?;
        self.tokens.sign("]", "after a length")?;
        let longest = self.variable.as_ref().map_or(0, |variable| variable.high);
        let too_long = |whole: u64| {
            let message = format!("expected a part within {whole} characters, found [{offset}:{length}]");
            Err(illegal(position, message))
        };
        let end = u64::from(offset) + u64::from(length);
        if let [Part::Variable] = of {
            if end > u64::from(longest) {
                return too_long(longest.into());
            }
            return Ok(vec![Part::Slice(offset, length)]);
        }
        // Of a value: what is known of its parts' lengths says where it begins.
        let fixed = self.variable.as_ref().filter(|variable| variable.low == variable.high);
        let mut parts = Vec::new();
        let mut here = 0u64;
        for part in of {
            let long = match part {
                Part::Word(word) => word.len() as u64,
                Part::Slice(_, length) => u64::from(*length),
                Part::Variable => match fixed {
                    Some(variable) => u64::from(variable.low),
                    None => {
                        let message = "a part of a value can be taken only where the variable has one length";
                        return Err(illegal(position, message));
                    }
                },
            };
            let (from, to) = (u64::from(offset).max(here), end.min(here + long));
            if from < to {
                let cut = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
                let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
                let (from, count) = (from - here, to - from);
                parts.push(match part {
                    Part::Word(word) => {
                        let chars = word.chars().iter().skip(size(from)).take(size(count));
                        Part::Word(chars.copied().collect())
                    }
                    Part::Slice(start, _) => Part::Slice(start + cut(from), cut(count)),
                    Part::Variable => Part::Slice(cut(from), cut(count)),
                });
            }
            here += long;
        }
        if end > here { too_long(here) } else { Ok(parts) }
    }

    fn assertion(&mut self, position: Position) -> Result<(), ReadError> {
        let value = match self.tokens.peek() {
            Token::Name(_) => {
                let at = self.tokens.position();
                let name = self.identifier("a value")?;
                let named = self.named_value(&name, at)?;
                if self.tokens.is_sign("[") { self.slice(&named, at)? } else { named }
            }
            Token::Number(..) | Token::Text(_) | Token::Character(_) | Token::Sign(_) | Token::End => {
                return Err(self.tokens.expected("the name of a value"));
            }
        };
        let negated = self.tokens.accept_word("not");
        let claim = if self.tokens.accept_word("in") {
            let at = self.tokens.position();
            let name = self.identifier("the name of an expression or a rule")?;
            match self.language_of.get(&name) {
                Some(&node) => Claim::InLanguage(node),
                None => Claim::InGrammar(self.rule(name, at)),
            }
        } else if self.tokens.accept_word("contains") {
            Claim::Contains(self.word()?)
        } else if self.tokens.accept_word("equals") {
            Claim::Equals(self.value()?)
        } else {
            return Err(self.tokens.expected("in, contains or equals, perhaps after not"));
        };
        self.assertions.push(Assertion { value, negated, claim, position });
        Ok(())
    }

    fn finish(self) -> Result<File, ReadError> {
        // A name that nothing defines was taken for a rule.
        let undefined = (0..self.grammar.rules.len()).find(|&rule| !self.defined.contains(&RuleId(rule)));
        if let Some(rule) = undefined {
            let Rule { name, position, .. } = &self.grammar.rules[rule];
            return Err(illegal(
                *position,
                format!("expected an expression or a rule, but '{name}' is neither"),
            ));
        }
        let Some(variable) = self.variable else {
            return Err(illegal(
                self.tokens.position(),
                "expected a variable: a statement 'var NAME : LENGTH;'",
            ));
        };
        Ok(File {
            variable,
            grammar: self.grammar,
            nodes: self.nodes,
            languages: self.languages,
            values: self.named,
            assertions: self.assertions,
        })
    }
}
