//! Sorts of scripts: the four of [`Sort`], those of arrays, bit-vectors and floating-point numbers, and names
//! that a script gives with `define-sort` and `declare-sort`.
//!
//! Sorts are hash-consed: equal sorts are the same [`ScriptSort`], whatever they are called. A definition
//! with parameters is a sort with holes, which its use fills. Nothing here recurses over the input.

use std::fmt::Write;

use harness_theory::{Sort, ValueSort};
use rustc_hash::FxHashMap;

use crate::ReadError;
use crate::lex::{Kind, Tokens};

/// A sort of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScriptSort {
    /// One that terms have outside of scripts too.
    Plain(Sort),
    /// Another one: in the problem its elements are integers.
    Foreign(ForeignSort),
}

impl From<Sort> for ScriptSort {
    fn from(sort: Sort) -> Self {
        Self::Plain(sort)
    }
}

/// A sort that only scripts have: a place in [`SortNames`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ForeignSort(u32);

/// What a sort that only scripts have is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Foreign {
    /// A sort that the script declares, applied to sorts.
    Declared(String, Vec<ScriptSort>),
    /// Arrays.
    Array {
        /// What they are read at.
        index: ScriptSort,
        /// What they hold.
        element: ScriptSort,
    },
    /// Bit-vectors of so many bits.
    BitVec(u32),
    /// Floating-point numbers.
    Float {
        /// Bits of the exponent.
        exponent: u32,
        /// Bits of the significand, the hidden one included.
        significand: u32,
    },
    /// The ways to round.
    RoundingMode,
    /// The parameter of this number of the definition that is being read.
    Hole(usize),
}

/// What a name for sorts stands for.
#[derive(Clone, Copy, Debug)]
enum Body {
    /// The sort, whose holes are the arguments.
    Is(ScriptSort),
    /// A sort of the script's own.
    Declared,
}

#[derive(Clone, Copy, Debug)]
struct NamedSort {
    parameters: usize,
    body: Body,
}

/// The names for sorts in scope, and all sorts of a script.
#[derive(Debug, Default)]
pub struct SortNames {
    names: FxHashMap<String, NamedSort>,
    sorts: Vec<Foreign>,
    places: FxHashMap<Foreign, ForeignSort>,
}

/// A sort whose arguments are being read.
struct Open {
    at: usize,
    next: usize,
    arguments: Vec<ScriptSort>,
}

/// Sorts of the standard that have a name alone.
fn built_in(name: &[u8]) -> Option<Sort> {
    match name {
        b"Bool" => Some(Sort::Bool),
        b"Int" => Some(Sort::Int),
        b"String" => Some(Sort::String),
        b"RegLan" => Some(Sort::RegLan),
        _ => None,
    }
}

fn foreign(name: &[u8]) -> Option<Foreign> {
    let float = |exponent, significand| Some(Foreign::Float { exponent, significand });
    match name {
        b"Float16" => float(5, 11),
        b"Float32" => float(8, 24),
        b"Float64" => float(11, 53),
        b"Float128" => float(15, 113),
        b"RoundingMode" => Some(Foreign::RoundingMode),
        _ => None,
    }
}

/// Sorts of other theories.
const REFUSED: [&[u8]; 5] = [b"Real", b"Char", b"Seq", b"Set", b"Bag"];

/// Arrays of arrays, and definitions of definitions, may not make more sorts than this.
const MOST_SORTS: usize = 1 << 16;

impl SortNames {
    /// The sort that stands at `at`.
    pub fn sort(&mut self, tokens: &Tokens<'_>, at: usize) -> Result<ScriptSort, ReadError> {
        self.resolve(tokens, at, &[])
    }

    /// What the sort is.
    pub fn get(&self, sort: ForeignSort) -> &Foreign {
        &self.sorts[sort.0 as usize]
    }

    /// The sort of terms of this sort in the problem.
    pub const fn in_problem(sort: ScriptSort) -> Sort {
        match sort {
            ScriptSort::Plain(sort) => sort,
            ScriptSort::Foreign(_) => Sort::Int,
        }
    }

    /// How values of the sort are written.
    pub fn of_values(&self, sort: ScriptSort) -> ValueSort {
        let place = match sort {
            ScriptSort::Plain(sort) => return ValueSort::Plain(sort),
            ScriptSort::Foreign(place) => place,
        };
        match *self.get(place) {
            Foreign::Declared(..) | Foreign::Hole(_) => ValueSort::Element(self.name(sort)),
            Foreign::Array { .. } => ValueSort::Array(self.name(sort)),
            Foreign::BitVec(bits) => ValueSort::Bits(bits),
            Foreign::Float { exponent, significand } => ValueSort::Float { exponent, significand },
            Foreign::RoundingMode => ValueSort::Rounding,
        }
    }

