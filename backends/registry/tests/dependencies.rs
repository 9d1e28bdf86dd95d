//! The direction of dependencies between our crates, as ARCHITECTURE.md draws it. A backend that could import the
//! judge, or a report that could import a solver, would break a promise that no review catches for ever.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeMap;
use std::process::Command;

/// Who may use whom (normal dependencies; tests and benches are freer). The binary `harness` may use everything
/// except concrete backends, which it reaches through the registry alone.
const ALLOWED: &[(&str, &[&str])] = &[
    ("harness-model", &[]),
    ("harness-regex", &["harness-model"]),
    ("harness-smtlib", &["harness-model"]),
    ("harness-config", &["harness-model"]),
    ("harness-store", &["harness-model"]),
    ("harness-judge", &["harness-model", "harness-regex", "harness-smtlib"]),
    ("harness-stats", &[]),
    ("harness-regress", &["harness-model", "harness-stats"]),
    ("harness-history", &["harness-model", "harness-stats", "harness-store"]),
    ("harness-exec", &["harness-model", "backends-api"]),
    ("backends-api", &["harness-model"]),
    ("backends-input", &["harness-model", "harness-regex", "harness-smtlib", "backends-api"]),
    ("backends-algebra", &["harness-model", "backends-api"]),
    ("backends-automata", &["harness-model", "harness-regex", "backends-api", "backends-algebra"]),
    (
        "backends-sfa",
        &["harness-model", "backends-api", "backends-input", "backends-algebra", "backends-automata"],
    ),
    ("backends-classes", &["harness-model", "backends-api", "backends-input"]),
    ("backends-peers", &["harness-model", "backends-api", "backends-input"]),
    ("backends-graph", &["harness-model", "harness-smtlib", "backends-api", "backends-input"]),
    (
        "backends-graph-automata",
        &["harness-model", "backends-api", "backends-algebra", "backends-automata", "backends-graph"],
    ),
    (
        "backends-hybrid",
        &[
            "harness-model",
            "harness-smtlib",
            "backends-api",
            "backends-input",
            "backends-algebra",
            "backends-graph",
            "backends-graph-automata",
        ],
    ),
    ("backends-bounded", &["harness-model", "harness-smtlib", "backends-api", "backends-input"]),
    (
        "backends-interval",
        &[
            "harness-model",
            "backends-api",
            "backends-algebra",
            "backends-automata",
            "backends-graph",
            "backends-parray",
        ],
    ),
    (
        "backends-z3",
        &[
            "harness-model",
            "harness-smtlib",
            "backends-api",
            "backends-input",
            "backends-algebra",
            "backends-graph",
            "backends-parray",
        ],
    ),
    ("backends-parray", &["harness-model", "backends-api", "backends-graph"]),
    (
        "backends",
        &[
            "harness-model",
            "harness-smtlib",
            "harness-exec",
            "backends-api",
            "backends-algebra",
            "backends-sfa",
            "backends-classes",
            "backends-graph",
            "backends-graph-automata",
            "backends-bounded",
            "backends-interval",
            "backends-hybrid",
            "backends-parray",
            "backends-peers",
            "backends-z3",
        ],
    ),
    ("generators", &["harness-model", "harness-smtlib"]),
    ("corpora", &["harness-model", "harness-regex", "harness-smtlib"]),
    (
        "reports",
        &["harness-model", "harness-smtlib", "harness-store", "harness-stats", "harness-regress", "corpora"],
    ),
    (
        "harness",
        &[
            "harness-model",
            "harness-regex",
            "harness-smtlib",
            "harness-config",
            "harness-exec",
            "harness-judge",
            "harness-store",
            "harness-regress",
            "harness-history",
            "backends",
            "backends-api",
            "corpora",
            "generators",
            "reports",
        ],
    ),
];

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
fn data_flows_one_way() {
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.iter().copied().collect();
    let packages = packages();
    let ours: Vec<&str> = packages.iter().map(|p| p["name"].as_str().unwrap()).collect();
    let mut wrong = Vec::new();
    for package in &packages {
        let name = package["name"].as_str().unwrap();
        let Some(may) = allowed.get(name) else {
            wrong.push(format!("{name} is not in the list of this test"));
            continue;
        };
        for target in dependencies(package) {
            if ours.contains(&target) && !may.contains(&target) {
                wrong.push(format!("{name} uses {target}"));
            }
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
