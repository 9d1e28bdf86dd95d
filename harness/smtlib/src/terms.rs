//! Tokens to terms: names resolved, sorts checked, `let` and macros expanded.
//!
//! The reader keeps its own stack of what is open, so nesting costs memory and no machine stack. `let` is
//! parallel: all right-hand sides see the outer scope. A macro's body was read in the scope of its definition
//! and is instantiated by substitution, so that nothing at the place of use can capture its names.

mod apply;
mod quantifier;

use std::rc::Rc;

use harness_model::{Alphabet, Char, SmtString};
use harness_theory::op::{Op, ReOp};
use harness_theory::sort::Sort;
use harness_theory::term::{Term, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use crate::ReadError;
use crate::dialect::Strings;
use crate::foreign;
use crate::functions::{FunctionId, Functions, Macro, Quantified, Typed};
use crate::lex::{Kind, Tokens};
use crate::literal;
use crate::names::{self, Spelling};
use crate::sorts::{ScriptSort, SortNames};

/// What a name means in a scope.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// A term: a constant, a definition without parameters, a `let`, a named term.
    Term(Typed),
    /// A defined function.
    Macro(Rc<Macro>),
    /// A function that the script declares.
    Function(FunctionId),
}

/// Names in scope; inner meanings hide outer ones.
#[derive(Debug, Default)]
pub struct Scope {
    names: FxHashMap<String, Vec<Meaning>>,
    /// Names for sorts, which are apart from all others.
    pub sorts: SortNames,
    /// Functions that have no definition.
    pub functions: Functions,
    /// Parameters of the definition and variables of the quantifiers that are being read.
    pub bound: Vec<VarId>,
}

impl Scope {
    /// What `name` means now.
    pub fn get(&self, name: &str) -> Option<&Meaning> {
        self.names.get(name)?.last()
    }

    /// Gives `name` a meaning that hides earlier ones.
    pub fn bind(&mut self, name: &str, meaning: Meaning) {
        match self.names.get_mut(name) {
            Some(meanings) => meanings.push(meaning),
            None => {
                self.names.insert(name.to_owned(), vec![meaning]);
            }
        }
    }

    /// Takes the last meaning of `name` away.
    pub fn unbind(&mut self, name: &str) {
        if let Some(meanings) = self.names.get_mut(name) {
            meanings.pop();
            if meanings.is_empty() {
                self.names.remove(name);
            }
        }
    }
}

/// A name given to a term by `(! … :named n)`.
pub type Named = (String, Typed);

/// Reads terms of one script.
pub struct TermReader<'r, 'a> {
    /// The text.
    pub tokens: &'r Tokens<'a>,
    /// How literals are read.
    pub strings: Strings,
    /// The alphabet that literals are over.
    pub alphabet: Alphabet,
    /// Where terms are made.
    pub terms: &'r mut Terms,
    /// What names mean.
    pub scope: &'r mut Scope,
    /// Names given on the way, in order; they are in scope at once.
    pub named: Vec<Named>,
    /// Whether it is what an assertion says.
    pub asserting: bool,
    /// What an assertion says of everything, where it is such an assertion: the term is `true` then.
    pub quantified: Option<Quantified>,
    /// Whether it speaks of something by a constant that the script does not name: then a part of it is no term
    /// that may stand elsewhere.
    pub existential: bool,
}

enum Head {
    Op(Spelling),
    /// `re.loop` with its counts as arguments.
    OldLoop,
    Macro(Rc<Macro>),
    Function(FunctionId),
    /// A function of another theory, with its indices.
    Foreign(String, Vec<u32>),
}

