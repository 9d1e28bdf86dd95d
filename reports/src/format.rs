//! Numbers as people read them. Only what is shown is rounded; tables keep the exact value beside it for CSV.
//!
//! Measured times are written here and not by a library: libraries round to a unit or spell out all digits,
//! while a table wants three significant digits and never a zero for what took time.

use std::time::Duration;

use chrono::DateTime;

/// A time in seconds with its unit and three significant digits: `1.23 µs`, `45.6 ms`, `7.89 s`.
///
/// A time that is not zero never shows as zero: below a thousandth of a nanosecond it shows as `<0.001 ns`.
pub fn duration(seconds: f64) -> String {
    const UNITS: [(f64, &str); 3] = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")];
    if seconds == 0.0 {
        return "0 s".to_owned();
    }
    // 999.5 ms are shown as 1.00 s: the unit is chosen after rounding.
    let (scale, unit) =
        UNITS.into_iter().find(|(scale, _)| seconds.abs() >= 0.9995 * scale).unwrap_or((1e-9, "ns"));
    let value = seconds / scale;
    if value.abs() < 0.001 { format!("<0.001 {unit}") } else { format!("{} {unit}", significant(value)) }
}

/// A time that somebody chose, such as a limit, with all of its digits and no more: `60 s`, `1.5 s`, `20 ms`.
pub fn chosen(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (value, unit) = match seconds {
        s if s >= 1.0 || s == 0.0 => (s, "s"),
        s if s >= 1e-3 => (s * 1e3, "ms"),
        s => (s * 1e6, "µs"),
    };
    // Nanoseconds are the last digits that there are; a product may carry noise beyond them.
    format!("{} {unit}", (value * 1e6).round() / 1e6)
}

/// A number with three significant digits, or all digits before the point where there are more.
pub fn significant(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return "0".to_owned();
    }
    // The number of digits before the point, of the rounded value: 9.996 has two.
    let magnitude = value.abs().log10().floor();
    let rounded = value.abs() + 0.5 * 10f64.powf(magnitude - 2.0);
    #[expect(clippy::cast_possible_truncation, reason = "the logarithm of a finite double is below 400")]
    let magnitude = rounded.log10().floor() as i32;
    let decimals = usize::try_from(2 - magnitude).unwrap_or(0);
    format!("{value:.decimals$}")
}

/// Seconds as the study prints them, without a unit: three significant digits.
pub fn plain_seconds(seconds: f64) -> String {
    if seconds != 0.0 && seconds.abs() < 1e-9 { "<0.000000001".to_owned() } else { significant(seconds) }
}

/// Bytes with a binary unit: `312 KiB`, `1.50 GiB`; without decimals where that is exact: `1 GiB`.
#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
pub fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1023.5 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if value.fract() == 0.0 {
        format!("{value} {}", UNITS[unit])
    } else {
        format!("{} {}", significant(value), UNITS[unit])
    }
}

/// `1 record`, `2 records`.
pub fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Seconds since 1970 as `2001-09-09 01:46:40 UTC`; `unknown` outside the years 1970 to 9999.
pub fn utc(unix_s: f64) -> String {
    if !(0.0..253_402_300_800.0).contains(&unix_s) {
        return "unknown".to_owned();
    }
    #[expect(clippy::cast_possible_truncation, reason = "in range, checked above")]
    let time = DateTime::from_timestamp(unix_s as i64, 0);
    time.map_or_else(|| "unknown".to_owned(), |time| time.format("%Y-%m-%d %H:%M:%S UTC").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(duration(0.0), "0 s");
        assert_eq!(duration(1e-9), "1.00 ns");
        assert_eq!(duration(1.234_5e-6), "1.23 µs");
        assert_eq!(duration(0.999_6), "1.00 s");
        assert_eq!(duration(0.045_6), "45.6 ms");
        assert_eq!(duration(1234.5), "1234 s");
        assert_eq!(duration(1e-15), "<0.001 ns");
        assert_eq!(chosen(Duration::from_secs(60)), "60 s");
        assert_eq!(chosen(Duration::from_millis(1500)), "1.5 s");
        assert_eq!(chosen(Duration::from_millis(20)), "20 ms");
        assert_eq!(chosen(Duration::from_nanos(3100)), "3.1 µs");
    }

    #[test]
    fn significant_digits() {
        assert_eq!(significant(9.996), "10.0");
        assert_eq!(significant(0.000_123_4), "0.000123");
        assert_eq!(significant(123_456.0), "123456");
        assert_eq!(plain_seconds(0.33), "0.330");
    }

    #[test]
    fn sizes() {
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1024), "1 KiB");
        assert_eq!(bytes(3 << 29), "1.50 GiB");
    }

    #[test]
    fn dates() {
        assert_eq!(utc(1e9), "2001-09-09 01:46:40 UTC");
        assert_eq!(utc(951_782_400.0), "2000-02-29 00:00:00 UTC");
        assert_eq!(utc(-1.0), "unknown");
        assert_eq!(utc(f64::NAN), "unknown");
    }
}
