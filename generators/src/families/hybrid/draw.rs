//! Drawing the constraints of a problem and writing them down.
//!
//! All numbers come from one stream, in the order of the text, so that the text depends on the seed alone.

use std::fmt::Write;

use harness_model::{Char, SmtString};

use super::{Bound, Group, Profile, integer, literal, regex};
use crate::random::Random;

/// Operators above each other in a regular expression, at most.
const REGEX_DEPTH: u32 = 3;

/// A problem that is being drawn.
pub(super) struct Draw<'p> {
    profile: &'p Profile,
    random: Random,
    /// Applications of functions without a definition, to strings and to integers, in the order drawn.
    applications: [Vec<String>; 2],
}

impl<'p> Draw<'p> {
    pub(super) fn new(profile: &'p Profile, random: Random) -> Self {
        Self { profile, random, applications: [Vec::new(), Vec::new()] }
    }

    /// The script: declarations, the bounds of each variable, then one assertion for each constraint.
    pub(super) fn script(mut self) -> String {
        let profile = self.profile;
        let mut out = String::from("(set-logic QF_SLIA)\n");
        for s in 0..profile.string_variables {
            let _ = writeln!(out, "(declare-const s{s} String)");
        }
        for i in 0..profile.int_variables {
            let _ = writeln!(out, "(declare-const i{i} Int)");
        }
        for b in 0..profile.bool_variables {
            let _ = writeln!(out, "(declare-const b{b} Bool)");
        }
        for f in 0..profile.functions {
            let _ = writeln!(out, "(declare-fun f{f} (String) String)\n(declare-fun g{f} (String) Int)");
        }
        for s in 0..profile.string_variables {
            self.bound_string(&mut out, &format!("s{s}"));
        }
        for i in 0..profile.int_variables {
            self.bound_integer(&mut out, &format!("i{i}"));
        }
        for _ in 0..profile.constraints {
            // Without Boolean structure, no Boolean variable is used.
            let constraint =
                if profile.structure == 0 { self.constraint() } else { self.formula(profile.structure) };
            let _ = writeln!(out, "(assert {constraint})");
        }
        let [strings, integers] = std::mem::take(&mut self.applications);
        strings.iter().for_each(|term| self.bound_string(&mut out, term));
        integers.iter().for_each(|term| self.bound_integer(&mut out, term));
        out.push_str("(check-sat)\n");
        out
    }

    /// Asserts how long the value of a term is, and what its characters are.
    fn bound_string(&self, out: &mut String, term: &str) {
        let profile = self.profile;
        let _ = writeln!(out, "(assert (<= 0 (str.len {term}) {}))", profile.max_length);
        match profile.bound {
            Bound::Regex => {
                let class = class(&profile.characters);
                let _ = writeln!(out, "(assert (str.in_re {term} (re.* {class})))");
            }
            Bound::Positions => {
                let text = literal(&profile.characters.clone().into());
                for at in 0..profile.max_length {
                    let _ = writeln!(out, "(assert (str.contains {text} (str.at {term} {at})))");
                }
            }
            Bound::None => {}
        }
    }

    /// Asserts between which numbers the value of a term is.
    fn bound_integer(&self, out: &mut String, term: &str) {
        let most = i64::from(self.profile.max_int);
        let _ = writeln!(out, "(assert (<= {} {term} {most}))", integer(-most));
    }

    fn below(&mut self, limit: u32) -> u32 {
        self.random.below(limit)
    }

    /// A constraint of one of the groups.
    fn constraint(&mut self) -> String {
        match Group::ALL[self.random.weighted(&self.profile.weights)] {
            Group::Strings => self.strings(),
            Group::Memberships => self.membership(),
            Group::Conversions => self.conversion(),
            Group::Arithmetic => self.arithmetic(),
        }
    }

