//! Which dialect a script is written in.
//!
//! Strings came into SMT-LIB with version 2.6; scripts from before are recognised by their version line or by
//! the names that only they use, and then their literals are read with the escapes of their time.

use harness_theory::ScriptDialect;

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

/// How the literals of a script are read.
pub const fn strings(dialect: ScriptDialect) -> Strings {
    match dialect {
        ScriptDialect::Current => Strings::Unicode,
        ScriptDialect::Old => Strings::CLike,
    }
}

/// Recognises the dialect: the version line decides; without one, a name that only old scripts use.
pub fn of(tokens: &Tokens<'_>) -> ScriptDialect {
    let mut old_name = false;
    for i in 0..tokens.len() {
        match tokens.kind(i) {
            Kind::Keyword if tokens.bytes(i) == b":smt-lib-version" => {
                return if tokens.bytes(i + 1) < &b"2.6"[..] {
                    ScriptDialect::Old
                } else {
                    ScriptDialect::Current
                };
            }
            Kind::Symbol => old_name |= names::is_old(tokens.bytes(i)),
            _ => {}
        }
    }
    if old_name { ScriptDialect::Old } else { ScriptDialect::Current }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> ScriptDialect {
        super::of(&Tokens::read(text.as_bytes(), false).unwrap())
    }

    #[test]
    fn recognised() {
        assert_eq!(of("(assert (str.in_re x re.all))"), ScriptDialect::Current);
        assert_eq!(of("(assert (str.in.re x re.all))"), ScriptDialect::Old);
        assert_eq!(of("(set-info :smt-lib-version 2.5) (assert true)"), ScriptDialect::Old);
        assert_eq!(of("(set-info :smt-lib-version 2.6) (assert (str.in.re x y))"), ScriptDialect::Current);
    }
}
