//! Languages of written numbers.

use harness_model::{Char, CharSet, Regex, SmtString};

fn digit(low: u8) -> Regex {
    Regex::set(CharSet::range(Char::from(low), Char::from(b'9')))
}

fn zeros() -> Regex {
    Regex::set(CharSet::single(Char::from(b'0'))).star()
}

/// How many digits a number that is not negative has.
pub(crate) fn digits(number: i64) -> u32 {
    number.checked_ilog10().map_or(1, |log| log + 1)
}

/// The digits of the numbers from `low` on, up to `high` where there is an end, without zeros in front; also
/// those of a few numbers outside. None of the ends is negative.
pub(crate) fn canonical(low: i64, high: Option<i64>) -> Regex {
    let most = high.map(digits);
    if high == Some(low) {
        Regex::literal(&SmtString::from(low.to_string().as_str()))
    } else if low == 0 {
        digit(b'0').repeat(1, most)
    } else {
        let more = |n: u32| n.saturating_sub(1);
        Regex::concat([digit(b'1'), digit(b'0').repeat(more(digits(low)), most.map(more))])
    }
}

/// As [`canonical`], with any number of zeros in front.
pub(crate) fn unsigned(low: i64, high: Option<i64>) -> Regex {
    Regex::concat([zeros(), canonical(low, high)])
}

/// As [`unsigned`] for ends of either sign, with the sign where there is one: `-0` writes 0, and so does
/// `+0`.
pub(crate) fn signed(low: Option<i64>, high: Option<i64>) -> Regex {
    let mut parts = Vec::new();
    if high.is_none_or(|high| high >= 0) {
        let plus = Regex::set(CharSet::single(Char::from(b'+'))).repeat(0, Some(1));
        parts.push(Regex::concat([plus, unsigned(low.unwrap_or(0).max(0), high)]));
    }
    if low.is_none_or(|low| low <= 0) {
        let minus = Regex::set(CharSet::single(Char::from(b'-')));
        let least = high.map_or(0, |high| high.saturating_neg().max(0));
        parts.push(Regex::concat([minus, unsigned(least, low.map(i64::saturating_neg))]));
    }
    Regex::union(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness_check::matcher::Matcher;

    fn accepts(regex: &Regex, text: &str) -> bool {
        Matcher::new(SmtString::from(text).chars()).matches(regex)
    }

    #[test]
    fn every_number_between_the_ends_is_in_its_language() {
        let ends: Vec<Option<i64>> = [-1200, -100, -99, -10, -1, 0, 1, 9, 10, 99, 100, 1200]
            .map(Some)
            .into_iter()
            .chain([None])
            .collect();
        for &low in &ends {
            for &high in &ends {
                if matches!((low, high), (Some(low), Some(high)) if low > high) {
                    continue;
                }
                let language = signed(low, high);
                for number in (-130_i64..=130).chain([-1200, -999, 999, 1200]) {
                    let inside =
                        low.is_none_or(|low| low <= number) && high.is_none_or(|high| number <= high);
                    let magnitude = number.abs();
                    let sign = if number < 0 { "-" } else { "" };
                    let mut spellings = vec![format!("{sign}{magnitude}"), format!("{sign}00{magnitude}")];
                    if number >= 0 {
                        spellings.push(format!("+{magnitude}"));
                    }
                    if number == 0 {
                        spellings.push("-0".to_owned());
                    }
                    for text in spellings {
                        let found = accepts(&language, &text);
                        assert!(found || !inside, "{text} between {low:?} and {high:?}");
                        // A single number is exact, and signs are.
                        if low == high && low.is_some() {
                            assert_eq!(found, inside, "{text} is {low:?}");
                        }
                        if high.is_some_and(|high| high < 0) && number > 0 {
                            assert!(!found, "{text} below {high:?}");
                        }
                    }
                }
                assert!(!accepts(&language, "") && !accepts(&language, "-") && !accepts(&language, "1a"));
            }
        }
    }

    #[test]
    fn lengths_follow_the_ends() {
        let language = canonical(100, Some(9999));
        let found: Vec<bool> =
            ["99", "100", "9999", "10000", "0100"].iter().map(|t| accepts(&language, t)).collect();
        assert_eq!(found, [false, true, true, false, false]);
        assert_eq!([digits(0), digits(9), digits(10), digits(i64::MAX)], [1, 1, 2, 19]);
    }
}
