//! Models in the terms of the script: tables of functions, elements of declared sorts, bit-vectors.
//!
//! The problem of a script has constants where the script has functions, so a solver's model of the script is
//! no model of the problem as it stands. But a script in which each declaration has become the definition
//! that the model gives is ground, and the reader makes a problem of it whose only variables are the elements
//! of declared sorts. That they differ is all that is known of them.
//!
//! Definitions of the model that the script does not ask for, which others may use, stand before the first
//! declaration that is replaced.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use crate::ReadError;
use crate::lex::{Kind, Tokens};
use crate::print;

/// A script whose declarations are definitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ground {
    /// The script, with as many queries.
    pub text: String,
    /// The constants that are elements of declared sorts, all different.
    pub elements: Vec<String>,
}

/// What a model defines.
#[derive(Default)]
struct Definitions {
    /// Each name that has a definition, in the order of the text: its command.
    commands: Vec<(String, String)>,
    /// Elements, with their sorts.
    elements: Vec<(String, String)>,
}

/// The script `text`, in the current dialect, with the definitions of `model` in the place of declarations.
/// `None` if the model defines none of what is declared.
///
/// # Errors
///
/// When one of the two is no text of SMT-LIB.
pub fn substitute(text: &str, model: &str) -> Result<Option<Ground>, ReadError> {
    let definitions = Definitions::read(model)?;
    let places: FxHashMap<&str, usize> =
        definitions.commands.iter().enumerate().map(|(place, (name, _))| (name.as_str(), place)).collect();
    let tokens = Tokens::read(text.as_bytes(), false)?;
    let mut used = vec![false; definitions.commands.len()];
    // Declarations that are replaced, and where the last sort is declared.
    let (mut replaced, mut sorts, mut at) = (Vec::new(), 0, 0);
    while at < tokens.len() {
        let next = tokens.after(at);
        match tokens.bytes(at + 1) {
            b"declare-fun" | b"declare-const" if tokens.kind(at + 2) == Kind::Symbol => {
                if let Some(&place) = places.get(tokens.text(at + 2)?) {
                    used[place] = true;
                    replaced.push((at, place));
                }
            }
            b"declare-sort" | b"define-sort" => sorts = end(&tokens, at),
            _ => {}
        }
        at = next;
    }
    if replaced.is_empty() {
        return Ok(None);
    }
    let mut prelude = String::new();
    for (name, sort) in &definitions.elements {
        let _ = writeln!(prelude, "(declare-const {} {sort})", print::symbol(name));
    }
    for ((_, command), used) in definitions.commands.iter().zip(used) {
        if !used {
            let _ = writeln!(prelude, "{command}");
        }
    }
    let mut out = String::with_capacity(text.len() + prelude.len() + model.len());
    let mut from = 0;
    let mut prelude = Some(prelude);
    for (at, place) in replaced {
        let start = tokens.offset(at);
        if let Some(prelude) = prelude.take_if(|_| start >= sorts) {
            let _ = write!(out, "{}\n{prelude}", &text[from..start]);
            from = start;
        }
        let _ = write!(out, "{}{}", &text[from..start], definitions.commands[place].1);
        from = end(&tokens, at);
    }
    if let Some(prelude) = prelude {
        let (before, after) = (from.max(sorts), text.len());
        let _ = write!(out, "{}\n{prelude}{}", &text[from..before], &text[before..after]);
    } else {
        out.push_str(&text[from..]);
    }
    Ok(Some(Ground { text: out, elements: definitions.elements.into_iter().map(|(name, _)| name).collect() }))
}

/// Where the list at `at` ends.
fn end(tokens: &Tokens<'_>, at: usize) -> usize {
    tokens.offset(tokens.after(at) - 1) + 1
}

