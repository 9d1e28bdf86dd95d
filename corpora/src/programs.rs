//! Path conditions of programs, in `corpora/programs/`: SMT-LIB scripts with known answers.
//!
//! `programs/wu-ftpd` and `programs/easychair` are conjunctions with operations under `java.`, as a symbolic executor for
//! Java meets them; the same paths in SMT-LIB's functions alone, with disjunctions, are `…/smt`.

use harness_model::Alphabet;

use crate::scripts::{Collection, scripts};

/// The collections, by name.
pub(crate) const ALL: &[Collection] = &[
    Collection {
        name: "programs/wu-ftpd",
        summary: "path conditions of the request handler of WU_FTPD, with and without a cap of 30 printable characters; and all prefixes",
        alphabets: &Alphabet::ALL,
        scripts: scripts!("programs/wu-ftpd": "tree" "tree-cap30" "w1" "w1-cap30" "w2" "w2-cap30" "w3" "w3-cap30" "w4" "w4-cap30" "w5" "w5-cap30" "w6" "w6-cap30" "w7" "w7-cap30" "w8" "w8-cap30"),
        expected: include_str!("../programs/wu-ftpd/expected.csv"),
    },
    Collection {
        name: "programs/wu-ftpd/smt",
        summary: "the same paths of WU_FTPD in functions of SMT-LIB alone",
        alphabets: &Alphabet::ALL,
        scripts: scripts!("programs/wu-ftpd/smt": "w1" "w1-cap30" "w2" "w2-cap30" "w3" "w3-cap30" "w4" "w4-cap30" "w5" "w5-cap30" "w6" "w6-cap30"),
        expected: include_str!("../programs/wu-ftpd/smt/expected.csv"),
    },
    Collection {
        name: "programs/easychair",
        summary: "path conditions of the EasyChair query check, likewise; and paths made unsatisfiable",
        alphabets: &Alphabet::ALL,
        scripts: scripts!("programs/easychair": "e0" "e0-cap30" "e1" "e1-cap30" "e2" "e2-cap30" "e3" "e3-cap30" "e4" "e4-cap30" "e4-later" "e5" "e5-cap30" "e5-slash" "e6" "e6-cap30" "e7" "e7-cap30" "e7-later" "e8" "e8-blank" "e8-cap30" "e9" "e9-cap30" "e9-www" "tree" "tree-cap30"),
        expected: include_str!("../programs/easychair/expected.csv"),
    },
    Collection {
        name: "programs/easychair/smt",
        summary: "the same paths of EasyChair in functions of SMT-LIB alone",
        alphabets: &Alphabet::ALL,
        scripts: scripts!("programs/easychair/smt": "e0" "e0-cap30" "e1" "e1-cap30" "e2" "e2-cap30" "e3" "e3-cap30" "e4" "e4-cap30" "e5" "e5-cap30" "e6" "e6-cap30" "e7" "e7-cap30" "e8" "e8-cap30" "e9" "e9-cap30"),
        expected: include_str!("../programs/easychair/smt/expected.csv"),
    },
    Collection {
        name: "programs/last-index-of",
        summary: "last places of words with a common beginning of 31 characters, satisfiable and not",
        alphabets: &Alphabet::ALL,
        scripts: scripts!("programs/last-index-of": "after" "back" "back-far" "back-near" "five" "five-fit" "five-ordered" "five-short" "four" "four-fit" "four-ordered" "four-short" "three" "three-fit" "three-ordered" "three-short" "twice" "twice-short" "two" "two-apart" "two-close" "two-fit" "two-ordered" "two-same" "two-short"),
        expected: include_str!("../programs/last-index-of/expected.csv"),
    },
    Collection {
        name: "programs/extremes",
        summary: "the two graphs of the string-graph study on which its backends differ most",
        alphabets: &Alphabet::ALL,
        scripts: scripts!("programs/extremes": "figure-4.1" "figure-4.2"),
        expected: include_str!("../programs/extremes/expected.csv"),
    },
];