    /// The sort that `sort` describes.
    pub fn intern(&mut self, sort: Foreign) -> ScriptSort {
        if let Some(&known) = self.places.get(&sort) {
            return ScriptSort::Foreign(known);
        }
        let place = ForeignSort(u32::try_from(self.sorts.len()).unwrap_or(u32::MAX));
        self.sorts.push(sort.clone());
        self.places.insert(sort, place);
        ScriptSort::Foreign(place)
    }

    /// Its name, as a script has it; the inside of a deep one is left out.
    pub fn name(&self, sort: ScriptSort) -> String {
        let mut out = String::new();
        self.write(sort, 8, &mut out);
        out
    }

    /// Recursion ends at `depth` 0.
    fn write(&self, sort: ScriptSort, depth: usize, out: &mut String) {
        let place = match sort {
            ScriptSort::Plain(sort) => return out.push_str(sort.name()),
            ScriptSort::Foreign(place) => place,
        };
        let mut list = |head: &str, arguments: &[ScriptSort]| {
            let _ = write!(out, "({head}");
            for &argument in arguments {
                out.push(' ');
                match depth {
                    0 => out.push('…'),
                    _ => self.write(argument, depth - 1, out),
                }
            }
            out.push(')');
        };
        match self.get(place) {
            Foreign::Declared(name, arguments) if arguments.is_empty() => {
                out.push_str(&crate::print::symbol(name));
            }
            Foreign::Declared(name, arguments) => list(&crate::print::symbol(name), arguments),
            Foreign::Array { index, element } => list("Array", &[*index, *element]),
            Foreign::BitVec(bits) => {
                let _ = write!(out, "(_ BitVec {bits})");
            }
            Foreign::Float { exponent, significand } => {
                let _ = write!(out, "(_ FloatingPoint {exponent} {significand})");
            }
            Foreign::RoundingMode => out.push_str("RoundingMode"),
            Foreign::Hole(number) => {
                let _ = write!(out, "parameter {}", number + 1);
            }
        }
    }

    /// `(define-sort NAME (PARAMETERS) SORT)`; gives the name.
    pub fn define(&mut self, tokens: &Tokens<'_>, arguments: [usize; 3]) -> Result<String, ReadError> {
        let [name_at, list, body_at] = arguments;
        let name = self.new_name(tokens, name_at)?;
        if tokens.kind(list) != Kind::Open {
            return Err(tokens.error(list, "the parameters must stand here, in parentheses"));
        }
        let mut parameters: Vec<&str> = Vec::new();
        for at in tokens.elements(list) {
            if tokens.kind(at) != Kind::Symbol {
                return Err(tokens.error(at, "a parameter of a sort is a name"));
            }
            let parameter = tokens.text(at)?;
            if parameters.contains(&parameter) {
                return Err(tokens.error(at, format!("two parameters are called '{parameter}'")));
            }
            parameters.push(parameter);
        }
        let body = Body::Is(self.resolve(tokens, body_at, &parameters)?);
        self.names.insert(name.clone(), NamedSort { parameters: parameters.len(), body });
        Ok(name)
    }

    /// `(declare-sort NAME N)`; gives the name.
    pub fn declare(
        &mut self,
        tokens: &Tokens<'_>,
        name_at: usize,
        parameters: u32,
    ) -> Result<String, ReadError> {
        let name = self.new_name(tokens, name_at)?;
        let parameters = usize::try_from(parameters).unwrap_or(usize::MAX);
        self.names.insert(name.clone(), NamedSort { parameters, body: Body::Declared });
        Ok(name)
    }

    /// Forgets a name, at the end of its level.
    pub fn forget(&mut self, name: &str) {
        self.names.remove(name);
    }

    fn new_name(&self, tokens: &Tokens<'_>, at: usize) -> Result<String, ReadError> {
        if tokens.kind(at) != Kind::Symbol {
            return Err(tokens.error(at, "a name must stand here"));
        }
        let name = tokens.text(at)?;
        let bytes = name.as_bytes();
        let theory = built_in(bytes).is_some() || foreign(bytes).is_some() || REFUSED.contains(&bytes);
        if theory || ["Array", "BitVec", "FloatingPoint"].contains(&name) {
            return Err(tokens.error(at, format!("'{name}' is a sort of the theory and may not be declared")));
        }
        if self.names.contains_key(name) {
            return Err(tokens.error(at, format!("the sort '{name}' is declared already")));
        }
        Ok(name.to_owned())
    }

