//! Models in the terms of the script, as text: functions as tables, values of sorts that problems do not
//! have.
//!
//! Functions are `ite`s over the arguments that the query mentions; elsewhere a function is what it is for
//! the last of them. SMT-LIB has no value for an array of which only some places are known, so arrays are
//! told in comments.

use std::fmt::Write;

use harness_theory::{Application, Assignment, Query, Value, ValueSort};

use crate::foreign;
use crate::print;

/// The model of a query. `arguments` are the values of the arguments of each of its applications, in order.
pub fn text(query: &Query, assignment: &Assignment, arguments: &[Vec<Value>]) -> String {
    let (problem, origins) = (&query.problem, &query.origins);
    let mut printer = Printer::default();
    let mut body = String::new();
    for &v in problem.variables.iter().take(origins.declared) {
        let variable = &problem.terms.variables()[v.index()];
        let value = assignment.get(&v).cloned().or_else(|| Value::default_of(variable.sort));
        let sort = origins.sorts.iter().find(|(other, _)| *other == v);
        let sort = sort.map_or(ValueSort::Plain(variable.sort), |(_, sort)| sort.clone());
        let Some(value) = value else { continue };
        let (name, value) = (print::symbol(&variable.name), printer.value(&sort, &value));
        let _ = match value {
            Some(value) => writeln!(body, "  (define-fun {name} () {} {value})", sort_name(&sort)),
            None => writeln!(body, "  ; {name} is array {}", printer.array(assignment.get(&v))),
        };
    }
    let result = |application: &Application| {
        let sort = problem.terms.variables()[application.constant.index()].sort;
        assignment.get(&application.constant).cloned().or_else(|| Value::default_of(sort))
    };
    let mut names: Vec<&str> = Vec::new();
    for application in &origins.applications {
        if names.contains(&application.function.as_str()) {
            continue;
        }
        names.push(&application.function);
        let mut rows: Vec<(&[Value], Value)> = Vec::new();
        for (other, values) in origins.applications.iter().zip(arguments) {
            let same = other.function == application.function && other.parameters == application.parameters;
            if let (true, Some(value)) = (same, result(other))
                && rows.iter().all(|(known, _)| *known != values.as_slice())
            {
                rows.push((values, value));
            }
        }
        printer.function(application, &rows, &mut body);
    }
    let mut out = String::from("(\n");
    for (element, sort) in &printer.declared {
        let _ = writeln!(out, "  (declare-fun {element} () {sort})");
    }
    out.push_str(&body);
    out.push_str(")\n");
    out
}

fn sort_name(sort: &ValueSort) -> String {
    match sort {
        ValueSort::Plain(sort) => sort.to_string(),
        ValueSort::Bits(bits) => format!("(_ BitVec {bits})"),
        ValueSort::Float { exponent, significand } => format!("(_ FloatingPoint {exponent} {significand})"),
        ValueSort::Rounding => "RoundingMode".to_owned(),
        ValueSort::Element(name) | ValueSort::Array(name) => name.clone(),
    }
}

/// Names of elements, in the order in which they are written.
#[derive(Default)]
struct Printer {
    /// Elements with their sorts and the integers that stand for them.
    elements: Vec<(String, Value)>,
    /// What the model declares: names of elements, with sorts.
    declared: Vec<(String, String)>,
    /// Integers that stand for arrays.
    arrays: Vec<Value>,
}

impl Printer {
    /// A value of the sort; `None` for an array.
    fn value(&mut self, sort: &ValueSort, value: &Value) -> Option<String> {
        let bits = |bits: u32| match value {
            Value::Int(number) => format!("(_ bv{number} {bits})"),
            Value::Bool(_) | Value::String(_) => print::value(value),
        };
        Some(match sort {
            ValueSort::Plain(_) => print::value(value),
            ValueSort::Bits(width) => bits(*width),
            ValueSort::Float { exponent, significand } => {
                format!("((_ to_fp {exponent} {significand}) {})", bits(exponent + significand))
            }
            ValueSort::Rounding => {
                let number = match value {
                    Value::Int(number) => number.small().and_then(|n| usize::try_from(n).ok()),
                    Value::Bool(_) | Value::String(_) => None,
                };
                foreign::rounding_mode(number.unwrap_or_default()).to_owned()
            }
            ValueSort::Element(name) => self.element(name, value),
            ValueSort::Array(_) => return None,
        })
    }

    fn element(&mut self, sort: &str, value: &Value) -> String {
        let known: Vec<&Value> =
            self.elements.iter().filter(|(other, _)| other == sort).map(|(_, value)| value).collect();
        let number = match known.iter().position(|known| *known == value) {
            Some(number) => return element_name(sort, number),
            None => known.len(),
        };
        self.elements.push((sort.to_owned(), value.clone()));
        let name = element_name(sort, number);
        self.declared.push((name.clone(), sort.to_owned()));
        name
    }

    /// A number for an array: equal ones have the same.
    fn array(&mut self, value: Option<&Value>) -> usize {
        let Some(value) = value else { return 0 };
        match self.arrays.iter().position(|known| known == value) {
            Some(place) => place + 1,
            None => {
                self.arrays.push(value.clone());
                self.arrays.len()
            }
        }
    }

    fn function(&mut self, application: &Application, rows: &[(&[Value], Value)], out: &mut String) {
        let of_arrays = application.parameters.iter().chain([&application.result]);
        if of_arrays.into_iter().any(|sort| matches!(sort, ValueSort::Array(_))) {
            for (arguments, value) in rows {
                let mut shown = Vec::new();
                for (sort, value) in application.parameters.iter().zip(*arguments) {
                    let text = self.value(sort, value);
                    shown.push(text.unwrap_or_else(|| format!("array {}", self.array(Some(value)))));
                }
                let text = self.value(&application.result, value);
                let text = text.unwrap_or_else(|| format!("array {}", self.array(Some(value))));
                let _ = writeln!(out, "  ; ({} {}) is {text}", application.function, shown.join(" "));
            }
            return;
        }
        let name = print::symbol(&application.function);
        let parameters: Vec<String> = application
            .parameters
            .iter()
            .enumerate()
            .map(|(i, sort)| format!("(x!{i} {})", sort_name(sort)))
            .collect();
        let _ =
            write!(out, "  (define-fun {name} ({}) {}", parameters.join(" "), sort_name(&application.result));
        for (row, (arguments, value)) in rows.iter().enumerate() {
            let value = self.value(&application.result, value).unwrap_or_default();
            if row + 1 == rows.len() {
                let _ = write!(out, " {value}");
                break;
            }
            let equal: Vec<String> = application
                .parameters
                .iter()
                .zip(*arguments)
                .enumerate()
                .map(|(i, (sort, value))| {
                    format!("(= x!{i} {})", self.value(sort, value).unwrap_or_default())
                })
                .collect();
            let condition = match equal.as_slice() {
                [one] => one.clone(),
                all => format!("(and {})", all.join(" ")),
            };
            let _ = write!(out, "\n    (ite {condition} {value}");
        }
        out.push_str(&")".repeat(rows.len().max(1)));
        out.push('\n');
    }
}

/// The name of an element of a declared sort.
fn element_name(sort: &str, number: usize) -> String {
    print::symbol(&format!("{}!val!{number}", sort.replace('|', "")))
}
