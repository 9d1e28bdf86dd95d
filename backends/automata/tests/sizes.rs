//! The construction gives the published sizes: all thirty numbers of figure 3.7.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use backends_algebra::{BddAlgebra, RangeAlgebra};
use backends_api::{Budget, Stop};
use backends_automata::{construct, eliminate};
use harness_model::{Alphabet, Dialect};

/// The ten expressions of the study, and for each the states, epsilon moves and other moves of figure 3.7.
const STUDY: [(&str, [usize; 3]); 10] = [
    (
        r"\w+((\-|\+|\.)\w+)*@\w+((\-|\.)\w+)*\.\w+((\-|\.)\w+)*((,|;)\s*\w+((\-|\+|\.)\w+)*@\w+((\-|\.)\w+)*\.\w+((\-|\.)\w+)*)*",
        [36, 25, 36],
    ),
    (r"\$?(\d{1,3},?(\d{3},?)*\d{3}(\.\d{0,2})?|\d{1,3}(\.\d{0,2})?|\.(\d{1,2})?)", [30, 15, 24]),
    (r"([A-Z]{2}|[a-z]{2} \d{2} [A-Z]{1,2}|[a-z]{1,2} \d{1,4})?([A-Z]{3}|[a-z]{3} \d{1,4})?", [31, 10, 28]),
    (
        r"([A-Z]|[a-z]|[0-9])(((\.|\-)?([A-Z]|[a-z]|[0-9])+)*)@(([A-Z]|[a-z]|[0-9])+)(((\.|\-)?([A-Z]|[a-z]|[0-9])+)*)\. (([A-Z]|[a-z])([A-Z]|[a-z])+)",
        [17, 11, 15],
    ),
    (r"(\w|\-)+@((\w|\-)+\.)+(\w|\-)+", [11, 4, 11]),
    (r"(\+|\-)?([0-9]*\.?[0-9]+|[0-9]+\.?[0-9]*)((e|E)(\+|\-)?[0-9]+)?", [18, 14, 13]),
    (
        r"((\w|\d|\-|\.)+)@{1}(((\w|\d|\-){1,67})|((\w|\d|\-)+\.(\w|\d|\-){1,67}))\.((([a-z]|[A-Z]|\d){2,4})(\.([a-z]|A|Z|\d){2})?)",
        [4573, 8852, 148],
    ),
    (
        r"((([A-Z]|[a-z]|[0-9])+[ ]+)|(([A-Z]|[a-z]|[0-9])+\-+)|(([A-Z]|[a-z]|[0-9])+\.+)|(([A-Z]|[a-z]|[0-9])+\++))*([A-Z]|[a-z]|[0-9])+@((\w+\-+)|(\w+\.))*\w{1,63}\.([A-Z]|[a-z]){2,6}",
        [104, 99, 96],
    ),
    (
        r"((([A-Z]|[a-z]|[0-9]|\-|\.)+)@(([A-Z]|[a-z]|[0-9]|\-|\.)+)\.(([A-Z]|[a-z]){2,5}){1,25})+(((([A-Z]|[a-z]|[0-9]|\-|\.)+)@(([A-Z]|[a-z]|[0-9]|\-|\.)+)\.(([A-Z]|[a-z]){2,5}){1,25})+)*",
        [2228, 3570, 524],
    ),
    (r"((\w+((\-|\+|\.)\w+)*@\w+((\-|\.)\w+)*\.\w+((\-|\.)\w+)*)\s*[,]{0,1}\s*)+", [42, 32, 40]),
];

#[test]
fn all_thirty_numbers_of_figure_3_7() {
    for alphabet in Alphabet::ALL {
        let sizes: Vec<[usize; 3]> = STUDY
            .iter()
            .map(|(pattern, _)| {
                let regex = harness_regex::parse(pattern, Dialect::DotnetStudy, alphabet).unwrap();
                let sfa = construct(&RangeAlgebra::new(alphabet), &regex, &Budget::unlimited()).unwrap();
                [sfa.states(), sfa.epsilon_moves(), sfa.moves()]
            })
            .collect();
        assert_eq!(sizes, STUDY.map(|(_, sizes)| sizes), "{alphabet}");
    }
}

/// What epsilon elimination leaves does not depend on the representation.
#[test]
fn representations_agree_on_sizes() {
    let alphabet = Alphabet::Utf16;
    let (ranges, bdd) = (RangeAlgebra::new(alphabet), BddAlgebra::new(alphabet));
    let budget = Budget::unlimited();
    for (pattern, _) in STUDY {
        let regex = harness_regex::parse(pattern, Dialect::DotnetStudy, alphabet).unwrap();
        let a = eliminate(&ranges, &construct(&ranges, &regex, &budget).unwrap(), &budget).unwrap();
        let b = eliminate(&bdd, &construct(&bdd, &regex, &budget).unwrap(), &budget).unwrap();
        assert_eq!((a.states(), a.moves()), (b.states(), b.moves()), "{pattern}");
    }
}

fn size_of(pattern: &str) -> Result<[usize; 3], Stop> {
    let alphabet = Alphabet::Ascii;
    let regex = harness_regex::parse(pattern, Dialect::DotnetStudy, alphabet).unwrap();
    let sfa = construct(&RangeAlgebra::new(alphabet), &regex, &Budget::unlimited())?;
    Ok([sfa.states(), sfa.epsilon_moves(), sfa.moves()])
}

#[test]
fn counters_do_not_blow_memory() {
    // 25 copies of a chain of 64 states; the k-th optional copy has k - 1 initial states of its own.
    let [states, _, moves] = size_of(r"(\w{1,63}){1,25}").unwrap();
    assert_eq!(moves, 25 * 63);
    assert!((25 * 64..25 * 64 + 25 * 24 / 2 + 1).contains(&states), "{states}");
    for absurd in
        ["(u{1000}){1000}", "u{2147483647}", "((a|bc){1000}){0,1000}", "((((x{99}){99}){99}){99}){99}"]
    {
        assert!(matches!(size_of(absurd), Err(Stop::Size { .. })), "{absurd}");
    }
}

#[test]
fn deep_terms_do_not_overflow_the_stack() {
    // As deep as patterns can be, with a concatenation, a union and a counter at each level.
    let depth = harness_regex::NESTING_LIMIT;
    let pattern = format!("{}a{}", "(b".repeat(depth), "|c)*d".repeat(depth));
    assert!(size_of(&pattern).unwrap()[0] > depth);
}
