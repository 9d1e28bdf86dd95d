//! Regular languages, of the theory of Unicode strings.

use super::table::operations;

operations! {
    /// A function whose result is a regular language.
    ReOp in Re {
        ToRe "str.to_re" ["str.to.re", "str.to-re", "Str2Reg"]: Fixed(&[String]) => Some(RegLan);
        None "re.none" ["re.nostr", "re.empty"]: Fixed(&[]) => Some(RegLan);
        All "re.all" ["re.full"]: Fixed(&[]) => Some(RegLan);
        AllChar "re.allchar" ["re.all-char"]: Fixed(&[]) => Some(RegLan);
        Concat "re.++" ["RegexConcat"]: Many(RegLan) => Some(RegLan);
        Union "re.union" ["RegexUnion"]: Many(RegLan) => Some(RegLan);
        Inter "re.inter" ["re.intersect"]: Many(RegLan) => Some(RegLan);
        Star "re.*" ["RegexStar"]: Fixed(&[RegLan]) => Some(RegLan);
        Comp "re.comp" ["re.complement"]: Fixed(&[RegLan]) => Some(RegLan);
        Diff "re.diff": Many(RegLan) => Some(RegLan);
        Plus "re.+" ["RegexPlus"]: Fixed(&[RegLan]) => Some(RegLan);
        Opt "re.opt": Fixed(&[RegLan]) => Some(RegLan);
        Range "re.range" ["RegexCharRange"]: Fixed(&[String, String]) => Some(RegLan);
        /// `(_ re.^ n)`
        Power(count) "re.^": Fixed(&[RegLan]) => Some(RegLan);
        /// `(_ re.loop n m)`
        Loop(least, most) "re.loop": Fixed(&[RegLan]) => Some(RegLan);
    }
}