enum Frame<'a> {
    App {
        head: Head,
        /// What `as` says of its result.
        sort: Option<ScriptSort>,
        at: usize,
        next: usize,
        arguments: Vec<Typed>,
    },
    /// Reading right-hand sides; `next` is the next binding.
    Let {
        next: usize,
        end: usize,
        name: &'a str,
        bound: Vec<(&'a str, Typed)>,
        body: usize,
    },
    Body {
        bound: Vec<&'a str>,
    },
    Bang {
        at: usize,
    },
    /// An atom that is read already.
    Done(Typed),
    /// The body of `exists`, whose variables are constants in scope.
    Exists {
        names: Vec<&'a str>,
    },
    /// The body of `forall` over one variable, which is in scope.
    Quantifier {
        at: usize,
        /// Whether it is all of the term.
        whole: bool,
        name: &'a str,
        variable: VarId,
        sort: ScriptSort,
    },
}

impl<'a> TermReader<'_, 'a> {
    /// Reads the term whose first token is at `index`.
    pub fn term(&mut self, index: usize) -> Result<Typed, ReadError> {
        let mut stack: Vec<Frame<'a>> = Vec::new();
        let mut result = self.start(index, &mut stack);
        if result.is_err() {
            Self::unwind(self.scope, &stack);
        }
        let mut value = result?;
        loop {
            let Some(frame) = stack.pop() else {
                return value.ok_or_else(|| self.tokens.error(index, "a term must stand here"));
            };
            result = self.step(frame, value, &mut stack);
            if result.is_err() {
                Self::unwind(self.scope, &stack);
            }
            value = result?;
        }
    }

    fn unwind(scope: &mut Scope, stack: &[Frame<'_>]) {
        for frame in stack {
            match frame {
                Frame::Body { bound } => bound.iter().for_each(|name| scope.unbind(name)),
                Frame::Quantifier { name, .. } => {
                    scope.unbind(name);
                    scope.bound.pop();
                }
                Frame::Exists { names } => {
                    for name in names {
                        scope.unbind(name);
                        scope.bound.pop();
                    }
                }
                Frame::App { .. } | Frame::Let { .. } | Frame::Bang { .. } | Frame::Done(_) => {}
            }
        }
    }

    /// Begins the term at `at`: its value if it is an atom, else `None` and a frame on the stack.
    fn start(&mut self, at: usize, stack: &mut Vec<Frame<'a>>) -> Result<Option<Typed>, ReadError> {
        let tokens = self.tokens;
        match tokens.kind(at) {
            Kind::Open => self.open(at, stack).map(|()| None),
            Kind::Symbol => self.symbol(at).map(Some),
            Kind::Numeral => {
                let value = tokens.text(at)?.parse::<harness_model::int::Int>();
                let value = value.map_err(|e| tokens.error(at, e.to_string()))?;
                Ok(Some(Typed { term: self.terms.int(value), sort: Sort::Int.into() }))
            }
            Kind::String => {
                let value =
                    literal::value(tokens.bytes(at), self.strings).map_err(|e| tokens.error(at, e))?;
                self.string(at, value).map(Some)
            }
            Kind::Decimal => Err(tokens.unsupported(at, "real numbers are not supported")),
            Kind::Hexadecimal | Kind::Binary => foreign::bits(&mut self.place(at)).map(Some),
            Kind::Keyword => Err(tokens.error(at, "a keyword may not stand here")),
            Kind::Close => Err(tokens.error(at, "a term must stand here")),
        }
    }

    /// A literal in the alphabet: in `utf16` a character above U+FFFF is its two surrogates, as in Java.
    fn string(&mut self, at: usize, value: SmtString) -> Result<Typed, ReadError> {
        let alphabet = self.alphabet;
        let value = value.in_alphabet(alphabet).map_err(|foreign| {
            let message = format!(
                "the literal has U+{:04X}, which is not in the alphabet {alphabet}; choose a larger one",
                foreign.0
            );
            self.tokens.unsupported(at, message)
        })?;
        Ok(Typed { term: self.terms.string(value), sort: Sort::String.into() })
    }

    fn symbol(&mut self, at: usize) -> Result<Typed, ReadError> {
        let name = self.tokens.text(at)?;
        match self.scope.get(name) {
            Some(Meaning::Term(term)) => return Ok(*term),
            Some(Meaning::Macro(definition)) if definition.parameters.is_empty() => {
                let definition = Rc::clone(definition);
                return self.instantiate(&definition, at, &[]);
            }
            Some(Meaning::Macro(_) | Meaning::Function(_)) => {
                return Err(self.tokens.error(at, format!("'{name}' takes arguments")));
            }
            None => {}
        }
        match name {
            "true" | "false" => {
                return Ok(Typed { term: self.terms.bool(name == "true"), sort: Sort::Bool.into() });
            }
            _ => {}
        }
        if let Some(constant) = foreign::constant(self.terms, &mut self.scope.sorts, name) {
            return Ok(constant);
        }
        match names::spelled(name) {
            Some(spelling) => self.apply(spelling, at, Vec::new()),
            None => Err(self.unknown(at, name)),
        }
    }

    fn unknown(&self, at: usize, name: &str) -> ReadError {
        const FOREIGN: &[&str] = &[
            "str.indexof_re",
            "str.replace_re_n",
            "lambda",
            "match",
            "to_real",
            "is_int",
            "/",
            "int.pow2",
            "seq.unit",
            "seq.nth",
        ];
        if FOREIGN.contains(&name) || name.starts_with("bv") || name.starts_with("seq.") {
            return self.tokens.unsupported(at, format!("'{name}' is not supported"));
        }
        if name.starts_with("java.") {
            let all = names::java();
            return self.tokens.error(at, format!("'{name}' is none of the Java operations: {all}"));
        }
        self.tokens.error(at, format!("'{name}' is not declared"))
    }

    fn open(&mut self, at: usize, stack: &mut Vec<Frame<'a>>) -> Result<(), ReadError> {
        let tokens = self.tokens;
        let head = at + 1;
        if tokens.kind(head) == Kind::Symbol && self.scope.get(tokens.text(head)?).is_none() {
            match tokens.bytes(head) {
                b"let" => return self.open_let(at, stack),
                b"forall" => return self.open_quantifier(at, stack),
                b"exists" => return self.open_exists(at, stack),
                b"!" => {
                    stack.push(Frame::Bang { at });
                    return self.descend(head + 1, stack);
                }
                b"_" => {
                    let value = self.indexed_constant(at)?;
                    stack.push(Frame::Done(value));
                    return Ok(());
                }
                b"as" => {
                    let value = self.qualified_constant(at)?;
                    stack.push(Frame::Done(value));
                    return Ok(());
                }
                _ => {}
            }
        }
        let (function, sort) = if tokens.kind(head) == Kind::Open && tokens.bytes(head + 1) == b"as" {
            let (function, sort) = self.qualified(head)?;
            (function, Some(sort))
        } else {
            (head, None)
        };
        let head_of = self.function(function)?;
        stack.push(Frame::App { head: head_of, sort, at, next: tokens.after(head), arguments: Vec::new() });
        Ok(())
    }

    /// The function whose name, or name with indices, is at `at`.
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "only `re.loop` was once written with its bounds as arguments"
    )]
    fn function(&self, at: usize) -> Result<Head, ReadError> {
        let tokens = self.tokens;
        match tokens.kind(at) {
            Kind::Symbol => {}
            Kind::Open => return self.indexed(at),
            _ => return Err(tokens.error(at, "a function must stand here")),
        }
        let name = tokens.text(at)?;
        match self.scope.get(name) {
            Some(Meaning::Macro(definition)) => return Ok(Head::Macro(Rc::clone(definition))),
            Some(&Meaning::Function(function)) => return Ok(Head::Function(function)),
            Some(Meaning::Term(_)) => {
                return Err(tokens.error(at, format!("'{name}' is a constant and takes no arguments")));
            }
            None => {}
        }
        let Some(spelling) = names::spelled(name) else {
            if foreign::is_function(name, false) {
                return Ok(Head::Foreign(name.to_owned(), Vec::new()));
            }
            return Err(self.unknown(at, name));
        };
        Ok(match spelling.op {
            Op::Re(ReOp::Loop(..)) => Head::OldLoop,
            _ => Head::Op(spelling),
        })
    }

    /// `(as NAME SORT)`: where the name is, and the sort.
    fn qualified(&mut self, at: usize) -> Result<(usize, ScriptSort), ReadError> {
        let parts: Vec<usize> = self.tokens.elements(at).collect();
        let [_, name, sort] = parts.as_slice() else {
            return Err(self.tokens.error(at, "'as' takes a name and a sort"));
        };
        Ok((*name, self.sort(*sort)?))
    }

    /// `(as NAME SORT)` as a constant.
    fn qualified_constant(&mut self, at: usize) -> Result<Typed, ReadError> {
        let (name, sort) = self.qualified(at)?;
        let term = match self.tokens.kind(name) {
            Kind::Symbol => self.symbol(name)?,
            Kind::Open if self.tokens.bytes(name + 1) == b"_" => self.indexed_constant(name)?,
            _ => return Err(self.tokens.error(name, "a name must stand here")),
        };
        self.of_sort(at, term, Some(sort))
    }

    /// The term, which is of this sort if one is named.
    fn of_sort(&self, at: usize, term: Typed, wanted: Option<ScriptSort>) -> Result<Typed, ReadError> {
        match wanted {
            Some(wanted) if wanted != term.sort => {
                let [wanted, found] = [wanted, term.sort].map(|sort| self.scope.sorts.name(sort));
                let message = format!("'as' names the sort {wanted}, but the term is of sort {found}");
                Err(self.tokens.error(at, message))
            }
            Some(_) | None => Ok(term),
        }
    }

    /// Where functions of other theories are applied.
    fn place(&mut self, at: usize) -> foreign::Place<'_, 'a> {
        let Scope { sorts, functions, .. } = &mut *self.scope;
        foreign::Place { tokens: self.tokens, terms: self.terms, sorts, functions, at }
    }

    /// Begins the term at `at` with a frame of its own even if it is an atom.
    fn descend(&mut self, at: usize, stack: &mut Vec<Frame<'a>>) -> Result<(), ReadError> {
        if let Some(value) = self.start(at, stack)? {
            stack.push(Frame::Done(value));
        }
        Ok(())
    }

    fn open_let(&mut self, at: usize, stack: &mut Vec<Frame<'a>>) -> Result<(), ReadError> {
        let tokens = self.tokens;
        let bindings = at + 2;
        if tokens.kind(bindings) != Kind::Open {
            return Err(tokens.error(bindings, "the bindings of 'let' must stand here, in parentheses"));
        }
        let body = tokens.after(bindings);
        if tokens.kind(body) == Kind::Close || tokens.kind(tokens.after(body)) != Kind::Close {
            return Err(tokens.error(body, "'let' takes bindings and one body"));
        }
        stack.push(Frame::Let { next: bindings + 1, end: body - 1, name: "", bound: Vec::new(), body });
        Ok(())
    }

    /// Goes on with `frame`, whose sub-term (if one was being read) has the value `value`.
    fn step(
        &mut self,
        frame: Frame<'a>,
        value: Option<Typed>,
        stack: &mut Vec<Frame<'a>>,
    ) -> Result<Option<Typed>, ReadError> {
        let tokens = self.tokens;
        match frame {
            Frame::Done(term) => Ok(Some(term)),
            Frame::App { head, sort, at, mut next, mut arguments } => {
                arguments.extend(value);
                while tokens.kind(next) != Kind::Close {
                    let this = next;
                    next = tokens.after(next);
                    if tokens.kind(this) == Kind::Open {
                        stack.push(Frame::App { head, sort, at, next, arguments });
                        return self.start(this, stack);
                    }
                    arguments.extend(self.start(this, stack)?);
                }
                let term = self.finish(head, at, arguments)?;
                self.of_sort(at, term, sort).map(Some)
            }
            Frame::Let { mut next, end, name, mut bound, body } => {
                bound.extend(value.map(|v| (name, v)));
                if next == end {
                    let mut names: Vec<&str> = bound.iter().map(|b| b.0).collect();
                    names.sort_unstable();
                    if let Some(twice) = names.windows(2).find(|w| w[0] == w[1]) {
                        return Err(tokens.error(body, format!("'let' binds '{}' twice", twice[0])));
                    }
                    for (name, term) in &bound {
                        self.scope.bind(name, Meaning::Term(*term));
                    }
                    stack.push(Frame::Body { bound: bound.iter().map(|b| b.0).collect() });
                    return self.start(body, stack);
                }
                let binding = next;
                let shape = (tokens.kind(binding), tokens.kind(binding + 1));
                let right = binding + 2;
                if shape != (Kind::Open, Kind::Symbol)
                    || tokens.kind(right) == Kind::Close
                    || tokens.kind(tokens.after(right)) != Kind::Close
                {
                    return Err(
                        tokens.error(binding, "a binding of 'let' is a name and a term, in parentheses")
                    );
                }
                next = tokens.after(binding);
                stack.push(Frame::Let { next, end, name: tokens.text(binding + 1)?, bound, body });
                self.start(right, stack)
            }
            Frame::Body { bound } => {
                bound.iter().for_each(|name| self.scope.unbind(name));
                Ok(value)
            }
            Frame::Bang { at } => {
                self.attributes(at, value)?;
                Ok(value)
            }
            Frame::Exists { names } => {
                for name in &names {
                    self.scope.unbind(name);
                    self.scope.bound.pop();
                }
                Ok(value)
            }
            Frame::Quantifier { at, whole, name, variable, sort } => {
                self.scope.unbind(name);
                self.scope.bound.pop();
                let body = value.ok_or_else(|| tokens.error(at, "a term must stand here"))?;
                self.quantifier(at, whole, variable, sort, body).map(Some)
            }
        }
    }

    fn attributes(&mut self, at: usize, value: Option<Typed>) -> Result<(), ReadError> {
        let tokens = self.tokens;
        let mut elements = tokens.elements(at).skip(2);
        while let Some(key) = elements.next() {
            if tokens.kind(key) != Kind::Keyword {
                return Err(tokens.error(key, "an attribute such as :named must stand here"));
            }
            let Some(argument) = elements.next() else { break };
            if tokens.bytes(key) == b":named" {
                if tokens.kind(argument) != Kind::Symbol {
                    return Err(tokens.error(argument, "a name must stand here"));
                }
                let name = tokens.text(argument)?;
                if self.scope.get(name).is_some() || names::spelled(name).is_some() {
                    return Err(tokens.error(argument, format!("'{name}' has a meaning already")));
                }
                if let Some(mut term) = value {
                    let cone = self.scope.functions.cone(self.terms, &[term.term]);
                    let bound = |id: &TermId| match self.terms.get(*id) {
                        Term::Var(variable) => self.scope.bound.contains(variable),
                        Term::Bool(_) | Term::Int(_) | Term::String(_) | Term::App(..) => false,
                    };
                    if cone.iter().any(bound) {
                        let message =
                            format!("the term named '{name}' has a variable that is bound around it");
                        return Err(tokens.error(argument, message));
                    }
                    // What an assertion says of everything, or of something, is no term.
                    if self.quantified.is_some() || self.existential {
                        term = self.missing_quantifier(at);
                    }
                    self.scope.bind(name, Meaning::Term(term));
                    self.named.push((name.to_owned(), term));
                }
            }
        }
        Ok(())
    }

    /// A small number at `at`.
    fn index(&self, at: usize) -> Result<u32, ReadError> {
        if self.tokens.kind(at) != Kind::Numeral {
            return Err(self.tokens.error(at, "a numeral must stand here"));
        }
        let number = self.tokens.text(at)?.parse();
        number.map_err(|_| self.tokens.unsupported(at, "counts above 4294967295 are not supported"))
    }

    /// `(_ char #xH)`, `(_ bv5 8)` and others.
    fn indexed_constant(&mut self, at: usize) -> Result<Typed, ReadError> {
        let tokens = self.tokens;
        let parts: Vec<usize> = tokens.elements(at).collect();
        match parts.as_slice() {
            [_, name, digits]
                if tokens.bytes(*name) == b"char" && tokens.kind(*digits) == Kind::Hexadecimal =>
            {
                let text = &tokens.text(*digits)?[2..];
                let code =
                    u32::from_str_radix(text, 16).ok().filter(|&c| text.len() <= 5 && c <= Char::MAX.0);
                let code = code.ok_or_else(|| {
                    tokens.error(*digits, "a character has at most five hexadecimal digits, up to #x2FFFF")
                })?;
                if !self.alphabet.contains(Char(code)) {
                    let message = format!("U+{code:04X} is no character of the alphabet {}", self.alphabet);
                    return Err(tokens.unsupported(*digits, message));
                }
                let term = self.terms.string(SmtString::from(vec![Char(code)]));
                Ok(Typed { term, sort: Sort::String.into() })
            }
            [_, name, ..] if tokens.bytes(*name).starts_with(b"re.") => {
                Err(tokens.error(at, "an indexed operator must be applied: ((_ re.loop 1 3) r)"))
            }
            [_, name, indices @ ..] if indices.iter().all(|&i| tokens.kind(i) == Kind::Numeral) => {
                let indices = indices.iter().map(|&i| self.index(i)).collect::<Result<Vec<u32>, _>>()?;
                let name = tokens.text(*name)?;
                let constant = foreign::indexed_constant(&mut self.place(at), name, &indices)?;
                constant.ok_or_else(|| {
                    let message =
                        format!("'{name}' with these indices is no constant, such as (_ char #x41)");
                    tokens.error(at, message)
                })
            }
            _ => Err(tokens.error(at, "an indexed constant is written as (_ char #x41)")),
        }
    }

    /// `(_ re.loop n m)`, `(_ re.^ n)` or a function of another theory as a head.
    fn indexed(&self, at: usize) -> Result<Head, ReadError> {
        let tokens = self.tokens;
        let parts: Vec<usize> = tokens.elements(at).collect();
        let op = match parts.as_slice() {
            [underscore, name, indices @ ..] if tokens.bytes(*underscore) == b"_" => {
                match (tokens.bytes(*name), indices) {
                    (b"re.^", [n]) => Op::Re(ReOp::Power(self.index(*n)?)),
                    (b"re.loop", [low, high]) => Op::Re(ReOp::Loop(self.index(*low)?, self.index(*high)?)),
                    (b"re.^", _) => return Err(tokens.error(at, "'re.^' has one index")),
                    (b"re.loop", _) => return Err(tokens.error(at, "'re.loop' has two indices")),
                    (other, indices) => {
                        let other = String::from_utf8_lossy(other);
                        if foreign::is_function(&other, true) {
                            let indices = indices.iter().map(|&i| self.index(i)).collect::<Result<_, _>>()?;
                            return Ok(Head::Foreign(other.into_owned(), indices));
                        }
                        return Err(tokens.error(at, format!("'{other}' is not an indexed function")));
                    }
                }
            }
            _ => return Err(tokens.error(at, "a function must stand here")),
        };
        Ok(Head::Op(Spelling { op, swapped: false, old: false }))
    }

    /// Reads a sort.
    pub fn sort(&mut self, at: usize) -> Result<ScriptSort, ReadError> {
        self.scope.sorts.sort(self.tokens, at)
    }
}
