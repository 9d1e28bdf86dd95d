//! BenchExec's result files, which `table-generator` reads: one for each strategy and repeat.
//!
//! As SMT solvers have it there, `true` is satisfiable (or nonempty) and `false` is not. The category is what
//! the judge found, which knows more than the expected verdict: a verdict that a checked witness or the
//! corpus confirms is `correct`, one that nothing contradicts and nothing confirms `correct-unconfirmed`.

use std::collections::HashSet;

use harness_model::record::{Record, Termination};
use harness_model::{Status, Verdict};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use reports::results::{self, Measured};
use reports::{Dataset, Row, format};

use crate::ExportError;
use crate::output::Output;
use crate::table::by_run;
use crate::verdict::claimed;

/// What the rows of `table-generator` are compared by, beside the name of the task.
const PROPERTY: &str = "string-constraints";

pub(crate) fn write(dataset: &Dataset, output: &mut Output) -> Result<Vec<String>, ExportError> {
    let mut taken = HashSet::new();
    for ((strategy, repeat), rows) in by_run(dataset) {
        let set =
            if dataset.run.repeats > 1 { format!("{strategy}.{}", repeat + 1) } else { strategy.to_owned() };
        let name = file_name(&dataset.run.name, &set, &mut taken);
        let text = result(dataset, strategy, &set, &rows);
        let text = text
            .map_err(|error| ExportError::Encode { path: name.clone().into(), reason: error.to_string() })?;
        output.write(&name, text)?;
    }
    Ok(Vec::new())
}

/// A name for a file that no other one has, whatever is in the name of a strategy.
fn file_name(run: &str, set: &str, taken: &mut HashSet<String>) -> String {
    let clean = |text: &str| -> String {
        text.chars().map(|c| if c.is_ascii_alphanumeric() || "-_+".contains(c) { c } else { '-' }).collect()
    };
    let stem = format!("{}.{}", clean(run), clean(set));
    let names = std::iter::once(stem.clone()).chain((2..).map(|n| format!("{stem}-{n}")));
    let name = names.into_iter().find(|name| taken.insert(name.clone())).unwrap_or(stem);
    format!("{name}.results.xml")
}

/// What XML 1.0 cannot hold is spelled out, and so are line ends, which an attribute would lose.
fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

type Xml = Writer<Vec<u8>>;

/// An element with attributes and nothing in it.
fn element(xml: &mut Xml, name: &str, attributes: &[(&str, &str)]) -> std::io::Result<()> {
    let attributes: Vec<(&str, String)> =
        attributes.iter().map(|(name, value)| (*name, clean(value))).collect();
    let attributes = attributes.iter().map(|(name, value)| (*name, value.as_str()));
    xml.create_element(name).with_attributes(attributes).write_empty().map(drop)
}

fn column(xml: &mut Xml, title: &str, value: &str) -> std::io::Result<()> {
    element(xml, "column", &[("title", title), ("value", value)])
}

fn result(dataset: &Dataset, strategy: &str, set: &str, rows: &[&Row]) -> std::io::Result<Vec<u8>> {
    let run = &dataset.run;
    let row = dataset.strategy(strategy);
    let options = row.map(|row| {
        let options = row.options.iter().map(|(option, value)| format!("{option}={value}"));
        options.collect::<Vec<_>>().join(" ")
    });
    let generator = format!("harness {}", run.versions.get("harness").map_or("", String::as_str));
    let head = [
        ("benchmarkname", run.name.clone()),
        ("name", set.to_owned()),
        ("tool", strategy.to_owned()),
        ("toolmodule", "harness".to_owned()),
        ("version", row.map(|row| row.version.clone()).unwrap_or_default()),
        ("options", options.unwrap_or_default()),
        ("date", format::utc(run.started_unix_s)),
        ("starttime", format::utc(run.started_unix_s)),
        ("timelimit", seconds(nanos(run.limits.cpu))),
        ("walltimelimit", seconds(nanos(run.limits.wall))),
        ("memlimit", format!("{}B", run.limits.memory)),
        ("cpuCores", "1".to_owned()),
        ("generator", generator),
    ];
    let head: Vec<(&str, String)> = head.into_iter().map(|(name, value)| (name, clean(&value))).collect();
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 1);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    xml.write_event(Event::DocType(BytesText::from_escaped(
        "result PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec result 3.18//EN\" \
         \"https://www.sosy-lab.org/benchexec/result-3.18.dtd\"",
    )))?;
    let root = xml.create_element("result");
    root.with_attributes(head.iter().map(|(name, value)| (*name, value.as_str()))).write_inner_content(
        |xml| {
            xml.create_element("columns").write_inner_content(|xml| {
                for title in ["status", "cputime", "walltime", "memory"] {
                    element(xml, "column", &[("title", title)])?;
                }
                Ok(())
            })?;
            let machine = &run.machine;
            xml.create_element("systeminfo").with_attribute(("hostname", "unknown")).write_inner_content(
                |xml| {
                    element(xml, "os", &[("name", &format!("{}, kernel {}", machine.os, machine.kernel))])?;
                    let cores = machine.cores.to_string();
                    element(
                        xml,
                        "cpu",
                        &[("model", &machine.cpu), ("cores", &cores), ("frequency", "unknown")],
                    )?;
                    element(xml, "ram", &[("size", &format!("{}B", machine.memory_bytes))])?;
                    element(xml, "environment", &[])
                },
            )?;
            for row in rows {
                one(xml, dataset, row)?;
            }
            Ok(())
        },
    )?;
    let mut text = xml.into_inner();
    text.push(b'\n');
    Ok(text)
}

