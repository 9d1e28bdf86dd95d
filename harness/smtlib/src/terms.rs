//! Tokens to terms: names resolved, sorts checked, `let` and macros expanded.
//!
//! The reader keeps its own stack of what is open, so nesting costs memory and no machine stack. `let` is
//! parallel: all right-hand sides see the outer scope. A macro's body was read in the scope of its definition
//! and is instantiated by substitution, so that nothing at the place of use can capture its names.

use std::rc::Rc;

use harness_model::{Alphabet, Char, SmtString};
use harness_theory::op::{ArithOp, CoreOp, Op, ReOp, Shape, StrOp};
use harness_theory::sort::Sort;
use harness_theory::term::{Term, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use crate::ReadError;
use crate::dialect::Strings;
use crate::lex::{Kind, Tokens};
use crate::literal;
use crate::names::{self, Spelling};
use crate::sorts::SortNames;

/// A defined function with parameters.
#[derive(Debug)]
pub struct Macro {
    /// The parameters, as variables of their own.
    pub parameters: Vec<VarId>,
    /// The body, over the parameters.
    pub body: TermId,
    /// The terms below the body, arguments first.
    pub cone: Vec<TermId>,
}

/// What a name means in a scope.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// A term: a constant, a definition without parameters, a `let`, a named term.
    Term(TermId),
    /// A defined function.
    Macro(Rc<Macro>),
}

/// Names in scope; inner meanings hide outer ones.
#[derive(Debug, Default)]
pub struct Scope {
    names: FxHashMap<String, Vec<Meaning>>,
    /// Names for sorts, which are apart from all others.
    pub sorts: SortNames,
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
pub type Named = (String, TermId);

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
}

enum Head {
    Op(Spelling),
    /// `re.loop` with its counts as arguments.
    OldLoop,
    Macro(Rc<Macro>),
}

enum Frame<'a> {
    App {
        head: Head,
        /// What `as` says of its result.
        sort: Option<Sort>,
        at: usize,
        next: usize,
        arguments: Vec<TermId>,
    },
    /// Reading right-hand sides; `next` is the next binding.
    Let {
        next: usize,
        end: usize,
        name: &'a str,
        bound: Vec<(&'a str, TermId)>,
        body: usize,
    },
    Body {
        bound: Vec<&'a str>,
    },
    Bang {
        at: usize,
    },
    /// An atom that is read already.
    Done(TermId),
}

