//! Durations and sizes as people write them.
//!
//! A number and a unit, nothing between or around them. A unit is never guessed: `10` is an error. Fractions
//! are exact.
//!
//! No crate reads this language: `humantime` has no fractions, `jiff` takes signs, blanks, sums and names of
//! units, those for sizes take `MB` and compute in floating point. And an error here says what was found and
//! gives an example.

use std::time::Duration;

const TIMES: [(&str, u64); 6] = [
    ("ns", 1),
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

const SIZES: [(&str, u64); 5] =
    [("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40)];

/// Reads a duration: a decimal number followed by `ns`, `us`, `ms`, `s`, `m` or `h`, such as `500ms` or
/// `1.5h`.
///
/// # Errors
///
/// What is wrong and how it should look, as the end of a sentence.
pub fn duration(text: &str) -> Result<Duration, String> {
    scaled(text, &TIMES, "a duration", "10s, 500ms or 2m").map(Duration::from_nanos)
}

/// Reads a size in bytes: a decimal number followed by `B`, `KiB`, `MiB`, `GiB` or `TiB`, such as `512MiB`.
///
/// # Errors
///
/// What is wrong and how it should look, as the end of a sentence.
pub fn size(text: &str) -> Result<u64, String> {
    scaled(text, &SIZES, "a size", "512MiB or 1GiB")
}

/// Writes a duration so that [`duration`] reads it back: in the largest unit in which it is whole.
pub fn show_duration(time: Duration) -> String {
    let nanos = time.as_nanos();
    let (unit, factor) =
        TIMES.into_iter().rev().find(|(_, f)| nanos.is_multiple_of(u128::from(*f))).unwrap_or(("ns", 1));
    if nanos == 0 { "0s".to_owned() } else { format!("{}{unit}", nanos / u128::from(factor)) }
}

/// Writes a size so that [`size`] reads it back: in the largest unit in which it is whole.
pub fn show_size(bytes: u64) -> String {
    let (unit, factor) = SIZES.into_iter().rev().find(|(_, f)| bytes.is_multiple_of(*f)).unwrap_or(("B", 1));
    if bytes == 0 { "0B".to_owned() } else { format!("{}{unit}", bytes / factor) }
}

/// A decimal number times the factor of its unit, exactly, in integers.
fn scaled(text: &str, units: &[(&str, u64)], what: &str, such_as: &str) -> Result<u64, String> {
    let wrong = |why: &str| Err(format!("'{text}' is not {what}: {why}, such as {such_as}"));
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let names = || units.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    if unit.is_empty() {
        return wrong(&format!("it needs a unit ({})", names()));
    }
    let Some(&(_, factor)) = units.iter().find(|(name, _)| *name == unit) else {
        return wrong(&format!("it should be a number and a unit ({})", names()));
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    if whole.is_empty() || fraction.is_empty() || fraction.contains('.') || fraction.len() > 9 {
        return wrong("it should be a number and a unit");
    }
    let digits = |d: &str| d.parse::<u64>().ok();
    let exact = || {
        let whole = digits(whole)?.checked_mul(factor)?;
        let scale = 10_u128.pow(u32::try_from(fraction.len()).ok()?);
        let part = u128::from(digits(fraction)?) * u128::from(factor) / scale;
        whole.checked_add(u64::try_from(part).ok()?)
    };
    exact().map_or_else(|| wrong("it is too large"), Ok)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn readable() {
        for (text, expected) in [
            ("10s", Duration::from_secs(10)),
            ("500ms", Duration::from_millis(500)),
            ("2m", Duration::from_secs(120)),
            ("1.5h", Duration::from_secs(5400)),
            ("0.25s", Duration::from_millis(250)),
            ("7us", Duration::from_micros(7)),
            ("0s", Duration::ZERO),
        ] {
            assert_eq!(duration(text), Ok(expected), "{text}");
        }
        assert_eq!(size("512MiB"), Ok(512 << 20));
        assert_eq!(size("1.5GiB"), Ok(1536 << 20));
    }

    #[test]
    fn unreadable() {
        for text in ["", "10", "s", ".5s", "5.s", "1.2.3s", "-1s", "10 s", "10S", "1e3s", "99999999999h"] {
            assert!(duration(text).is_err(), "{text}");
        }
        assert_eq!(
            duration("10").unwrap_err(),
            "'10' is not a duration: it needs a unit (ns, us, ms, s, m, h), such as 10s, 500ms or 2m"
        );
        assert_eq!(
            size("1GB").unwrap_err(),
            "'1GB' is not a size: it should be a number and a unit (B, KiB, MiB, GiB, TiB), such as 512MiB or 1GiB"
        );
        assert!(size("99999999TiB").unwrap_err().contains("too large"));
    }

    proptest! {
        #[test]
        fn written_and_read_again(nanos: u64, bytes: u64) {
            let time = Duration::from_nanos(nanos);
            prop_assert_eq!(duration(&show_duration(time)), Ok(time));
            prop_assert_eq!(size(&show_size(bytes)), Ok(bytes));
        }

        #[test]
        fn any_text_gives_an_answer(text in ".{0,12}") {
            let _ = (duration(&text), size(&text));
        }
    }
}
