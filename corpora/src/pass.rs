//! Conditions in the spirit of the evaluation of Li and Ghosh, *PASS: String Solving with Parameterized Array and Interval
//! Automaton* (HVC 2013), in `corpora/pass/`: those of its table 1, and a stress set of our own in the two groups of its
//! figure 4. `pass/easychair` and `pass/last-index-of` are paths of [`crate::programs`].

use harness_model::Alphabet;

use crate::scripts::{Collection, scripts};

/// The collections, by name.
pub(crate) const ALL: &[Collection] = &[
    Collection {
        name: "pass/easychair",
        summary: "the nine paths of the EasyChair query check that throw nothing",
        alphabets: &Alphabet::ALL,
        scripts: scripts!("programs/easychair": "e1" "e2" "e3" "e4" "e5" "e6" "e7" "e8" "e9"),
        expected: include_str!("../programs/easychair/expected.csv"),
    },
    Collection {
        name: "pass/easychair-star",
        summary: "the same paths changed, most of them into tricky unsatisfiable ones",
        alphabets: &Alphabet::ALL,
        scripts: scripts!("pass/easychair-star": "star-1" "star-2" "star-3" "star-4" "star-5" "star-6" "star-7" "star-8" "star-9"),
        expected: include_str!("../pass/easychair-star/expected.csv"),
    },
    Collection {
        name: "pass/last-index-of",
        summary: "six conditions on last places of words with a common beginning of 31 characters",
        alphabets: &Alphabet::ALL,
        scripts: scripts!("programs/last-index-of": "two" "three" "four" "five" "two-same" "after"),
        expected: include_str!("../programs/last-index-of/expected.csv"),
    },
    Collection {
        name: "pass/example-a",
        summary: "the seven paths of PASS's figure 1 (a)",
        alphabets: &Alphabet::ALL,
        scripts: scripts!("pass/example-a": "path-1" "path-2" "path-3" "path-4" "path-5" "path-6" "path-7"),
        expected: include_str!("../pass/example-a/expected.csv"),
    },
    Collection {
        name: "pass/example-b",
        summary: "the six paths of PASS's figure 1 (b)",
        alphabets: &Alphabet::ALL,
        scripts: scripts!("pass/example-b": "path-1" "path-2" "path-3" "path-4" "path-5" "path-6"),
        expected: include_str!("../pass/example-b/expected.csv"),
    },
    Collection {
        name: "pass/stress/set-1",
        summary: "seventy conditions on strings and numbers as programs check them, fifteen with regular expressions",
        alphabets: &Alphabet::ALL,
        scripts: scripts!("pass/stress/set-1": "between-four" "between-three" "blanks-left" "case-left" "case-mixed" "case-none" "checksum" "checksum-odd" "circle" "codes" "codes-case" "compare-three" "date" "date-twin" "digits-carry" "digits-end" "digits-split" "digits-split-zero" "doubled" "fields" "fields-one-comma" "frame" "frame-uneven" "longer-is-not-less" "mail" "mail-second-at" "neighbours" "neighbours-alike" "numeral-blank" "numeral-broken" "numeral-short" "overlap" "overlap-not" "parameter" "parameter-one" "password" "picture" "quotes" "re-address" "re-address-long" "re-amount" "re-amount-tail" "re-blocks" "re-blocks-odd" "re-colour" "re-date" "re-hardware" "re-identifier" "re-phone" "re-phone-wide" "re-turn" "re-words" "re-words-trimmed" "script" "secure" "sign" "sign-missing" "sign-plus" "slashes" "tag-end" "tags-left" "traversal" "trim-end" "trim-grows" "trim-nothing" "url-port" "url-port-wide" "version" "version-next" "zeros"),
        expected: include_str!("../pass/stress/set-1/expected.csv"),
    },
    Collection {
        name: "pass/stress/set-2",
        summary: "thirty conditions on unknown words: doubled, exchanged, inside or not inside each other, before and after",
        alphabets: &Alphabet::ALL,
        scripts: scripts!("pass/stress/set-2": "border" "border-one" "cube" "exchange" "exchange-coprime" "exchange-powers" "first-place" "inside-each-other" "inside-inside" "inside-square" "last-before-first" "length-in-front" "mirror" "next-place" "next-place-not" "only-place" "order-between" "order-cone" "order-of-sums" "outside-letters" "outside-parts" "outside-parts-one" "outside-turned" "square" "square-apart" "square-long" "square-odd" "taken-out" "turned" "turned-by-one"),
        expected: include_str!("../pass/stress/set-2/expected.csv"),
    },
];
