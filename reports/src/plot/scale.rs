//! From values to pixels, and the ticks of an axis.

use super::canvas::pixel;

/// How values spread over an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Equal differences are equally long.
    Linear,
    /// Equal ratios are equally long; all values are above 0.
    Log,
}

/// What the labels of a logarithmic axis say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Seconds, in the unit that needs no decimals.
    Seconds,
    /// Plain numbers.
    Number,
}

/// An axis: values from `low` to `high` on pixels from `start` to `end`, which may run either way.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    kind: Kind,
    unit: Unit,
    low: f64,
    high: f64,
    start: i32,
    end: i32,
}

/// A mark on an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where.
    pub value: f64,
    /// What is written there; empty for a mark between labels.
    pub label: String,
}

impl Scale {
    /// Whole numbers from 0 to `high`.
    pub fn counts(high: f64, start: i32, end: i32) -> Self {
        Self { kind: Kind::Linear, unit: Unit::Number, low: 0.0, high: high.max(1.0), start, end }
    }

    /// Times in seconds, with a little room on both sides and at least one decade. `None` when no time is
    /// above 0.
    pub fn times(values: impl IntoIterator<Item = f64>, start: i32, end: i32) -> Option<Self> {
        Self::ratios(values, Unit::Seconds, start, end)
    }

    /// The same of values in any unit.
    pub fn ratios(values: impl IntoIterator<Item = f64>, unit: Unit, start: i32, end: i32) -> Option<Self> {
        let mut range: Option<(f64, f64)> = None;
        for value in values.into_iter().filter(|v| v.is_finite() && *v > 0.0) {
            let (low, high) = range.unwrap_or((value, value));
            range = Some((low.min(value), high.max(value)));
        }
        let (mut low, mut high) = range?;
        let room = (high / low).powf(0.03).max(1.15);
        (low, high) = (low / room, high * room);
        if high < 10.0 * low {
            let more = (10.0 * low / high).sqrt();
            (low, high) = (low / more, high * more);
        }
        Some(Self { kind: Kind::Log, unit, low, high, start, end })
    }

    /// The largest value.
    pub const fn high(&self) -> f64 {
        self.high
    }

    /// The smallest value.
    pub const fn low(&self) -> f64 {
        self.low
    }

    /// The same values on other pixels.
    #[must_use]
    pub const fn on(self, start: i32, end: i32) -> Self {
        Self { start, end, ..self }
    }

    /// Whether `value` is on the axis.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The pixel of `value`; values beyond the axis are put on its end.
    pub fn at(&self, value: f64) -> i32 {
        let value = value.clamp(self.low, self.high);
        let share = match self.kind {
            Kind::Linear => (value - self.low) / (self.high - self.low),
            Kind::Log => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        pixel((f64::from(self.start) + share * f64::from(self.end - self.start), 0.0)).0
    }

    /// Round values on the axis, not more than a dozen of them with a label.
    pub fn ticks(&self) -> Vec<Tick> {
        match self.kind {
            Kind::Linear => self.counted(),
            Kind::Log => self.decades(),
        }
    }

    fn counted(&self) -> Vec<Tick> {
        let steps = (0..9).flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10f64.powi(power)));
        let step = steps.into_iter().find(|step| self.high / step <= 10.0).unwrap_or(self.high);
        let count = (self.high / step).floor();
        let mut ticks = Vec::new();
        let mut index = 0.0;
        while index <= count {
            ticks.push(Tick { value: index * step, label: format!("{:.0}", index * step) });
            index += 1.0;
        }
        ticks
    }

    fn decades(&self) -> Vec<Tick> {
        #[expect(clippy::cast_possible_truncation, reason = "logarithms of doubles are below 400")]
        let exponent = |value: f64| value.log10().floor() as i32;
        let (first, last) = (exponent(self.low), exponent(self.high));
        let labelled: &[u32] = if last - first <= 2 { &[1, 2, 5] } else { &[1] };
        // Of very many decades, every second or third has a label.
        let every = (last - first) / 12 + 1;
        let mut ticks = Vec::new();
        for power in first..=last {
            for digit in 1..10u32 {
                let value = f64::from(digit) * 10f64.powi(power);
                if self.contains(value) {
                    let label = labelled.contains(&digit) && (power - first) % every == 0;
                    let text = || match self.unit {
                        Unit::Seconds => time(digit, power),
                        Unit::Number => number(digit, power),
                    };
                    ticks.push(Tick { value, label: if label { text() } else { String::new() } });
                }
            }
        }
        ticks
    }
}

/// `digit` times ten to the `power` seconds, in the unit that needs no decimals: `20 µs`.
fn time(digit: u32, power: i32) -> String {
    let (unit, base) = match power {
        ..=-7 => ("ns", -9),
        -6..=-4 => ("µs", -6),
        -3..=-1 => ("ms", -3),
        _ => ("s", 0),
    };
    let value = f64::from(digit) * 10f64.powi(power - base);
    if value < 1.0 { format!("{value} {unit}") } else { format!("{value:.0} {unit}") }
}

/// `digit` times ten to the `power`: `20`, `5000`, `2e6`.
fn number(digit: u32, power: i32) -> String {
    match power {
        ..=-4 | 5.. => format!("{digit}e{power}"),
        -3..=-1 => format!("{}", f64::from(digit) * 10f64.powi(power)),
        0..=4 => format!("{:.0}", f64::from(digit) * 10f64.powi(power)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: &Scale) -> Vec<String> {
        scale.ticks().into_iter().map(|tick| tick.label).filter(|label| !label.is_empty()).collect()
    }

    #[test]
    fn times_are_labelled_with_their_unit() {
        let scale = Scale::times([2e-7, 12.0], 0, 100).unwrap();
        assert_eq!(labels(&scale), ["1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s", "10 s"]);
        let scale = Scale::times([0.002], 0, 100).unwrap();
        assert_eq!(labels(&scale), ["1 ms", "2 ms", "5 ms"]);
        assert!(Scale::times([0.0, f64::NAN], 0, 1).is_none());
    }

    #[test]
    fn numbers_are_labelled_without_a_unit() {
        let scale = Scale::ratios([8.0, 2e6], Unit::Number, 0, 100).unwrap();
        assert_eq!(labels(&scale), ["10", "100", "1000", "10000", "1e5", "1e6"]);
        let scale = Scale::ratios([0.02, 0.1], Unit::Number, 0, 100).unwrap();
        assert_eq!(labels(&scale), ["0.02", "0.05", "0.1"]);
    }

    #[test]
    fn counts_have_round_steps() {
        assert_eq!(labels(&Scale::counts(155.0, 0, 1)), ["0", "20", "40", "60", "80", "100", "120", "140"]);
        assert_eq!(labels(&Scale::counts(0.0, 0, 1)), ["0", "1"]);
    }

    #[test]
    fn pixels_run_either_way_and_stay_inside() {
        let scale = Scale::counts(10.0, 100, 0);
        assert_eq!([0.0, 5.0, 10.0, 99.0].map(|v| scale.at(v)), [100, 50, 0, 0]);
        let scale = Scale::times([1.0, 100.0], 0, 100).unwrap();
        assert_eq!(scale.at(10.0), 50);
    }
}
