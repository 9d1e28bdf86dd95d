//! Spellings of the theory functions, old and new. Old ones are read and normalised, never written.

use std::sync::LazyLock;

use harness_theory::op::{ArithOp, Op, ReOp};
use rustc_hash::FxHashMap;

/// How a spelling is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spelling {
    /// The function.
    pub op: Op,
    /// Its two arguments are the other way round.
    pub swapped: bool,
    /// It is not of SMT-LIB 2.6 or later.
    pub old: bool,
}

/// Every spelling.
static SPELLINGS: LazyLock<FxHashMap<&'static [u8], Spelling>> = LazyLock::new(|| {
    // `-` is read as subtraction, and as negation where it has a single argument.
    let read = Op::all().filter(|op| *op != Op::Arith(ArithOp::Neg));
    let mut spellings = FxHashMap::default();
    for op in read {
        spellings.insert(op.name().as_bytes(), Spelling { op, swapped: false, old: false });
        for other in op.other_names() {
            spellings.insert(other.name.as_bytes(), Spelling { op, swapped: other.swapped, old: true });
        }
    }
    spellings
});

/// The function that `name` spells, if it is one of the theories'. `-` is subtraction; a single argument
/// makes it negation. `re.^`, which has an index, is none.
pub fn spelled(name: &str) -> Option<Spelling> {
    SPELLINGS.get(name.as_bytes()).copied().filter(|spelling| !matches!(spelling.op, Op::Re(ReOp::Power(_))))
}

/// The names of Java's operations behind the name space, in order: for messages.
pub fn java() -> String {
    let mut names: Vec<&str> =
        SPELLINGS.keys().filter_map(|name| std::str::from_utf8(name).ok()?.strip_prefix("java.")).collect();
    names.sort_unstable();
    names.join(" ")
}

/// Whether a symbol is one that only scripts from before 2.6 use.
pub fn is_old(symbol: &[u8]) -> bool {
    // All of them are longer than most symbols of a script.
    symbol.len() > 5 && SPELLINGS.get(symbol).is_some_and(|spelling| spelling.old)
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness_theory::op::StrOp;

    #[test]
    fn spellings() {
        assert_eq!(spelled("str.++").unwrap().op, Op::Str(StrOp::Concat));
        assert_eq!(spelled("-").unwrap().op, Op::Arith(ArithOp::Sub));
        let spelling = |op, swapped| Some(Spelling { op: Op::Str(op), swapped, old: true });
        assert_eq!(spelled("str.in.re"), spelling(StrOp::InRe, false));
        assert_eq!(spelled("StartsWith"), spelling(StrOp::PrefixOf, true));
        assert_eq!(spelled("re.loop").unwrap().op, Op::Re(ReOp::Loop(0, 0)));
        assert_eq!(spelled("str.rev"), None);
        assert!(is_old(b"str.in.re") && !is_old(b"str.in_re"));
    }
}
