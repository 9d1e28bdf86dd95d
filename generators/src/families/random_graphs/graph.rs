//! Graphs as the generator draws them, what they mean, and their text.
//!
//! What a graph means is written down twice, on purpose: as SMT-LIB text, and as plain code on characters,
//! which a test holds against the trusted evaluator's reading of the text.

use std::fmt::Write;

use harness_model::{CharSet, SmtString};

use super::kind::Kind;

/// A string of an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// The variable `s` of this number.
    Var(usize),
    /// A constant.
    Const(SmtString),
}

/// An integer of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// The integer variable at this place of [`Graph::ints`].
    Var(usize),
    /// A constant.
    Const(i64),
}

/// One operation with its strings and integers, each in the order of the method's arguments, results last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The operation.
    pub kind: Kind,
    /// As many as [`Kind::strings`] says.
    pub strings: Vec<Text>,
    /// As many as [`Kind::ints`] has.
    pub ints: Vec<Number>,
}

/// An integer variable: its name and its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntVar {
    /// `i` or `c` and a number.
    pub name: String,
    /// The least value.
    pub low: i64,
    /// The greatest value.
    pub high: i64,
}

/// A condition that the published tester adds beside an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// The integer is within these bounds.
    Within(Number, i64, i64),
    /// The first string is at least as long as the second.
    NoShorter(Text, Text),
}

/// A conjunction of operations on bounded strings and integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// How many string variables there are, `s0`, `s1`, ….
    pub strings: usize,
    /// The integer variables.
    pub ints: Vec<IntVar>,
    /// The least length of a string variable.
    pub min_length: u32,
    /// The greatest length of a string variable.
    pub max_length: u32,
    /// The characters of string variables.
    pub characters: CharSet,
    /// What must hold.
    pub edges: Vec<Edge>,
    /// What must hold besides.
    pub sides: Vec<Side>,
}

fn literal(text: &SmtString) -> String {
    format!("\"{}\"", text.to_string().replace('"', "\"\""))
}

fn int(value: i64) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

impl Graph {
    fn text(&self, text: &Text) -> String {
        match text {
            Text::Var(v) => format!("s{v}"),
            Text::Const(value) => literal(value),
        }
    }

    fn number(&self, number: Number) -> String {
        match number {
            Number::Var(v) => self.ints[v].name.clone(),
            Number::Const(value) => int(value),
        }
    }

    /// The graph as an SMT-LIB script with one `check-sat`; operations that SMT-LIB has not in the same form
    /// stand under `java.`. Declarations, bounds, then one assertion for each edge, in order.
    pub fn script(&self) -> String {
        let mut out = String::from("(set-logic QF_SLIA)\n");
        let ranges = self.characters.ranges().iter().map(|&(low, high)| {
            let end = |c: u32| literal(&vec![harness_model::Char(c)].into());
            format!("(re.range {} {})", end(low), end(high))
        });
        let ranges: Vec<String> = ranges.collect();
        let class = match ranges.as_slice() {
            [one] => one.clone(),
            several => format!("(re.union {})", several.join(" ")),
        };
        for s in 0..self.strings {
            let _ = writeln!(out, "(declare-const s{s} String)");
        }
        for var in &self.ints {
            let _ = writeln!(out, "(declare-const {} Int)", var.name);
        }
        for s in 0..self.strings {
            let (low, high) = (self.min_length, self.max_length);
            let _ = writeln!(out, "(assert (<= {low} (str.len s{s}) {high}))");
            let _ = writeln!(out, "(assert (str.in_re s{s} (re.* {class})))");
        }
        for IntVar { name, low, high } in &self.ints {
            let _ = writeln!(out, "(assert (<= {} {name} {}))", int(*low), int(*high));
        }
        for edge in &self.edges {
            let _ = writeln!(out, "(assert {})", self.edge(edge));
        }
        for side in &self.sides {
            let condition = match side {
                Side::Within(number, low, high) => {
                    format!("(<= {} {} {})", int(*low), self.number(*number), int(*high))
                }
                Side::NoShorter(a, b) => {
                    format!("(>= (str.len {}) (str.len {}))", self.text(a), self.text(b))
                }
            };
            let _ = writeln!(out, "(assert {condition})");
        }
        out.push_str("(check-sat)\n");
        out
    }

    fn edge(&self, edge: &Edge) -> String {
        let s = |i: usize| edge.strings.get(i).map_or_else(String::new, |t| self.text(t));
        let i = |n: usize| edge.ints.get(n).map_or_else(String::new, |&n| self.number(n));
        match edge.kind {
            Kind::CharAt => format!("(= {} (java.charAt {} {}))", i(1), s(0), i(0)),
            Kind::Concat => format!("(= {} (str.++ {} {}))", s(2), s(0), s(1)),
            Kind::Contains => format!("(str.contains {} {})", s(0), s(1)),
            Kind::EndsWith => format!("(str.suffixof {} {})", s(1), s(0)),
            Kind::Equals => format!("(= {} {})", s(0), s(1)),
            Kind::IndexOf => format!("(= {} (str.indexof {} {} 0))", i(0), s(0), s(1)),
            Kind::IndexOfFrom => format!("(= {} (java.indexOf {} {} {}))", i(1), s(0), s(1), i(0)),
            Kind::IndexOfChar => format!("(= {} (java.indexOfChar {} {}))", i(1), s(0), i(0)),
            Kind::IndexOfCharFrom => format!("(= {} (java.indexOfChar {} {} {}))", i(2), s(0), i(0), i(1)),
            Kind::LastIndexOf => format!("(= {} (java.lastIndexOf {} {}))", i(0), s(0), s(1)),
            Kind::LastIndexOfFrom => format!("(= {} (java.lastIndexOf {} {} {}))", i(1), s(0), s(1), i(0)),
            Kind::LastIndexOfChar => format!("(= {} (java.lastIndexOfChar {} {}))", i(1), s(0), i(0)),
            Kind::LastIndexOfCharFrom => {
                format!("(= {} (java.lastIndexOfChar {} {} {}))", i(2), s(0), i(0), i(1))
            }
            Kind::NotContains => format!("(not (str.contains {} {}))", s(0), s(1)),
            Kind::NotEndsWith => format!("(not (str.suffixof {} {}))", s(1), s(0)),
            Kind::NotEquals => format!("(not (= {} {}))", s(0), s(1)),
            Kind::NotStartsWith => format!("(not (str.prefixof {} {}))", s(1), s(0)),
            Kind::ReplaceChar => format!("(= {} (java.replaceChar {} {} {}))", s(1), s(0), i(0), i(1)),
            Kind::StartsWith => format!("(str.prefixof {} {})", s(1), s(0)),
            Kind::Substring => format!("(= {} (java.substring {} {}))", s(1), s(0), i(0)),
            Kind::SubstringTo => format!("(= {} (java.substring {} {} {}))", s(1), s(0), i(0), i(1)),
            Kind::Trim => format!("(= {} (java.trim {}))", s(1), s(0)),
        }
    }
}
