//! Java's operations on strings.

use super::table::operations;

operations! {
    /// An operation of Java.
    JavaOp in Java {
        /// `s.lastIndexOf(t, from)`: the largest position of `t` in `s` that is at most `from`; -1 when there is none.
        LastIndexOf "java.lastIndexOf": Fixed(&[String, String, Int]) => Some(Int);
        /// `s.trim()`: without the characters up to U+0020 at both ends.
        Trim "java.trim": Fixed(&[String]) => Some(String);
        /// `s.toLowerCase()`, on the letters of ASCII.
        ToLowerCase "java.toLowerCase": Fixed(&[String]) => Some(String);
        /// `s.toUpperCase()`, on the letters of ASCII.
        ToUpperCase "java.toUpperCase": Fixed(&[String]) => Some(String);
        /// `s.compareTo(t)`: the difference of the first characters that differ, else of the lengths.
        CompareTo "java.compareTo": Fixed(&[String, String]) => Some(Int);
    }
}
