//! Path trees in the spirit of the evaluation of Ghosh, Shafiei, Li and Chiang, *JST: An Automatic Test Generation Tool for
//! Industrial Java Applications with Strings* (ICSE 2013), in `corpora/jst/`: each is the branching tree of one small program, with
//! one answer for each node.

use harness_model::Alphabet;

use crate::scripts::{Collection, scripts};

/// The collections, by name.
pub(crate) const ALL: &[Collection] = &[
    Collection {
        name: "jst/example-a",
        summary: "path trees of an order check, with one to three inputs; and JST's motivating example",
        alphabets: &Alphabet::ALL,
        scripts: scripts!("jst/example-a": "figure-1" "one" "two-1" "two-2" "three"),
        expected: include_str!("../jst/example-a/expected.csv"),
    },
    Collection {
        name: "jst/example-b",
        summary: "path trees of a loan application, with one to three inputs; some paths are infeasible for string and number together",
        alphabets: &Alphabet::ALL,
        scripts: scripts!("jst/example-b": "one" "two-1" "two-2" "three-1" "three-2"),
        expected: include_str!("../jst/example-b/expected.csv"),
    },
    Collection {
        name: "jst/example-c",
        summary: "path trees of prices, taxes and discounts, rounded by BigDecimal.setScale as linear arithmetic",
        alphabets: &Alphabet::ALL,
        scripts: scripts!("jst/example-c": "one" "two-1" "two-2" "three"),
        expected: include_str!("../jst/example-c/expected.csv"),
    },
    Collection {
        name: "jst/example-c/no-models",
        summary: "the same trees, rounded digit by digit through the text of the number",
        alphabets: &Alphabet::ALL,
        scripts: scripts!("jst/example-c/no-models": "one" "two-1" "two-2" "three"),
        expected: include_str!("../jst/example-c/no-models/expected.csv"),
    },
];
