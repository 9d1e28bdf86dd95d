//! Spellings of the theory functions, old and new. Old ones are read and normalised, never written.

use harness_model::op::Op;

/// Spellings from before SMT-LIB 2.6, with the function that they are now. Arguments are in the same order.
const OLD: &[(&str, Op)] = &[
    ("str.in.re", Op::StrInRe),
    ("str.to.re", Op::StrToRe),
    ("str.to.int", Op::StrToInt),
    ("int.to.str", Op::StrFromInt),
    ("str.from-int", Op::StrFromInt),
    ("str.to-int", Op::StrToInt),
    ("str.in-re", Op::StrInRe),
    ("str.to-re", Op::StrToRe),
    ("str.replaceall", Op::StrReplaceAll),
    ("str.lex<", Op::StrLt),
    ("re.nostr", Op::ReNone),
    ("re.all-char", Op::ReAllChar),
    ("re.complement", Op::ReComp),
    ("re.intersect", Op::ReInter),
    ("re.empty", Op::ReNone),
    ("re.full", Op::ReAll),
    ("Concat", Op::StrConcat),
    ("Length", Op::StrLen),
    ("Contains", Op::StrContains),
    ("Substring", Op::StrSubstr),
    ("Indexof", Op::StrIndexOf),
    ("Replace", Op::StrReplace),
    ("CharAt", Op::StrAt),
    ("RegexIn", Op::StrInRe),
    ("Str2Reg", Op::StrToRe),
    ("RegexConcat", Op::ReConcat),
    ("RegexUnion", Op::ReUnion),
    ("RegexStar", Op::ReStar),
    ("RegexPlus", Op::RePlus),
    ("RegexCharRange", Op::ReRange),
];

/// The spellings whose arguments are in another order: the first argument is the string, the second the prefix or suffix.
const SWAPPED: &[(&str, Op)] = &[("StartsWith", Op::StrPrefixOf), ("EndsWith", Op::StrSuffixOf)];

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

/// The function that `name` spells, if it is one of the theories'. `-` is subtraction; a single argument makes it negation.
pub fn spelled(name: &str) -> Option<Spelling> {
    // Names are few and short: a sorted search is not worth its upkeep next to the reader's own cache.
    let find = |list: &[(&str, Op)]| list.iter().find(|(n, _)| *n == name).map(|&(_, op)| op);
    let current =
        Op::PLAIN.into_iter().find(|op| op.name() == name && !matches!(op, Op::RePower(_)) && *op != Op::Neg);
    if let Some(op) = current {
        return Some(Spelling { op, swapped: false, old: false });
    }
    if let Some(op) = find(OLD) {
        return Some(Spelling { op, swapped: false, old: true });
    }
    find(SWAPPED).map(|op| Spelling { op, swapped: true, old: true })
}

/// Whether a symbol is one that only scripts from before 2.6 use.
pub fn is_old(symbol: &[u8]) -> bool {
    // All of them have a dot, a capital or a hyphen; most symbols of a script do not get past this.
    symbol.len() > 5 && OLD.iter().chain(SWAPPED).any(|(name, _)| name.as_bytes() == symbol)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        assert_eq!(spelled("str.++").unwrap().op, Op::StrConcat);
        assert_eq!(spelled("-").unwrap().op, Op::Sub);
        assert_eq!(spelled("str.in.re"), Some(Spelling { op: Op::StrInRe, swapped: false, old: true }));
        assert_eq!(spelled("StartsWith"), Some(Spelling { op: Op::StrPrefixOf, swapped: true, old: true }));
        assert_eq!(spelled("re.loop").unwrap().op, Op::ReLoop(0, 0));
        assert_eq!(spelled("str.rev"), None);
        assert!(is_old(b"str.in.re") && !is_old(b"str.in_re"));
    }
}
