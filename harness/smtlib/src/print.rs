//! Terms and problems to text: SMT-LIB 2.7 that any solver reads.
//!
//! A term that is used more than once is defined once, by `define-const`-like `define-fun`s in front, so that
//! the text is linear in the number of terms however much they share.

use std::fmt::Write;

use harness_model::int::Int;
use harness_model::{SmtString, Verdict};
use harness_theory::Value;
use harness_theory::op::Op;
use harness_theory::term::{Term, TermId, Terms};

use harness_theory::Problem;

/// A symbol, in bars where it needs them.
pub fn symbol(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let good = !name.is_empty() && name.chars().all(plain) && !name.starts_with(|c: char| c.is_ascii_digit());
    if good { name.to_owned() } else { format!("|{name}|") }
}

/// A string literal.
pub fn string(value: &SmtString) -> String {
    format!("\"{}\"", value.to_string().replace('"', "\"\""))
}

/// An integer; negative ones as `(- n)`.
pub fn int(value: &Int) -> String {
    if value.is_negative() { format!("(- {})", value.neg()) } else { value.to_string() }
}

/// A value.
pub fn value(value: &Value) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => int(i),
        Value::String(s) => string(s),
    }
}

fn head(op: Op) -> String {
    let indices = op.indices();
    if indices.is_empty() {
        return op.name().to_owned();
    }
    let indices: String = indices.iter().map(|index| format!(" {index}")).collect();
    format!("(_ {}{indices})", op.name())
}

/// Terms as text, shared ones by name.
struct Printer<'t> {
    terms: &'t Terms,
    /// Names of terms that are defined already, by place.
    defined: Vec<Option<String>>,
}

impl Printer<'_> {
    /// The text of `root`; without recursion.
    fn text(&self, root: TermId, out: &mut String) {
        enum Todo {
            Term(TermId),
            Close,
        }
        let mut todo = vec![Todo::Term(root)];
        while let Some(next) = todo.pop() {
            let id = match next {
                Todo::Close => {
                    out.push(')');
                    continue;
                }
                Todo::Term(id) => id,
            };
            if !out.is_empty() && !out.ends_with('(') {
                out.push(' ');
            }
            if let (Some(name), true) = (&self.defined[id.index()], id != root) {
                out.push_str(name);
                continue;
            }
            match self.terms.get(id) {
                Term::Var(v) => out.push_str(&symbol(&self.terms.variables()[v.index()].name)),
                Term::Bool(b) => {
                    let _ = write!(out, "{b}");
                }
                Term::Int(i) => out.push_str(&int(i)),
                Term::String(s) => out.push_str(&string(s)),
                Term::App(op, arguments) if arguments.is_empty() => out.push_str(op.name()),
                Term::App(op, arguments) => {
                    out.push('(');
                    out.push_str(&head(*op));
                    todo.push(Todo::Close);
                    todo.extend(arguments.iter().rev().map(|&a| Todo::Term(a)));
                }
            }
        }
    }
}

/// A term as text, sharing spelled out: exponential in the worst case, meant for messages and small terms.
pub fn term(terms: &Terms, id: TermId) -> String {
    let mut out = String::new();
    Printer { terms, defined: vec![None; terms.len()] }.text(id, &mut out);
    out
}

/// A problem as a script with one `check-sat`.
pub fn problem(problem: &Problem, logic: &str, status: Option<Verdict>) -> String {
    let terms = &*problem.terms;
    let mut out = format!("(set-logic {logic})\n");
    if let Some(status) = status {
        let _ = writeln!(out, "(set-info :status {status})");
    }
    for &v in &problem.variables {
        let variable = &terms.variables()[v.index()];
        let _ = writeln!(out, "(declare-const {} {})", symbol(&variable.name), variable.sort);
    }
    let cone = terms.cone(&problem.assertions);
    let mut uses = vec![0u32; terms.len()];
    for &id in &cone {
        for a in terms.arguments(id) {
            uses[a.index()] += 1;
        }
    }
    let taken: std::collections::HashSet<&str> = terms.variables().iter().map(|v| v.name.as_str()).collect();
    let mut printer = Printer { terms, defined: vec![None; terms.len()] };
    let mut number = 0;
    for &id in &cone {
        if uses[id.index()] > 1 && !terms.arguments(id).is_empty() {
            let name = loop {
                number += 1;
                let name = format!("t{number}");
                if !taken.contains(name.as_str()) {
                    break name;
                }
            };
            let mut text = String::new();
            printer.text(id, &mut text);
            let _ = writeln!(out, "(define-fun {name} () {} {text})", terms.sort(id));
            printer.defined[id.index()] = Some(name);
        }
    }
    for &assertion in &problem.assertions {
        let mut text = String::new();
        match &printer.defined[assertion.index()] {
            Some(name) => text.push_str(name),
            None => printer.text(assertion, &mut text),
        }
        let _ = writeln!(out, "(assert {text})");
    }
    out.push_str("(check-sat)\n");
    out
}
