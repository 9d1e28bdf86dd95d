//! Cases of measurements that are about what a solver prints; each fixture in `cases/` is one test.

#![expect(clippy::unwrap_used, reason = "a test")]

use harness_smtlib::reply;
use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Deserialize)]
struct Case<G, E> {
    given: G,
    expect: E,
}

fn case<G: DeserializeOwned, E: DeserializeOwned>(file: &str) -> Case<G, E> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(file);
    serde_saphyr::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The only answer in an output, or `error`.
fn verdict(output: &str) -> String {
    match reply::read(output.as_bytes()).as_deref() {
        Ok([one]) => one.verdict.map_or("error".to_owned(), |verdict| verdict.to_string()),
        _ => "error".to_owned(),
    }
}

#[test]
fn verdict_with_carriage_return() {
    #[derive(Deserialize)]
    struct Given {
        outputs: Vec<String>,
    }
    #[derive(Deserialize)]
    struct Expect {
        verdicts: Vec<String>,
    }
    let case: Case<Given, Expect> = case("156-verdict-with-carriage-return.yaml");
    let found: Vec<String> = case.given.outputs.iter().map(|output| verdict(output)).collect();
    assert_eq!(found, case.expect.verdicts);
    assert_eq!(found.len(), 6);
}

#[test]
fn unknown_then_model_error() {
    #[derive(Deserialize)]
    struct Given {
        stdout: String,
    }
    #[derive(Deserialize)]
    struct Expect {
        classes: Vec<String>,
    }
    let case: Case<Vec<Given>, Expect> = case("158-unknown-then-model-error.yaml");
    let found: Vec<String> = case.given.iter().map(|given| verdict(&given.stdout)).collect();
    assert_eq!(found, case.expect.classes);
    // Why there is no model is kept.
    for given in &case.given {
        let said = reply::read(given.stdout.as_bytes()).unwrap();
        assert!(said[0].errors[0].contains("model is not available") && said[0].text.is_empty());
    }
}
