//! Sorts: the four that are built, and names that a script gives with `define-sort` and `declare-sort`.
//!
//! Since none of the four has parameters, a defined sort is one of them or one of its own parameters,
//! whatever its definition looks like; that is decided once, when it is defined. A declared sort is only a
//! name here: what uses it is refused, a script that declares it and does not is taken.
//!
//! Nothing here recurses over the input.

use harness_theory::Sort;
use rustc_hash::FxHashMap;

use crate::ReadError;
use crate::lex::{Kind, Tokens};

/// What a name for sorts stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    /// One of the four, whatever the arguments.
    Is(Sort),
    /// The argument at this place.
    Argument(usize),
    /// A sort of the script's own.
    Declared,
}

#[derive(Clone, Copy, Debug)]
struct NamedSort {
    parameters: usize,
    body: Body,
}

/// The names for sorts in scope.
#[derive(Debug, Default)]
pub struct SortNames {
    names: FxHashMap<String, NamedSort>,
}

/// What the sorts of the standard and of Z3 before 2.6 are called.
fn built_in(name: &[u8]) -> Option<Sort> {
    match name {
        b"Bool" => Some(Sort::Bool),
        b"Int" => Some(Sort::Int),
        b"String" => Some(Sort::String),
        b"RegLan" => Some(Sort::RegLan),
        _ => None,
    }
}

/// Sorts of other theories.
const FOREIGN: [&[u8]; 3] = [b"Real", b"Char", b"RoundingMode"];

const ONLY: &str = "only the sorts Bool, Int, String and RegLan are supported";

impl SortNames {
    /// The sort that stands at `at`.
    pub fn sort(&self, tokens: &Tokens<'_>, at: usize) -> Result<Sort, ReadError> {
        match self.resolve(tokens, at, &[])? {
            Body::Is(sort) => Ok(sort),
            Body::Argument(_) | Body::Declared => Err(tokens.unsupported(at, ONLY)),
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
        let body = self.resolve(tokens, body_at, &parameters)?;
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
        if built_in(name.as_bytes()).is_some() || FOREIGN.contains(&name.as_bytes()) {
            return Err(tokens.error(at, format!("'{name}' is a sort of the theory and may not be declared")));
        }
        if self.names.contains_key(name) {
            return Err(tokens.error(at, format!("the sort '{name}' is declared already")));
        }
        Ok(name.to_owned())
    }

    /// What the sort at `at` is, where `parameters` are names for arguments that are not known. All of its
    /// parts must be sorts, also those that make no difference.
    fn resolve(&self, tokens: &Tokens<'_>, at: usize, parameters: &[&str]) -> Result<Body, ReadError> {
        let mut parts = vec![at];
        while let Some(part) = parts.pop() {
            if self.head(tokens, part, parameters)?.is_some() {
                parts.extend(tokens.elements(part).skip(1));
            }
        }
        // Only the argument that a name stands for matters, and so on inward.
        let mut place = at;
        loop {
            let named = match self.head(tokens, place, parameters)? {
                Some(named) => named,
                None => return self.leaf(tokens, place, parameters),
            };
            match named.body {
                Body::Argument(number) => {
                    let argument = tokens.elements(place).nth(number + 1);
                    place = argument.ok_or_else(|| tokens.error(place, "an argument is missing"))?;
                }
                Body::Is(_) | Body::Declared => return Ok(named.body),
            }
        }
    }

    /// The name that is applied at `at`, with the right number of arguments; `None` for a sort without
    /// arguments.
    fn head(
        &self,
        tokens: &Tokens<'_>,
        at: usize,
        parameters: &[&str],
    ) -> Result<Option<NamedSort>, ReadError> {
        if tokens.kind(at) != Kind::Open || is_old_language(tokens, at) {
            return self.leaf(tokens, at, parameters).map(|_| None);
        }
        let head = at + 1;
        let Some(named) = (tokens.kind(head) == Kind::Symbol).then(|| self.named(tokens, head)).flatten()
        else {
            return Err(tokens.unsupported(at, ONLY));
        };
        let found = tokens.elements(at).skip(1).count();
        if found == 0 || found != named.parameters {
            let (name, wanted) = (tokens.text(head)?, named.parameters);
            return Err(
                tokens.error(at, format!("the sort '{name}' takes {wanted} arguments, found {found}"))
            );
        }
        Ok(Some(named))
    }

    fn named(&self, tokens: &Tokens<'_>, at: usize) -> Option<NamedSort> {
        self.names.get(tokens.text(at).ok()?).copied()
    }

    /// A sort without arguments.
    fn leaf(&self, tokens: &Tokens<'_>, at: usize, parameters: &[&str]) -> Result<Body, ReadError> {
        if is_old_language(tokens, at) {
            return Ok(Body::Is(Sort::RegLan));
        }
        if tokens.kind(at) != Kind::Symbol {
            return Err(tokens.error(at, "a sort must stand here"));
        }
        let name = tokens.bytes(at);
        if let Some(number) = parameters.iter().position(|parameter| parameter.as_bytes() == name) {
            return Ok(Body::Argument(number));
        }
        if let Some(sort) = built_in(name) {
            return Ok(Body::Is(sort));
        }
        match self.named(tokens, at) {
            Some(NamedSort { parameters: 0, body }) => Ok(body),
            Some(NamedSort { parameters: wanted, .. }) => {
                let name = String::from_utf8_lossy(name);
                Err(tokens.error(at, format!("the sort '{name}' takes {wanted} arguments, found 0")))
            }
            None if FOREIGN.contains(&name) => Err(tokens.unsupported(at, ONLY)),
            None => Err(tokens.error(at, format!("'{}' is not a sort", String::from_utf8_lossy(name)))),
        }
    }
}

/// `(RegEx String)`, as Z3 wrote it before 2.6.
fn is_old_language(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.kind(at) == Kind::Open
        && tokens.bytes(at + 1) == b"RegEx"
        && tokens.bytes(at + 2) == b"String"
        && tokens.kind(at + 3) == Kind::Close
}