    /// A Boolean term with connectives up to so many above each other.
    fn formula(&mut self, depth: u32) -> String {
        if depth == 0 {
            let booleans = self.profile.bool_variables;
            return if booleans > 0 && self.below(4) == 0 {
                format!("b{}", self.below(booleans))
            } else {
                self.constraint()
            };
        }
        let depth = depth - 1;
        match self.below(12) {
            0 => self.formula(0),
            1 => format!("(not {})", self.formula(depth)),
            2 => format!("(and {} {})", self.formula(depth), self.formula(depth)),
            3 => format!("(or {} {})", self.formula(depth), self.formula(depth)),
            4 => format!("(or {} {} {})", self.formula(depth), self.formula(depth), self.formula(depth)),
            5 => format!("(=> {} {})", self.formula(depth), self.formula(depth)),
            6 => format!("(xor {} {})", self.formula(depth), self.formula(depth)),
            7 => format!("(= {} {})", self.formula(depth), self.formula(depth)),
            8 => format!("(ite {} {} {})", self.formula(depth), self.formula(depth), self.formula(depth)),
            9 => format!("(= {} (ite {} {} {}))", self.word(), self.formula(depth), self.text(), self.text()),
            10 => {
                let (number, condition) = (self.number(), self.formula(depth));
                format!("(<= {number} (ite {condition} {} {}))", self.quantity(), self.index())
            }
            _ => {
                let (shared, a, b) = (self.formula(depth), self.formula(depth), self.formula(depth));
                format!("(let ((l {shared})) (or (and l {a}) (and (not l) {b})))")
            }
        }
    }

    /// A string variable.
    fn word(&mut self) -> String {
        format!("s{}", self.below(self.profile.string_variables))
    }

    /// An integer variable.
    fn number(&mut self) -> String {
        format!("i{}", self.below(self.profile.int_variables))
    }

    /// A constant of one character at least.
    fn constant(&mut self) -> String {
        let length = 1 + self.below(self.profile.max_constant);
        let count = u32::try_from(self.profile.characters.len()).unwrap_or(u32::MAX);
        let text: SmtString =
            (0..length).map(|_| self.profile.characters[self.random.below(count) as usize]).collect();
        literal(&text)
    }

    /// A variable, a constant, two variables in a row, a part of one or what a function makes of one of
    /// these.
    fn text(&mut self) -> String {
        if self.profile.functions > 0 && self.below(4) == 0 {
            return self.application('f');
        }
        match self.below(8) {
            0..=3 => self.word(),
            4 | 5 => self.constant(),
            6 => format!("(str.++ {} {})", self.word(), self.word()),
            _ => format!("(str.substr {} {} {})", self.word(), self.index(), self.index()),
        }
    }

    /// A position: an integer variable or a constant within the length.
    fn index(&mut self) -> String {
        if self.below(2) == 0 { self.number() } else { self.below(self.profile.max_length + 1).to_string() }
    }

    /// A constant of a few digits, rarely the greatest.
    fn amount(&mut self) -> i64 {
        let digits = [10, 100, 1000, self.profile.max_int.saturating_add(1)][self.below(4) as usize];
        let value = i64::from(self.below(digits.min(self.profile.max_int.saturating_add(1))));
        if self.below(4) == 0 { -value } else { value }
    }

    fn signed(&mut self, atom: String) -> String {
        if self.below(3) == 0 { format!("(not {atom})") } else { atom }
    }

    fn strings(&mut self) -> String {
        let kind = self.below(18);
        let s = self.word();
        match kind {
            0 => {
                let atom = format!("(= {s} {})", self.text());
                self.signed(atom)
            }
            1 => format!("(= {s} (str.++ {} {}))", self.text(), self.text()),
            2 => {
                let atom = format!("(str.contains {s} {})", self.text());
                self.signed(atom)
            }
            3 => {
                let atom = format!("(str.prefixof {} {s})", self.text());
                self.signed(atom)
            }
            4 => {
                let atom = format!("(str.suffixof {} {s})", self.text());
                self.signed(atom)
            }
            5 => format!("(= {} (java.substring {s} {} {}))", self.word(), self.index(), self.index()),
            6 => format!("(= {} (str.substr {s} {} {}))", self.word(), self.index(), self.index()),
            7 => format!("(= {} (str.indexof {s} {} {}))", self.number(), self.text(), self.index()),
            8 => format!("(= {} (java.lastIndexOf {s} {}))", self.number(), self.text()),
            9 => format!("(= {} (java.trim {s}))", self.word()),
            10 => format!("(= {} (java.toLowerCase {s}))", self.word()),
            11 => format!("(= {} (java.toUpperCase {s}))", self.word()),
            12 => format!("(= {} (str.replace {s} {} {}))", self.word(), self.text(), self.text()),
            13 => {
                format!("(= {} (str.replace_all {s} {} {}))", self.word(), self.constant(), self.constant())
            }
            14 => {
                let atom = format!("(str.< {s} {})", self.text());
                self.signed(atom)
            }
            15 => format!("(str.<= {} {s})", self.text()),
            16 => format!("(= {} (java.compareTo {s} {}))", self.number(), self.text()),
            _ => format!("(= {} (str.at {s} {}))", self.word(), self.index()),
        }
    }

