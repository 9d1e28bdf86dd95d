//! All cases of measurements with known right figures, and where each of them is a test.

use std::fs;
use std::path::Path;

/// The folder of a crate that holds `tests/cases/` and the tests of its cases; the cases by number.
const CASES: [(&str, &str, &[u32]); 3] = [
    // Centre, spread, outliers, clusters, ratios, scores.
    ("reports", "measuring.rs", &[150, 151, 153, 154, 161, 162, 165, 167]),
    // What became of a run, and who is right.
    ("harness/judge", "cases.rs", &[159, 164, 168, 170, 171, 173]),
    // What a solver printed.
    ("harness/smtlib", "measuring.rs", &[156, 158]),
];

#[test]
fn each_case_is_a_test_in_one_place() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all: Vec<u32> = Vec::new();
    for (folder, file, numbers) in CASES {
        let tests = root.join(folder).join("tests");
        let source = fs::read_to_string(tests.join(file)).unwrap();
        let names: Vec<String> = fs::read_dir(tests.join("cases"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        for number in numbers {
            let file = names.iter().find(|name| name.starts_with(&format!("{number}-")));
            let file = file.unwrap_or_else(|| panic!("{folder}: there is no case {number}"));
            let yaml = fs::read_to_string(tests.join("cases").join(file)).unwrap();
            assert!(yaml.contains("kind: measurement"), "{file}");
            // By the whole name or by the number.
            assert!(
                source.contains(file) || source.contains(&format!("(\"{number}\")")),
                "{file} is in no test"
            );
        }
        all.extend(numbers.iter().copied());
    }
    assert_eq!(all.len(), 16);
}
