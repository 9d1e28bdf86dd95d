//! The structure of a script's text: commands, the terms in them, and the sorts of these.
//!
//! A script is changed as text, for text is what a task holds and what is written in the end. Strategies read
//! it; an external program is given each query printed anew, with the names of variables and the order of
//! assertions, but without `let` and definitions. So the outline stands over the tokens of the text, and
//! every piece of it has its range of bytes. It says of sorts what it can see; whether a changed script is
//! legal is for the reader to say. Nothing here recurses over the input.

use std::collections::HashMap;
use std::ops::Range;

use harness_smtlib::lex::{Kind, Tokens};
use harness_smtlib::names;
use harness_theory::op::{Op, ReOp};
use harness_theory::{ScriptDialect, Sort};

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The token that opens it.
    pub at: usize,
    /// Its name.
    pub name: String,
    /// Its text.
    pub range: Range<usize>,
}

/// What a term looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A name, a literal, or what has no terms inside, such as `(_ char #x41)`.
    Atom,
    /// An application; of this operation, where its head names one.
    Application(Option<Op>),
    /// `let`: the children are the bound terms, then the body.
    Let,
    /// `!`: the only child is the term.
    Annotated,
}

/// A term.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its first token.
    pub at: usize,
    /// Its text.
    pub range: Range<usize>,
    /// Its sort, where that can be seen.
    pub sort: Option<Sort>,
    /// What it looks like.
    pub look: Look,
    /// The terms directly inside, in order, by their places among all nodes.
    pub children: Vec<usize>,
}

/// The structure of a script.
pub struct Outline<'a> {
    /// The text.
    pub text: &'a str,
    /// Its tokens.
    pub tokens: Tokens<'a>,
    /// Which way its literals are written.
    pub dialect: ScriptDialect,
    /// Its commands, in order.
    pub commands: Vec<Command>,
    /// All terms; one comes before those inside it.
    pub nodes: Vec<Node>,
    /// Declared constants that are in no other way defined: name, sort, place of the command.
    pub variables: Vec<(String, Option<Sort>, usize)>,
    /// The places of each symbol, without bars.
    symbols: HashMap<&'a [u8], Vec<usize>>,
}