fn one(xml: &mut Xml, dataset: &Dataset, row: &Row) -> std::io::Result<()> {
    let name = clean(row.task());
    let files = format!("[{name}]");
    let mut attributes = vec![("name", name.as_str()), ("files", files.as_str()), ("properties", PROPERTY)];
    if let Some(expected) = row.judgement.expected.and_then(truth) {
        attributes.push(("expectedVerdict", expected));
    }
    xml.create_element("run").with_attributes(attributes).write_inner_content(|xml| {
        column(xml, "status", &status(dataset, row))?;
        column(xml, "category", category(row))?;
        if let Some(usage) = row.record.usage {
            column(xml, "cputime", &seconds(usage.cpu_ns.into()))?;
            column(xml, "walltime", &seconds(usage.wall_ns.into()))?;
            column(xml, "memory", &format!("{}B", usage.peak_rss_bytes))?;
        }
        column(xml, "harness-status", row.status().name())?;
        for (title, value) in results::measured(&row.record) {
            match value {
                Measured::Time(ns) => column(xml, title.trim_end_matches("_s"), &seconds(ns.into()))?,
                Measured::Count(count) => column(xml, &title, &count.to_string())?,
            }
        }
        Ok(())
    })?;
    Ok(())
}

fn nanos(time: std::time::Duration) -> u128 {
    time.as_nanos()
}

fn seconds(ns: u128) -> String {
    format!("{}.{:09}s", ns / 1_000_000_000, ns % 1_000_000_000)
}

/// `true` or `false`, of a verdict that claims one of them.
fn truth(verdict: Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Sat | Verdict::Nonempty => Some("true"),
        Verdict::Unsat | Verdict::Empty => Some("false"),
        Verdict::UnsatWithinBound | Verdict::Unknown => None,
    }
}

fn status(dataset: &Dataset, row: &Row) -> String {
    let claimed = || claimed(dataset, row).and_then(truth).unwrap_or("unknown");
    match row.status() {
        Status::Answered(Verdict::UnsatWithinBound) => "unknown (unsat within bound)".to_owned(),
        Status::Answered(verdict) => truth(verdict).unwrap_or("unknown").to_owned(),
        Status::Timeout => "TIMEOUT".to_owned(),
        Status::Memout => "OUT OF MEMORY".to_owned(),
        Status::Crash => crash(&row.record),
        Status::Error => "ERROR".to_owned(),
        Status::Unsupported => "unknown (unsupported)".to_owned(),
        Status::Wrong => claimed().to_owned(),
        Status::InvalidModel => format!("{} (invalid model)", claimed()),
    }
}

fn crash(record: &Record) -> String {
    match &record.termination {
        Termination::Signal(signal) => format!("KILLED BY SIGNAL {signal}"),
        Termination::Exit(code) => format!("ERROR ({code})"),
        Termination::Answered
        | Termination::Timeout(_)
        | Termination::Memout
        | Termination::Error(_)
        | Termination::Unsupported(_) => "ERROR".to_owned(),
    }
}

fn category(row: &Row) -> &'static str {
    match row.status() {
        // A positive verdict that nothing confirms is unknown, so a witness or the corpus stands behind this
        // one.
        Status::Answered(Verdict::Sat | Verdict::Nonempty) => "correct",
        Status::Answered(verdict @ (Verdict::Unsat | Verdict::Empty)) => {
            if row.judgement.expected == Some(verdict) { "correct" } else { "correct-unconfirmed" }
        }
        Status::Answered(Verdict::UnsatWithinBound | Verdict::Unknown) | Status::Unsupported => "unknown",
        Status::Timeout | Status::Memout | Status::Crash | Status::Error => "error",
        Status::Wrong | Status::InvalidModel => "wrong",
    }
}