    /// The sort at `at`, where `parameters` are names for arguments that are not known. All of its parts must
    /// be sorts, also those that make no difference.
    fn resolve(
        &mut self,
        tokens: &Tokens<'_>,
        at: usize,
        parameters: &[&str],
    ) -> Result<ScriptSort, ReadError> {
        let mut open: Vec<Open> = Vec::new();
        let mut place = at;
        loop {
            let mut done = if tokens.kind(place) == Kind::Open && !is_leaf(tokens, place) {
                let head = place + 1;
                if tokens.kind(head) != Kind::Symbol {
                    return Err(tokens.error(place, "a sort must stand here"));
                }
                open.push(Open { at: place, next: tokens.after(head), arguments: Vec::new() });
                None
            } else {
                Some(self.leaf(tokens, place, parameters)?)
            };
            // Sorts that are complete now are arguments of those around them.
            loop {
                let Some(top) = open.last_mut() else {
                    return done.ok_or_else(|| tokens.error(at, "a sort must stand here"));
                };
                top.arguments.extend(done.take());
                if tokens.kind(top.next) != Kind::Close {
                    place = top.next;
                    top.next = tokens.after(place);
                    break;
                }
                let (at, arguments) = (top.at, std::mem::take(&mut top.arguments));
                open.pop();
                done = Some(self.apply(tokens, at, &arguments)?);
            }
        }
    }

    /// The sort `(NAME ARGUMENTS)` at `at`.
    fn apply(
        &mut self,
        tokens: &Tokens<'_>,
        at: usize,
        arguments: &[ScriptSort],
    ) -> Result<ScriptSort, ReadError> {
        let head = at + 1;
        let name = tokens.text(head)?;
        let wanted = |wanted: usize| {
            let found = arguments.len();
            if found == wanted && found > 0 {
                return Ok(());
            }
            Err(tokens.error(at, format!("the sort '{name}' takes {wanted} arguments, found {found}")))
        };
        if name == "Array" {
            wanted(2)?;
            let [index, element] = [arguments[0], arguments[1]];
            return self.array(tokens, at, index, element);
        }
        let Some(named) = self.names.get(name).copied() else {
            return Err(Self::no_sort(tokens, head));
        };
        wanted(named.parameters)?;
        match named.body {
            Body::Is(body) => self.filled(tokens, at, body, arguments),
            Body::Declared => Ok(self.intern(Foreign::Declared(name.to_owned(), arguments.to_vec()))),
        }
    }

    /// `body` with `arguments` in its holes.
    fn filled(
        &mut self,
        tokens: &Tokens<'_>,
        at: usize,
        body: ScriptSort,
        arguments: &[ScriptSort],
    ) -> Result<ScriptSort, ReadError> {
        let ScriptSort::Foreign(root) = body else { return Ok(body) };
        // Parts have smaller places than what they are parts of.
        let mut needed = vec![root.0];
        let mut inside = vec![false; root.0 as usize + 1];
        while let Some(place) = needed.pop() {
            if std::mem::replace(&mut inside[place as usize], true) {
                continue;
            }
            let mut part = |sort: &ScriptSort| {
                if let ScriptSort::Foreign(place) = sort {
                    needed.push(place.0);
                }
            };
            match &self.sorts[place as usize] {
                Foreign::Declared(_, parts) => parts.iter().for_each(&mut part),
                Foreign::Array { index, element } => [index, element].into_iter().for_each(&mut part),
                Foreign::BitVec(_) | Foreign::Float { .. } | Foreign::RoundingMode | Foreign::Hole(_) => {}
            }
        }
        let mut new: FxHashMap<ForeignSort, ScriptSort> = FxHashMap::default();
        for place in (0..=root.0).filter(|&place| inside[place as usize]) {
            let fill = |sort: &ScriptSort| match sort {
                ScriptSort::Plain(_) => *sort,
                ScriptSort::Foreign(place) => new.get(place).copied().unwrap_or(*sort),
            };
            let sort = match self.sorts[place as usize].clone() {
                Foreign::Hole(number) => arguments
                    .get(number)
                    .copied()
                    .ok_or_else(|| tokens.error(at, "an argument of this sort is missing"))?,
                Foreign::Declared(name, parts) => {
                    let parts = parts.iter().map(fill).collect();
                    self.intern(Foreign::Declared(name, parts))
                }
                Foreign::Array { index, element } => {
                    let (index, element) = (fill(&index), fill(&element));
                    self.array(tokens, at, index, element)?
                }
                other @ (Foreign::BitVec(_) | Foreign::Float { .. } | Foreign::RoundingMode) => {
                    self.intern(other)
                }
            };
            new.insert(ForeignSort(place), sort);
            if self.sorts.len() > MOST_SORTS {
                let message = format!("more than {MOST_SORTS} sorts in one script are not supported");
                return Err(tokens.unsupported(at, message));
            }
        }
        Ok(new[&root])
    }