impl<'a> TermReader<'_, 'a> {
    /// Reads the term whose first token is at `index`.
    pub fn term(&mut self, index: usize) -> Result<TermId, ReadError> {
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
            if let Frame::Body { bound } = frame {
                bound.iter().for_each(|name| scope.unbind(name));
            }
        }
    }

    /// Begins the term at `at`: its value if it is an atom, else `None` and a frame on the stack.
    fn start(&mut self, at: usize, stack: &mut Vec<Frame<'a>>) -> Result<Option<TermId>, ReadError> {
        let tokens = self.tokens;
        match tokens.kind(at) {
            Kind::Open => self.open(at, stack).map(|()| None),
            Kind::Symbol => self.symbol(at).map(Some),
            Kind::Numeral => {
                let value = tokens.text(at)?.parse::<harness_model::int::Int>();
                let value = value.map_err(|e| tokens.error(at, e.to_string()))?;
                Ok(Some(self.terms.int(value)))
            }
            Kind::String => {
                let value =
                    literal::value(tokens.bytes(at), self.strings).map_err(|e| tokens.error(at, e))?;
                self.string(at, value).map(Some)
            }
            Kind::Decimal => Err(tokens.unsupported(at, "real numbers are not supported")),
            Kind::Hexadecimal | Kind::Binary => Err(tokens.unsupported(at, "bit-vectors are not supported")),
            Kind::Keyword => Err(tokens.error(at, "a keyword may not stand here")),
            Kind::Close => Err(tokens.error(at, "a term must stand here")),
        }
    }

    /// A literal in the alphabet: in `utf16` a character above U+FFFF is its two surrogates, as in Java.
    fn string(&mut self, at: usize, value: SmtString) -> Result<TermId, ReadError> {
        let alphabet = self.alphabet;
        let value = value.in_alphabet(alphabet).map_err(|foreign| {
            let message = format!(
                "the literal has U+{:04X}, which is not in the alphabet {alphabet}; choose a larger one",
                foreign.0
            );
            self.tokens.unsupported(at, message)
        })?;
        Ok(self.terms.string(value))
    }

    fn symbol(&mut self, at: usize) -> Result<TermId, ReadError> {
        let name = self.tokens.text(at)?;
        match self.scope.get(name) {
            Some(Meaning::Term(term)) => return Ok(*term),
            Some(Meaning::Macro(definition)) if definition.parameters.is_empty() => {
                let definition = Rc::clone(definition);
                return self.instantiate(&definition, at, &[]);
            }
            Some(Meaning::Macro(_)) => {
                return Err(self.tokens.error(at, format!("'{name}' takes arguments")));
            }
            None => {}
        }
        match name {
            "true" => return Ok(self.terms.bool(true)),
            "false" => return Ok(self.terms.bool(false)),
            _ => {}
        }
        match names::spelled(name) {
            Some(spelling) => self.apply(spelling, at, Vec::new()),
            None => Err(self.unknown(at, name)),
        }
    }

    fn unknown(&self, at: usize, name: &str) -> ReadError {
        const FOREIGN: &[&str] = &[
            "str.rev",
            "str.to_lower",
            "str.to_upper",
            "str.update",
            "str.indexof_re",
            "str.replace_re_n",
            "forall",
            "exists",
            "lambda",
            "match",
            "select",
            "store",
            "to_real",
            "to_int",
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
                b"!" => {
                    stack.push(Frame::Bang { at });
                    return self.descend(head + 1, stack);
                }
                b"_" => {
                    let value = self.character(at)?;
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
            Kind::Open => return self.indexed(at).map(Head::Op),
            _ => return Err(tokens.error(at, "a function must stand here")),
        }
        let name = tokens.text(at)?;
        match self.scope.get(name) {
            Some(Meaning::Macro(definition)) => return Ok(Head::Macro(Rc::clone(definition))),
            Some(Meaning::Term(_)) => {
                return Err(tokens.error(at, format!("'{name}' is a constant and takes no arguments")));
            }
            None => {}
        }
        let Some(spelling) = names::spelled(name) else { return Err(self.unknown(at, name)) };
        Ok(match spelling.op {
            Op::Re(ReOp::Loop(..)) => Head::OldLoop,
            _ => Head::Op(spelling),
        })
    }

    /// `(as NAME SORT)`: where the name is, and the sort.
    fn qualified(&self, at: usize) -> Result<(usize, Sort), ReadError> {
        let parts: Vec<usize> = self.tokens.elements(at).collect();
        let [_, name, sort] = parts.as_slice() else {
            return Err(self.tokens.error(at, "'as' takes a name and a sort"));
        };
        Ok((*name, self.sort(*sort)?))
    }

    /// `(as NAME SORT)` as a constant.
    fn qualified_constant(&mut self, at: usize) -> Result<TermId, ReadError> {
        let (name, sort) = self.qualified(at)?;
        let term = match self.tokens.kind(name) {
            Kind::Symbol => self.symbol(name)?,
            Kind::Open if self.tokens.bytes(name + 1) == b"_" => self.character(name)?,
            _ => return Err(self.tokens.error(name, "a name must stand here")),
        };
        self.of_sort(at, term, Some(sort))
    }

    /// The term, which is of this sort if one is named.
    fn of_sort(&self, at: usize, term: TermId, wanted: Option<Sort>) -> Result<TermId, ReadError> {
        let found = self.terms.sort(term);
        match wanted {
            Some(wanted) if wanted != found => Err(self
                .tokens
                .error(at, format!("'as' names the sort {wanted}, but the term is of sort {found}"))),
            Some(_) | None => Ok(term),
        }
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
        value: Option<TermId>,
        stack: &mut Vec<Frame<'a>>,
    ) -> Result<Option<TermId>, ReadError> {
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
        }
    }

    fn attributes(&mut self, at: usize, value: Option<TermId>) -> Result<(), ReadError> {
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
                if let Some(term) = value {
                    self.scope.bind(name, Meaning::Term(term));
                    self.named.push((name.to_owned(), term));
                }
            }
        }
        Ok(())
    }

    /// `(_ char #xH)`
    fn character(&mut self, at: usize) -> Result<TermId, ReadError> {
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
                Ok(self.terms.string(SmtString::from(vec![Char(code)])))
            }
            [_, name, ..] if tokens.bytes(*name).starts_with(b"re.") => {
                Err(tokens.error(at, "an indexed operator must be applied: ((_ re.loop 1 3) r)"))
            }
            [_, name, ..] if tokens.bytes(*name).starts_with(b"bv") => {
                Err(tokens.unsupported(at, "bit-vectors are not supported"))
            }
            _ => Err(tokens.error(at, "the only indexed constant is (_ char #x41)")),
        }
    }

    /// `(_ re.loop n m)` or `(_ re.^ n)` as a head.
    fn indexed(&self, at: usize) -> Result<Spelling, ReadError> {
        let tokens = self.tokens;
        let parts: Vec<usize> = tokens.elements(at).collect();
        let index = |i: usize| -> Result<u32, ReadError> {
            if tokens.kind(i) != Kind::Numeral {
                return Err(tokens.error(i, "a numeral must stand here"));
            }
            tokens
                .text(i)?
                .parse()
                .map_err(|_| tokens.unsupported(i, "counts above 4294967295 are not supported"))
        };
        let op = match parts.as_slice() {
            [underscore, name, indices @ ..] if tokens.bytes(*underscore) == b"_" => {
                match (tokens.bytes(*name), indices) {
                    (b"re.^", [n]) => Op::Re(ReOp::Power(index(*n)?)),
                    (b"re.loop", [low, high]) => Op::Re(ReOp::Loop(index(*low)?, index(*high)?)),
                    (b"re.^", _) => return Err(tokens.error(at, "'re.^' has one index")),
                    (b"re.loop", _) => return Err(tokens.error(at, "'re.loop' has two indices")),
                    (b"divisible", _) => return Err(tokens.unsupported(at, "'divisible' is not supported")),
                    (other, _) => {
                        let other = String::from_utf8_lossy(other);
                        return Err(tokens.error(at, format!("'{other}' is not an indexed function")));
                    }
                }
            }
            _ => return Err(tokens.error(at, "a function must stand here")),
        };
        Ok(Spelling { op, swapped: false, old: false })
    }

    fn finish(&mut self, head: Head, at: usize, mut arguments: Vec<TermId>) -> Result<TermId, ReadError> {
        if arguments.is_empty() {
            // No conjunct, no disjunct: not of the standard, but what tools print of empty lists.
            if let Head::Op(Spelling { op: Op::Core(op @ (CoreOp::And | CoreOp::Or)), .. }) = head {
                return Ok(self.terms.bool(op == CoreOp::And));
            }
            return Err(self
                .tokens
                .error(at, "an application needs arguments; a constant stands without parentheses"));
        }
        match head {
            Head::Op(spelling) => self.apply(spelling, at, arguments),
            Head::Macro(definition) => self.instantiate(&definition, at, &arguments),
            Head::OldLoop => {
                let counts: Vec<Option<u32>> = arguments[1..]
                    .iter()
                    .map(|&a| match self.terms.get(a) {
                        Term::Int(i) => i.small().and_then(|v| u32::try_from(v).ok()),
                        Term::Var(_) | Term::Bool(_) | Term::String(_) | Term::App(..) => None,
                    })
                    .collect();
                let (Some(&inner), [Some(low), rest @ ..]) = (arguments.first(), counts.as_slice()) else {
                    return Err(self
                        .tokens
                        .error(at, "'re.loop' takes its two counts as indices: ((_ re.loop 1 3) r)"));
                };
                arguments.truncate(1);
                match rest {
                    [Some(high)] => self.apply_plain(Op::Re(ReOp::Loop(*low, *high)), at, &[inner]),
                    [] => {
                        let least = self.apply_plain(Op::Re(ReOp::Power(*low)), at, &[inner])?;
                        let more = self.apply_plain(Op::Re(ReOp::Star), at, &[inner])?;
                        self.apply_plain(Op::Re(ReOp::Concat), at, &[least, more])
                    }
                    _ => Err(self
                        .tokens
                        .error(at, "'re.loop' takes its two counts as indices: ((_ re.loop 1 3) r)")),
                }
            }
        }
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "every other application is as the standard has it")]
    fn apply(
        &mut self,
        spelling: Spelling,
        at: usize,
        mut arguments: Vec<TermId>,
    ) -> Result<TermId, ReadError> {
        let mut op = spelling.op;
        if spelling.swapped {
            arguments.reverse();
        }
        match (op, arguments.len()) {
            (Op::Arith(ArithOp::Sub), 1) => op = Op::Arith(ArithOp::Neg),
            (Op::Re(ReOp::Range), _) => self.refuse_pairs(at, &arguments)?,
            // Before 2.6 the start could be left out.
            (Op::Str(StrOp::IndexOf), 2) => arguments.push(self.terms.int(0_i64)),
            // One conjunct, one operand: not of the standard, but what many tools print.
            (_, 1)
                if matches!(op.shape(), Shape::Many(_))
                    && op != Op::Core(CoreOp::Implies)
                    && !op.is_java() =>
            {
                let Shape::Many(wanted) = op.shape() else { return Ok(arguments[0]) };
                let found = self.terms.sort(arguments[0]);
                if found == wanted {
                    return Ok(arguments[0]);
                }
                return Err(self.tokens.error(
                    at,
                    format!("argument 1 of '{}' must be of sort {wanted}, not {found}", op.name()),
                ));
            }
            _ => {}
        }
        self.apply_plain(op, at, &arguments)
    }

    /// Refuses a range that ends at a character of two units: by the theory it would be empty.
    fn refuse_pairs(&self, at: usize, bounds: &[TermId]) -> Result<(), ReadError> {
        for &bound in bounds {
            if let Term::String(word) = self.terms.get(bound)
                && let Some(pair) = word.surrogate_pair()
                && self.alphabet == Alphabet::Utf16
            {
                let message = format!(
                    "a range ends at one character, and U+{:04X} is two in the alphabet utf16; choose unicode",
                    pair.0
                );
                return Err(self.tokens.unsupported(at, message));
            }
        }
        Ok(())
    }

    fn apply_plain(&mut self, op: Op, at: usize, arguments: &[TermId]) -> Result<TermId, ReadError> {
        self.terms.app(op, arguments).map_err(|e| self.tokens.error(at, e.to_string()))
    }

    fn instantiate(
        &mut self,
        definition: &Macro,
        at: usize,
        arguments: &[TermId],
    ) -> Result<TermId, ReadError> {
        if definition.parameters.len() != arguments.len() {
            let (wanted, found) = (definition.parameters.len(), arguments.len());
            return Err(self
                .tokens
                .error(at, format!("this function takes {wanted} arguments, not {found}")));
        }
        for (i, (&parameter, &argument)) in definition.parameters.iter().zip(arguments).enumerate() {
            let (wanted, found) = (self.terms.variables()[parameter.index()].sort, self.terms.sort(argument));
            if wanted != found {
                let message = format!("argument {} must be of sort {wanted}, not {found}", i + 1);
                return Err(self.tokens.error(at, message));
            }
        }
        let mut new: FxHashMap<TermId, TermId> = FxHashMap::default();
        for &old in &definition.cone {
            let term = match self.terms.get(old) {
                Term::Var(v) => {
                    definition.parameters.iter().position(|p| p == v).map_or(old, |i| arguments[i])
                }
                Term::App(op, old_arguments) => {
                    let op = *op;
                    let arguments: Vec<TermId> = old_arguments.iter().map(|a| new[a]).collect();
                    self.apply_plain(op, at, &arguments)?
                }
                Term::Bool(_) | Term::Int(_) | Term::String(_) => old,
            };
            new.insert(old, term);
        }
        Ok(new[&definition.body])
    }

    /// Reads a sort.
    pub fn sort(&self, at: usize) -> Result<Sort, ReadError> {
        self.scope.sorts.sort(self.tokens, at)
    }
}
