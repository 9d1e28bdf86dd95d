//! Which dialect a script is written in.
//!
//! Strings came into SMT-LIB with version 2.6; scripts from before are recognised by their version line or by the names
//! that only they use, and then their literals are read with the escapes of their time.

use crate::lex::{Kind, Tokens};
use crate::names;

/// How string literals are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strings {
    /// `\u{X}` and `\uXXXX`
    Unicode,
    /// The escapes of C.
    CLike,
}

/// The dialect of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// 2.6 and later.
    Current,
    /// Before 2.6: dotted or Z3-str names, escapes of C.
    Old,
}

impl Dialect {
    /// How its literals are read.
    pub const fn strings(self) -> Strings {
        match self {
            Self::Current => Strings::Unicode,
            Self::Old => Strings::CLike,
        }
    }

    /// Recognises the dialect: the version line decides; without one, a name that only old scripts use.
    pub fn of(tokens: &Tokens<'_>) -> Self {
        let mut old_name = false;
        for i in 0..tokens.len() {
            match tokens.kind(i) {
                Kind::Keyword if tokens.bytes(i) == b":smt-lib-version" => {
                    return if tokens.bytes(i + 1) < &b"2.6"[..] { Self::Old } else { Self::Current };
                }
                Kind::Symbol => old_name |= names::is_old(tokens.bytes(i)),
                _ => {}
            }
        }
        if old_name { Self::Old } else { Self::Current }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Dialect {
        Dialect::of(&Tokens::read(text.as_bytes(), false).unwrap())
    }

    #[test]
    fn recognised() {
        assert_eq!(of("(assert (str.in_re x re.all))"), Dialect::Current);
        assert_eq!(of("(assert (str.in.re x re.all))"), Dialect::Old);
        assert_eq!(of("(set-info :smt-lib-version 2.5) (assert true)"), Dialect::Old);
        assert_eq!(of("(set-info :smt-lib-version 2.6) (assert (str.in.re x y))"), Dialect::Current);
    }
}