    /// Arrays of `element`s. Two arrays that differ do so somewhere, and among infinitely many places is
    /// always one that the script does not mention; among finitely many there need not be.
    fn array(
        &mut self,
        tokens: &Tokens<'_>,
        at: usize,
        index: ScriptSort,
        element: ScriptSort,
    ) -> Result<ScriptSort, ReadError> {
        let infinite = match index {
            ScriptSort::Plain(sort) => matches!(sort, Sort::Int | Sort::String),
            ScriptSort::Foreign(place) => match self.get(place) {
                Foreign::Declared(..) | Foreign::Array { .. } | Foreign::Hole(_) => true,
                Foreign::BitVec(_) | Foreign::Float { .. } | Foreign::RoundingMode => false,
            },
        };
        if !infinite || element == ScriptSort::Plain(Sort::RegLan) {
            let (index, element) = (self.name(index), self.name(element));
            let message = format!(
                "arrays from {index} to {element} are not supported: the index must be of a sort with infinitely many \
                 values, the element of none of languages"
            );
            return Err(tokens.unsupported(at, message));
        }
        Ok(self.intern(Foreign::Array { index, element }))
    }

    /// A sort without arguments.
    fn leaf(&mut self, tokens: &Tokens<'_>, at: usize, parameters: &[&str]) -> Result<ScriptSort, ReadError> {
        if tokens.kind(at) == Kind::Open {
            return self.indexed(tokens, at);
        }
        if tokens.kind(at) != Kind::Symbol {
            return Err(tokens.error(at, "a sort must stand here"));
        }
        let name = tokens.bytes(at);
        if let Some(number) = parameters.iter().position(|parameter| parameter.as_bytes() == name) {
            return Ok(self.intern(Foreign::Hole(number)));
        }
        if let Some(sort) = built_in(name) {
            return Ok(sort.into());
        }
        if let Some(sort) = foreign(name) {
            return Ok(self.intern(sort));
        }
        let named = tokens.text(at).ok().and_then(|name| self.names.get(name).copied());
        match named {
            Some(NamedSort { parameters: 0, body: Body::Is(sort) }) => Ok(sort),
            Some(NamedSort { parameters: 0, body: Body::Declared }) => {
                Ok(self.intern(Foreign::Declared(tokens.text(at)?.to_owned(), Vec::new())))
            }
            Some(NamedSort { parameters: wanted, .. }) => {
                let name = String::from_utf8_lossy(name);
                Err(tokens.error(at, format!("the sort '{name}' takes {wanted} arguments, found 0")))
            }
            None => Err(Self::no_sort(tokens, at)),
        }
    }

    fn no_sort(tokens: &Tokens<'_>, at: usize) -> ReadError {
        let (name, shown) = (tokens.bytes(at), String::from_utf8_lossy(tokens.bytes(at)));
        if REFUSED.contains(&name) {
            return tokens.unsupported(at, format!("the sort '{shown}' is not supported"));
        }
        tokens.error(at, format!("'{shown}' is not a sort"))
    }

    /// `(_ BitVec n)`, `(_ FloatingPoint e s)`, or a language as it was written before 2.6.
    fn indexed(&mut self, tokens: &Tokens<'_>, at: usize) -> Result<ScriptSort, ReadError> {
        if tokens.bytes(at + 1) == b"RegEx" {
            return Ok(Sort::RegLan.into());
        }
        let parts: Vec<usize> = tokens.elements(at).skip(1).collect();
        let number = |at: usize| -> Result<u32, ReadError> {
            let text = if tokens.kind(at) == Kind::Numeral { tokens.text(at)? } else { "" };
            let number = text.parse().ok().filter(|n| (1..=MOST_BITS).contains(n));
            let message = format!("a width must stand here, from 1 to {MOST_BITS}");
            number.ok_or_else(|| tokens.unsupported(at, message))
        };
        let sort = match parts.as_slice() {
            [name, bits] if tokens.bytes(*name) == b"BitVec" => Foreign::BitVec(number(*bits)?),
            [name, exponent, significand] if tokens.bytes(*name) == b"FloatingPoint" => {
                let (exponent, significand) = (number(*exponent)?, number(*significand)?);
                if exponent < 2 || significand < 2 {
                    return Err(tokens.error(at, "a floating-point sort has two widths of at least 2"));
                }
                Foreign::Float { exponent, significand }
            }
            _ => return Err(tokens.error(at, "a sort must stand here")),
        };
        Ok(self.intern(sort))
    }
}

/// The widest bit-vector that is read.
pub const MOST_BITS: u32 = 4096;

/// Whether the list at `at` is a sort without arguments: indexed, or `(RegEx String)`, as Z3 wrote languages
/// before 2.6.
fn is_leaf(tokens: &Tokens<'_>, at: usize) -> bool {
    let old_language = tokens.bytes(at + 1) == b"RegEx"
        && tokens.bytes(at + 2) == b"String"
        && tokens.kind(at + 3) == Kind::Close;
    old_language || tokens.bytes(at + 1) == b"_"
}
