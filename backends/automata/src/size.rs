//! How large the automaton of an expression would become, computed before anything is built.
//!
//! Counters multiply: `(u{1000}){1000}` is a million states, and a counter whose optional copies nest
//! squares. The bound is one from above (states that the construction merges are counted twice), linear in
//! the size of the term, and refuses what would not fit long before memory is used.

use backends_api::Stop;
use harness_model::Regex;

/// The largest automaton that is built from an expression, in states.
pub const MAX_STATES: u64 = 1_000_000;

/// Refuses an expression whose automaton may need more than [`MAX_STATES`] states. Complements and
/// intersections count as the sum of their parts: what determinisation makes of them is left to the budget.
pub fn check(regex: &Regex) -> Result<(), Stop> {
    if bound(regex) > MAX_STATES {
        return Err(Stop::Size { what: "the automaton of an expression", limit: MAX_STATES, unit: "states" });
    }
    Ok(())
}

/// At least as many states as the construction makes. Saturates.
fn bound(regex: &Regex) -> u64 {
    match regex {
        Regex::Empty | Regex::Epsilon => 1,
        Regex::Set(_) => 2,
        Regex::Concat(parts) => sum(parts),
        Regex::Union(parts) | Regex::Inter(parts) => sum(parts).saturating_add(1),
        Regex::Complement(inner) => bound(inner).saturating_add(1),
        Regex::Repeat { inner, min, max } => repeat(inner, u64::from(*min), max.map(u64::from)),
    }
}

fn sum(parts: &[Regex]) -> u64 {
    parts.iter().fold(0, |total, part| total.saturating_add(bound(part)))
}

fn repeat(inner: &Regex, min: u64, max: Option<u64>) -> u64 {
    let copies = max.unwrap_or_else(|| min.saturating_add(1));
    if let Regex::Set(_) = inner {
        return copies.saturating_add(1);
    }
    // Each optional copy may get one state more than the one before it.
    let optional = copies.saturating_sub(min.max(1));
    let nested = optional.saturating_mul(optional.saturating_add(1)) / 2;
    bound(inner).saturating_mul(copies.max(1)).saturating_add(nested).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use harness_model::{Char, CharSet};

    use super::*;

    #[test]
    fn absurd_counts_are_refused() {
        let u = Regex::set(CharSet::single(Char(0x75)));
        let thousand = u.clone().repeat(1000, Some(1000));
        assert!(check(&thousand).is_ok());
        assert!(check(&u.clone().repeat(0, Some(100_000))).is_ok());
        let stop = check(&thousand.repeat(1000, Some(1000))).unwrap_err();
        assert_eq!(stop.to_string(), "the automaton of an expression would need more than 1000000 states");
        assert!(check(&u.clone().repeat(2_147_483_647, None)).is_err());
        assert!(check(&u.repeat(0, Some(u32::MAX)).repeat(u32::MAX, None)).is_err());
    }
}