impl Definitions {
    fn read(model: &str) -> Result<Self, ReadError> {
        let tokens = Tokens::read(model.as_bytes(), false)?;
        let mut this = Self::default();
        let mut at = 0;
        while at < tokens.len() {
            if tokens.kind(at) == Kind::Open {
                let is_list = tokens.bytes(at + 1) == b"model" || tokens.kind(at + 1) == Kind::Open;
                let commands: Vec<usize> = if is_list { tokens.elements(at).collect() } else { vec![at] };
                for command in commands.into_iter().filter(|&command| tokens.kind(command) == Kind::Open) {
                    this.command(&tokens, model, command)?;
                }
            }
            at = tokens.after(at);
        }
        Ok(this)
    }

    fn command(&mut self, tokens: &Tokens<'_>, model: &str, at: usize) -> Result<(), ReadError> {
        let parts: Vec<usize> = tokens.elements(at).collect();
        let text = |part: usize| &model[tokens.offset(part)..tokens.offset(tokens.after(part) - 1) + 1];
        match (tokens.bytes(at + 1), parts.as_slice()) {
            (b"define-fun", [_, name, _, _, _]) if tokens.kind(*name) == Kind::Symbol => {
                let command = self.without_elements(tokens, model, at)?;
                self.commands.push((tokens.text(*name)?.to_owned(), command));
            }
            (b"declare-fun", [_, name, list, sort])
                if tokens.kind(*name) == Kind::Symbol && tokens.elements(*list).next().is_none() =>
            {
                let sort = if tokens.kind(*sort) == Kind::Open {
                    text(*sort).to_owned()
                } else {
                    print::symbol(tokens.text(*sort)?)
                };
                self.element(tokens.text(*name)?, sort);
            }
            _ => {}
        }
        Ok(())
    }

    fn element(&mut self, name: &str, sort: String) {
        if self.elements.iter().all(|(known, _)| known != name) {
            self.elements.push((name.to_owned(), sort));
        }
    }

    /// The command, with a constant for each `(as @NAME SORT)`, as cvc5 writes elements, and a literal for
    /// each `(seq.unit (_ Char N))`, as Z3 writes a string of one character in a table.
    fn without_elements(&mut self, tokens: &Tokens<'_>, model: &str, at: usize) -> Result<String, ReadError> {
        let (mut out, mut from) = (String::new(), tokens.offset(at));
        let last = tokens.after(at);
        let mut place = at + 1;
        while place < last {
            let is_element = tokens.kind(place) == Kind::Open
                && tokens.bytes(place + 1) == b"as"
                && tokens.kind(place + 2) == Kind::Symbol
                && tokens.bytes(place + 2).starts_with(b"@");
            if is_element {
                let name = format!("element {}", tokens.text(place + 2)?);
                let sort = &model[tokens.offset(place + 3)..tokens.offset(tokens.after(place) - 1)];
                self.element(&name, sort.trim().to_owned());
                let _ = write!(out, "{}|{name}|", &model[from..tokens.offset(place)]);
                from = end(tokens, place);
                place = tokens.after(place);
            } else if let Some(code) = unit(tokens, place) {
                let _ = write!(out, "{}\"\\u{{{code:x}}}\"", &model[from..tokens.offset(place)]);
                from = end(tokens, place);
                place = tokens.after(place);
            } else {
                place += 1;
            }
        }
        out.push_str(&model[from..end(tokens, at)]);
        Ok(out)
    }
}

/// The code of the character in `(seq.unit (_ Char CODE))`.
fn unit(tokens: &Tokens<'_>, at: usize) -> Option<u32> {
    if tokens.kind(at) != Kind::Open
        || tokens.bytes(at + 1) != b"seq.unit"
        || tokens.kind(at + 2) != Kind::Open
    {
        return None;
    }
    let is_character = tokens.bytes(at + 3) == b"_" && tokens.bytes(at + 4).eq_ignore_ascii_case(b"char");
    if !is_character || tokens.kind(at + 5) != Kind::Numeral {
        return None;
    }
    tokens.text(at + 5).ok()?.parse().ok()
}
