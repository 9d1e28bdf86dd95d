//! The direction of dependencies between our crates, as ARCHITECTURE.md draws it. A backend that could import
//! the judge, or a report that could import a solver, would break a promise that no review catches for ever.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// The crates that each crate uses, by the table of ARCHITECTURE.md, where the names are without the prefix
/// of the folder.
fn documented(names: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../ARCHITECTURE.md")).unwrap();
    let full = |short: &str| match short {
        "registry" => "backends".to_owned(),
        _ => [format!("harness-{short}"), format!("backends-{short}"), short.to_owned()]
            .into_iter()
            .find(|name| names.contains(&name.as_str()))
            .unwrap_or_else(|| panic!("ARCHITECTURE.md names a crate '{short}', which does not exist")),
    };
    let table = page.split("\n## The crates\n").nth(1).unwrap().split("\n## ").next().unwrap();
    table
        .lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.strip_prefix("| `")?.trim_end_matches(" |").split(" | ").collect();
            let [name, _folder, _holds, uses] = cells.as_slice() else { panic!("four cells: {line}") };
            let uses = uses.split(", ").filter(|uses| *uses != "nothing of ours").map(full).collect();
            Some((name.trim_end_matches('`').to_owned(), uses))
        })
        .collect()
}

fn packages() -> Vec<serde_json::Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// The names of a package's dependencies that are neither for tests nor for build scripts.
fn dependencies(package: &serde_json::Value) -> Vec<&str> {
    let all = package["dependencies"].as_array().unwrap();
    all.iter().filter(|d| d["kind"].is_null()).map(|d| d["name"].as_str().unwrap()).collect()
}

#[test]
fn crates_use_what_the_table_of_architecture_says() {
    let packages = packages();
    let ours: Vec<&str> = packages.iter().map(|p| p["name"].as_str().unwrap()).collect();
    let documented = documented(&ours);
    let used: BTreeMap<String, BTreeSet<String>> = packages
        .iter()
        .map(|package| {
            let uses = dependencies(package).into_iter().filter(|d| ours.contains(d)).map(str::to_owned);
            (package["name"].as_str().unwrap().to_owned(), uses.collect())
        })
        .collect();
    let mut wrong = Vec::new();
    for name in used.keys().chain(documented.keys()).collect::<BTreeSet<_>>() {
        match (used.get(name), documented.get(name)) {
            (Some(used), Some(documented)) => {
                wrong.extend(
                    used.difference(documented).map(|d| format!("{name} uses {d}, not in the table")),
                );
                wrong.extend(documented.difference(used).map(|d| format!("{name} does not use {d}")));
            }
            (Some(_), None) => wrong.push(format!("{name} is not in the table")),
            _ => wrong.push(format!("{name} is in the table, but no crate")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_one_crate_links_z3() {
    let packages = packages();
    let links: Vec<&str> = packages
        .iter()
        .filter(|p| dependencies(p).iter().any(|d| ["z3", "z3-sys"].contains(d)))
        .map(|p| p["name"].as_str().unwrap())
        .collect();
    assert_eq!(links, ["backends-z3"]);
}

/// What judges the strategies must not be a part of them: an error of both would show nowhere. Brute force is
/// the reference.
#[test]
fn no_strategy_but_brute_force_uses_the_judges_checker() {
    let packages = packages();
    let users: Vec<&str> = packages
        .iter()
        .filter(|p| dependencies(p).contains(&"harness-check"))
        .map(|p| p["name"].as_str().unwrap())
        .filter(|name| name.starts_with("backends"))
        .collect();
    assert_eq!(users, ["backends-bounded"]);
}