impl<'a> Outline<'a> {
    /// Of a text; `None` when it is not made of balanced tokens.
    pub fn of(text: &'a str) -> Option<Self> {
        let (tokens, dialect) = tokens(text)?;
        let mut commands = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let name = String::from_utf8_lossy(tokens.bytes(at + 1)).into_owned();
            commands.push(Command { at, name, range: range(&tokens, text, at) });
            at = tokens.after(at);
        }
        let mut symbols: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for at in (0..tokens.len()).filter(|&at| tokens.kind(at) == Kind::Symbol) {
            symbols.entry(tokens.bytes(at)).or_default().push(at);
        }
        let (nodes, variables) = (Vec::new(), Vec::new());
        let mut outline = Self { text, tokens, dialect, commands, nodes, variables, symbols };
        for place in 0..outline.commands.len() {
            for root in outline.roots(place) {
                outline.add(root);
            }
        }
        outline.find_sorts();
        Some(outline)
    }

    /// The text of a token or list.
    pub fn source(&self, at: usize) -> &'a str {
        &self.text[self.range(at)]
    }

    /// Where a token or list stands.
    pub fn range(&self, at: usize) -> Range<usize> {
        range(&self.tokens, self.text, at)
    }

    /// The text of a node.
    pub fn of_node(&self, node: &Node) -> &'a str {
        &self.text[node.range.clone()]
    }

    /// The elements of the command at `place`, without its name.
    pub fn arguments(&self, place: usize) -> Vec<usize> {
        self.commands.get(place).map_or_else(Vec::new, |c| self.tokens.elements(c.at).skip(1).collect())
    }

    /// The places of all tokens that are this symbol, as a set of bytes without bars.
    pub fn uses(&self, symbol: &str) -> &[usize] {
        self.symbols.get(symbol.as_bytes()).map_or(&[], Vec::as_slice)
    }

    /// Whether a symbol is anywhere in the script.
    pub fn is_taken(&self, symbol: &str) -> bool {
        self.symbols.contains_key(symbol.as_bytes())
    }

    /// The terms that a command has.
    fn roots(&self, place: usize) -> Vec<usize> {
        let arguments = self.arguments(place);
        let nth = |n: usize| arguments.get(n).copied().into_iter().collect();
        match self.commands[place].name.as_str() {
            "assert" => nth(0),
            "define-const" => nth(2),
            "define-fun" => nth(3),
            "check-sat-assuming" => {
                arguments.first().map_or_else(Vec::new, |&list| self.tokens.elements(list).collect())
            }
            _ => Vec::new(),
        }
    }

    /// Adds the term at a token and all terms inside.
    fn add(&mut self, root: usize) {
        let mut waiting = vec![(root, None)];
        while let Some((at, parent)) = waiting.pop() {
            let place = self.nodes.len();
            let (look, children) = self.look(at);
            let (range, sort) = (self.range(at), None);
            self.nodes.push(Node { at, range, sort, look, children: Vec::new() });
            if let Some(parent) = parent {
                let parent: &mut Node = &mut self.nodes[parent];
                parent.children.push(place);
            }
            waiting.extend(children.into_iter().rev().map(|child| (child, Some(place))));
        }
    }

    /// What the term at a token looks like, and the tokens at which those inside begin.
    fn look(&self, at: usize) -> (Look, Vec<usize>) {
        let tokens = &self.tokens;
        if tokens.kind(at) != Kind::Open {
            return (Look::Atom, Vec::new());
        }
        let mut elements = tokens.elements(at);
        let Some(head) = elements.next() else { return (Look::Atom, Vec::new()) };
        match (tokens.kind(head), tokens.bytes(head)) {
            (Kind::Symbol, b"_" | b"as") => (Look::Atom, Vec::new()),
            (Kind::Symbol, b"!") => (Look::Annotated, elements.next().into_iter().collect()),
            (Kind::Symbol, b"let") => {
                let bindings = elements.next().map(|list| tokens.elements(list).collect::<Vec<_>>());
                let bound = bindings.into_iter().flatten().filter_map(|pair| tokens.elements(pair).nth(1));
                let bound: Vec<usize> = bound.collect();
                (Look::Let, bound.into_iter().chain(elements.next()).collect())
            }
            _ => (Look::Application(self.operation(head)), elements.collect()),
        }
    }

    /// The operation that a head names, with its indices left out.
    fn operation(&self, head: usize) -> Option<Op> {
        let tokens = &self.tokens;
        let (name, indexed) = match tokens.kind(head) {
            Kind::Symbol => (head, false),
            Kind::Open if tokens.bytes(head + 1) == b"_" => (head + 2, true),
            Kind::Open if tokens.bytes(head + 1) == b"as" => (head + 2, false),
            _ => return None,
        };
        let name = tokens.text(name).ok()?;
        if indexed && name == "re.^" {
            return Some(Op::Re(ReOp::Power(0)));
        }
        names::spelled(name).map(|spelling| spelling.op)
    }

    /// Finds the sorts of nodes, inner ones first; names that are bound inside of terms may take another
    /// round for each `let` in a `let`, and those that are still open after a few stay so.
    fn find_sorts(&mut self) {
        const ROUNDS: usize = 4;
        let mut names = self.declared();
        for _ in 0..ROUNDS {
            let mut changed = false;
            for place in (0..self.nodes.len()).rev() {
                if self.nodes[place].sort.is_some() {
                    continue;
                }
                let sort = self.sort_of(place, &names);
                changed |= sort.is_some();
                self.nodes[place].sort = sort;
            }
            for node in &self.nodes {
                for (name, bound) in self.bindings(node) {
                    if let Some(sort) = self.nodes[bound].sort {
                        changed |= names.insert(name, sort) != Some(sort);
                    }
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// Names of a `let` and the places of what they stand for; none of another term.
    pub fn bindings(&self, node: &Node) -> Vec<(&'a str, usize)> {
        if node.look != Look::Let {
            return Vec::new();
        }
        let Some(list) = self.tokens.elements(node.at).nth(1) else { return Vec::new() };
        let pairs = self.tokens.elements(list).zip(&node.children);
        pairs.filter_map(|(pair, &bound)| Some((self.tokens.text(pair + 1).ok()?, bound))).collect()
    }

    /// Sorts of declared and defined names; collects the variables.
    fn declared(&mut self) -> HashMap<&'a str, Sort> {
        let mut names = HashMap::new();
        let mut variables = Vec::new();
        for (place, command) in self.commands.iter().enumerate() {
            let arguments: Vec<usize> = self.tokens.elements(command.at).skip(1).collect();
            let (Some(&name), sort) = (
                arguments.first(),
                match command.name.as_str() {
                    "declare-const" | "define-const" => arguments.get(1),
                    "declare-fun" | "define-fun" => arguments.get(2),
                    _ => continue,
                },
            ) else {
                continue;
            };
            let Ok(name) = self.tokens.text(name) else { continue };
            let sort = sort.and_then(|&sort| sort_named(self.tokens.bytes(sort)));
            if let Some(sort) = sort {
                names.insert(name, sort);
            }
            if command.name.starts_with("declare") {
                variables.push((name.to_owned(), sort, place));
            }
            if command.name == "define-fun"
                && let Some(&list) = arguments.get(1)
            {
                for parameter in self.tokens.elements(list) {
                    let parts: Vec<usize> = self.tokens.elements(parameter).collect();
                    if let [name, sort] = parts.as_slice()
                        && let (Ok(name), Some(sort)) =
                            (self.tokens.text(*name), sort_named(self.tokens.bytes(*sort)))
                    {
                        names.insert(name, sort);
                    }
                }
            }
        }
        self.variables = variables;
        names
    }

    fn sort_of(&self, place: usize, names: &HashMap<&'a str, Sort>) -> Option<Sort> {
        let node = &self.nodes[place];
        let of_child = |n: usize| self.nodes[*node.children.get(n)?].sort;
        match node.look {
            Look::Atom => match self.tokens.kind(node.at) {
                Kind::Numeral => Some(Sort::Int),
                Kind::String => Some(Sort::String),
                Kind::Symbol => self.sort_of_name(node.at, names),
                // `(_ char …)` and `(as NAME SORT)`.
                Kind::Open if self.tokens.bytes(node.at + 1) == b"_" => Some(Sort::String),
                Kind::Open if self.tokens.bytes(node.at + 1) == b"as" => {
                    sort_named(self.tokens.bytes(node.at + 3))
                }
                Kind::Open
                | Kind::Close
                | Kind::Keyword
                | Kind::Decimal
                | Kind::Hexadecimal
                | Kind::Binary => None,
            },
            Look::Annotated => of_child(0),
            Look::Let => self.nodes[*node.children.last()?].sort,
            Look::Application(Some(op)) => op.result().or_else(|| of_child(1).or_else(|| of_child(2))),
            Look::Application(None) => self.sort_of_name(node.at + 1, names),
        }
    }

    fn sort_of_name(&self, at: usize, names: &HashMap<&'a str, Sort>) -> Option<Sort> {
        let name = self.tokens.text(at).ok()?;
        match name {
            "true" | "false" => Some(Sort::Bool),
            _ => names.get(name).copied().or_else(|| names::spelled(name)?.op.result()),
        }
    }
}

fn sort_named(name: &[u8]) -> Option<Sort> {
    match name {
        b"Bool" => Some(Sort::Bool),
        b"Int" => Some(Sort::Int),
        b"String" => Some(Sort::String),
        b"RegLan" | b"RegEx" => Some(Sort::RegLan),
        _ => None,
    }
}

/// The tokens of a text, in its dialect.
fn tokens(text: &str) -> Option<(Tokens<'_>, ScriptDialect)> {
    match Tokens::read(text.as_bytes(), false) {
        Ok(tokens) if harness_smtlib::dialect::of(&tokens) == ScriptDialect::Current => {
            Some((tokens, ScriptDialect::Current))
        }
        _ => Some((Tokens::read(text.as_bytes(), true).ok()?, ScriptDialect::Old)),
    }
}

/// Where a token or list stands, quotes and bars included.
fn range(tokens: &Tokens<'_>, text: &str, at: usize) -> Range<usize> {
    let last = tokens.after(at) - 1;
    let (start, offset) = (tokens.offset(at), tokens.offset(last));
    let quotes = match tokens.kind(last) {
        Kind::String => 2,
        Kind::Symbol if text.as_bytes().get(offset) == Some(&b'|') => 2,
        Kind::Symbol
        | Kind::Open
        | Kind::Close
        | Kind::Keyword
        | Kind::Numeral
        | Kind::Decimal
        | Kind::Hexadecimal
        | Kind::Binary => 0,
    };
    start..(offset + tokens.bytes(last).len() + quotes).min(text.len())
}

/// The text with a line for each command, single blanks and no comments; `None` when it is not made of
/// tokens.
pub fn tidy(text: &str) -> Option<String> {
    let (tokens, _) = tokens(text)?;
    let mut out = String::with_capacity(text.len());
    let mut depth = 0_usize;
    for at in 0..tokens.len() {
        let kind = tokens.kind(at);
        if kind != Kind::Close && !out.is_empty() && !out.ends_with(['(', '\n']) {
            out.push(' ');
        }
        let single = match kind {
            Kind::Open => {
                depth += 1;
                "("
            }
            Kind::Close => {
                depth = depth.saturating_sub(1);
                ")"
            }
            Kind::Symbol
            | Kind::Keyword
            | Kind::Numeral
            | Kind::Decimal
            | Kind::Hexadecimal
            | Kind::Binary
            | Kind::String => text.get(range(&tokens, text, at))?,
        };
        out.push_str(single);
        if depth == 0 {
            out.push('\n');
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "(set-logic QF_S)(declare-const |x y| String)\n(declare-fun n () Int) ; a comment\n\
        (define-fun f ((s String)) Int (str.len s))\n\
        (assert (let ((a (str.++ |x y| \"q\"\"r\"))) (! (= (f a) ((_ re.loop 1 2) n) n) :named g)))(check-sat)";

    #[test]
    fn sorts_are_seen() {
        let outline = Outline::of(SCRIPT).unwrap();
        let sort = |text: &str| {
            let node = outline.nodes.iter().find(|node| outline.of_node(node) == text);
            node.unwrap_or_else(|| panic!("no node {text}")).sort
        };
        for (text, wanted) in [
            ("(str.len s)", Sort::Int),
            ("s", Sort::String),
            ("(str.++ |x y| \"q\"\"r\")", Sort::String),
            ("\"q\"\"r\"", Sort::String),
            ("|x y|", Sort::String),
            ("a", Sort::String),
            ("(f a)", Sort::Int),
            ("n", Sort::Int),
            ("((_ re.loop 1 2) n)", Sort::RegLan),
        ] {
            assert_eq!(sort(text), Some(wanted), "{text}");
        }
        let names: Vec<&str> = outline.variables.iter().map(|(name, ..)| name.as_str()).collect();
        assert_eq!(names, ["x y", "n"]);
    }

    #[test]
    fn a_tidy_text_is_the_same_script() {
        let text = tidy(SCRIPT).unwrap();
        assert_eq!(text.lines().count(), 6);
        assert!(
            text.contains("(declare-fun n () Int)\n(define-fun f ((s String)) Int (str.len s))\n"),
            "{text}"
        );
        assert!(text.contains("(str.++ |x y| \"q\"\"r\")"), "{text}");
        assert_eq!(tidy(&text).unwrap(), text);
        assert_eq!(tidy("(a"), None);
    }

    #[test]
    fn deep_nesting_takes_no_stack() {
        let depth = 200_000;
        let text = format!("(assert {}true{})", "(not ".repeat(depth), ")".repeat(depth));
        let outline = Outline::of(&text).unwrap();
        assert_eq!(outline.nodes.len(), depth + 1);
        assert_eq!(outline.nodes[0].sort, Some(Sort::Bool));
    }
}