    fn membership(&mut self) -> String {
        let s = self.word();
        let pattern = regex::draw(&mut self.random, &self.profile.characters, REGEX_DEPTH);
        let atom = format!("(str.in_re {s} {pattern})");
        self.signed(atom)
    }

    fn conversion(&mut self) -> String {
        let kind = self.below(8);
        let (s, i) = (self.word(), self.number());
        match kind {
            0 => format!("(= {i} (str.to_int {s}))"),
            1 => format!("(= {i} (java.parseInt {s}))"),
            2 => format!("(= {s} (str.from_int {i}))"),
            3 => format!("(= {s} (java.valueOf {i}))"),
            4 => format!("(= {i} (java.charAt {s} {}))", self.index()),
            5 => format!("(= {i} (str.to_code {s}))"),
            6 => format!("(= {s} (str.from_code {i}))"),
            _ => format!("(= {i} (str.to_int (str.substr {s} {} {})))", self.index(), self.index()),
        }
    }

    /// A comparison of a sum of two, each an integer or a length with a small factor, with a constant or an
    /// integer.
    fn arithmetic(&mut self) -> String {
        if self.profile.products > 0 && self.below(100) < self.profile.products {
            return self.product();
        }
        let relation = ["=", "<=", "<", ">", ">=", "distinct"][self.below(6) as usize];
        let left = match self.below(5) {
            0 => self.quantity(),
            1 => format!("(mod {} {})", self.number(), 2 + self.below(9)),
            2 => format!("(* {} {})", integer(self.factor()), self.quantity()),
            3 => format!("(- {} {})", self.quantity(), self.quantity()),
            _ => format!("(+ {} (* {} {}))", self.quantity(), integer(self.factor()), self.quantity()),
        };
        let right = if self.below(2) == 0 { self.number() } else { integer(self.amount()) };
        format!("({relation} {left} {right})")
    }

    /// A comparison whose left side is a product, a quotient or a remainder of unknowns.
    fn product(&mut self) -> String {
        let operation = ["*", "*", "div", "mod"][self.below(4) as usize];
        let relation = ["=", "<=", ">", "distinct"][self.below(4) as usize];
        let (left, right) = (self.quantity(), self.quantity());
        let other = if self.below(2) == 0 { self.number() } else { integer(self.amount()) };
        format!("({relation} ({operation} {left} {right}) {other})")
    }

    /// A function without a definition, `f` or `g` with a number, of a text.
    fn application(&mut self, letter: char) -> String {
        let number = self.below(self.profile.functions);
        let term = format!("({letter}{number} {})", self.text());
        let list = &mut self.applications[usize::from(letter == 'g')];
        if !list.contains(&term) {
            list.push(term.clone());
        }
        term
    }

    fn quantity(&mut self) -> String {
        if self.profile.functions > 0 && self.below(4) == 0 {
            return self.application('g');
        }
        if self.below(2) == 0 { self.number() } else { format!("(str.len {})", self.word()) }
    }

    fn factor(&mut self) -> i64 {
        [2, 3, -1, -2, 10][self.below(5) as usize]
    }
}

/// The characters as a regular expression: one range for each row of neighbours.
fn class(characters: &[Char]) -> String {
    let mut ranges: Vec<(Char, Char)> = Vec::new();
    for &c in characters {
        match ranges.last_mut() {
            Some((_, high)) if high.0 + 1 == c.0 => *high = c,
            _ => ranges.push((c, c)),
        }
    }
    let one = |c: Char| literal(&vec![c].into());
    let parts: Vec<String> =
        ranges.iter().map(|&(low, high)| format!("(re.range {} {})", one(low), one(high))).collect();
    match parts.as_slice() {
        [part] => part.clone(),
        several => format!("(re.union {})", several.join(" ")),
    }
}
