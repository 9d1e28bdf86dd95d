//! The theory of Unicode strings.

use super::table::operations;

operations! {
    /// A function of the theory of strings whose result is no language.
    StrOp in Str {
        Concat "str.++" ["Concat"]: Many(String) => Some(String);
        Len "str.len" ["Length"]: Fixed(&[String]) => Some(Int);
        Lt "str.<" ["str.lex<"]: Chain(String) => Some(Bool);
        Le "str.<=": Chain(String) => Some(Bool);
        At "str.at" ["CharAt"]: Fixed(&[String, Int]) => Some(String);
        Substr "str.substr" ["Substring"]: Fixed(&[String, Int, Int]) => Some(String);
        PrefixOf "str.prefixof" [swapped "StartsWith"]: Fixed(&[String, String]) => Some(Bool);
        SuffixOf "str.suffixof" [swapped "EndsWith"]: Fixed(&[String, String]) => Some(Bool);
        Contains "str.contains" ["Contains"]: Fixed(&[String, String]) => Some(Bool);
        IndexOf "str.indexof" ["Indexof"]: Fixed(&[String, String, Int]) => Some(Int);
        Replace "str.replace" ["Replace"]: Fixed(&[String, String, String]) => Some(String);
        ReplaceAll "str.replace_all" ["str.replaceall"]: Fixed(&[String, String, String]) => Some(String);
        ReplaceRe "str.replace_re": Fixed(&[String, RegLan, String]) => Some(String);
        ReplaceReAll "str.replace_re_all": Fixed(&[String, RegLan, String]) => Some(String);
        IsDigit "str.is_digit": Fixed(&[String]) => Some(Bool);
        ToCode "str.to_code": Fixed(&[String]) => Some(Int);
        FromCode "str.from_code": Fixed(&[Int]) => Some(String);
        ToInt "str.to_int" ["str.to.int", "str.to-int"]: Fixed(&[String]) => Some(Int);
        FromInt "str.from_int" ["int.to.str", "str.from-int"]: Fixed(&[Int]) => Some(String);
        InRe "str.in_re" ["str.in.re", "str.in-re", "RegexIn"]: Fixed(&[String, RegLan]) => Some(Bool);
    }
}
