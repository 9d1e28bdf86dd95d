//! The corpus `smtlib/cases`: small scripts, each with a trap that some solver fell into.
//!
//! The files are those of the tests of `harness-smtlib`; there is one copy. Those that must be refused, in whole or
//! at choice, are no tasks: a refusal has no verdict, and that the reader refuses them is tested where they are.

use harness_model::Alphabet;

use crate::scripts::{Collection, scripts};

/// The collection. Its answers are those of the standard's alphabet.
pub(crate) const CASES: Collection = Collection {
    name: "smtlib/cases",
    summary: "small scripts with a known trap each, over the whole theory of strings; answers are known in unicode",
    alphabets: &[Alphabet::Unicode],
    scripts: scripts!("../harness/smtlib/tests/cases": "001-substr-edge-facts" "003-at-past-end-in-regex" "004-indexof-empty-needle-beyond" "006-replace-empty-pattern-prepends" "007-replace-fixpoint" "008-replace-all-empty-pattern" "010-replace-re-leftmost-then-shortest" "011-replace-re-nullable" "013-to-int-edge-facts" "014-from-int-no-leading-zero" "016-code-points-edge-facts" "017-is-digit-ascii-only" "018-range-bad-bounds" "019-range-symbolic-bound" "021-loop-lower-above-upper" "022-loop-upper-zero" "025-comp-of-empty-word" "027-regex-equality" "028-order-is-total" "029-order-prefix-and-gap" "030-order-chainable" "032-order-by-code-point" "034-prefix-with-three-longer" "035-big-number-text" "036-indices-do-not-wrap" "040-substr-of-itself-after-indexof" "041-assuming-length-zero" "042-word-equation-self-overlap" "044-doubled-word-in-regex" "045-regex-xor" "047-two-prefixes-short-sum" "048-count-dashes-is-never-negative" "051-replace-absent-pattern" "053-commuting-powers" "054-symbolic-to-re-concat" "056-lookahead-by-intersection" "060-backslash-x-is-literal" "064-char-constant-leading-zeros" "066-doubled-quotes" "067-comment-and-bar-signs-in-odd-places" "068-crlf-file" "071-latin1-byte-in-comment" "072-let-is-parallel" "074-define-fun-no-capture" "075-deep-nesting" "076-long-literal" "077-wrong-status-line" "079-print-success-on" "082-no-logic-line" "084-regex-named-by-define-fun" "085-pop-undoes-declarations" "087-named-term-used-as-atom" "088-reset-forgets-everything" "089-value-must-be-a-literal" "092-regex-variable" "093-unused-variable-in-model" "095-fixed-length-256" "097-big-power" ),
    expected: include_str!("../../harness/smtlib/tests/cases/expected.csv"),
};
