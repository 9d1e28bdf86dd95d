//! What the papers found, tested on the rows of a run.
//!
//! A [`Claim`] is a finding of a paper: where it stands, what it says in our words, which measure of which
//! rows it is about, and where that measure lies if the finding holds here too. A [`Finding`] is a claim with
//! what was measured and one of four verdicts, all given by [`verdict`]. The claims of a table are stated in
//! the file of its [layout](crate::layout); [`measure`] computes what they are about.
//!
//! - A verdict needs an interval: one item tells nothing of the next. Where the interval holds the limit of
//!   what was expected, nothing was found either way.
//! - A verdict is about the direction. By how much a published factor and a measured one differ is shown, and
//!   said where the interval leaves the published range, but machine, language and inputs differ too.
//! - Why a run does not agree is written only where an experiment told; else it says that it is not
//!   explained.
//! - A row that is excluded, unsupported, wrong or crashed is neither a win nor a loss: it is left out and
//!   counted.

pub mod measure;

use crate::format;
use crate::stats::Interval;
use crate::table::{Cell, Column, Table};

/// Where a measure lies if the paper's finding holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// Above this: 1 of a ratio, one half of a share, 0 of a difference.
    Above(f64),
    /// From the first to the second, both among them.
    Within(f64, f64),
}

/// What a measure is, so that people can read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// How many times.
    Times,
    /// A part of all.
    Share,
    /// A share less another one.
    Points,
    /// A number of things.
    Count,
}

/// A finding of a paper.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The name that findings are looked up by, after the layout's.
    pub id: &'static str,
    /// Where the paper says it: its author or tool, section, table.
    pub place: &'static str,
    /// What it says, in our words.
    pub says: &'static str,
    /// What is measured, of which rows.
    pub measure: &'static str,
    /// What the measure is.
    pub unit: Unit,
    /// Where it lies if the claim holds.
    pub expected: Expected,
    /// The smallest and the largest value that the paper's own figures give, where they give any.
    pub published: Option<(f64, f64)>,
    /// Why runs of ours do not agree, or agree by another factor, where an experiment told.
    pub reason: Option<&'static str>,
}

/// What a measured value is to the true one, where limits were counted as times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// It is the value itself: nothing was cut off.
    #[default]
    Exact,
    /// The true value is this or more: the first side ran out of time somewhere.
    AtLeast,
    /// The true value is this or less: the second side ran out of time somewhere.
    AtMost,
    /// Either: each side ran out of time somewhere.
    Loose,
}

impl Bound {
    /// The bound of a ratio where the first side, the second one or both were cut off.
    pub const fn of_ratio(first_is_cut: bool, second_is_cut: bool) -> Self {
        match (first_is_cut, second_is_cut) {
            (false, false) => Self::Exact,
            (true, false) => Self::AtLeast,
            (false, true) => Self::AtMost,
            (true, true) => Self::Loose,
        }
    }

    /// What stands before the value.
    const fn sign(self) -> &'static str {
        match self {
            Self::Exact => "",
            Self::AtLeast => "≥ ",
            Self::AtMost => "≤ ",
            Self::Loose => "≈ ",
        }
    }

    /// As files for programs have it.
    const fn name(self) -> &'static str {
        match self {
            Self::Exact => "",
            Self::AtLeast => "at least",
            Self::AtMost => "at most",
            Self::Loose => "about",
        }
    }
}

/// A measure of the rows of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The measure.
    pub value: f64,
    /// Whether the true value may lie beyond it.
    pub bound: Bound,
    /// The 95 % interval; `None` where there are too few items for one.
    pub interval: Option<Interval>,
    /// How many items it is over.
    pub items: usize,
    /// What was compared: names of strategies.
    pub compared: String,
    /// What was left out, and what else a reader must know of the number; may be empty.
    pub remark: String,
}

impl Measured {
    /// The same as a fact about this run instead of an estimate: its interval is itself. For claims about
    /// every item, which one counterexample settles.
    #[must_use]
    pub fn as_fact(self) -> Self {
        Self { interval: Some(Interval { low: self.value, high: self.value }), ..self }
    }

    /// Whether the interval is one value.
    #[expect(clippy::float_cmp, reason = "the ends of such an interval are copies of one value")]
    fn is_exact(&self) -> bool {
        self.interval.is_some_and(|interval| interval.low == interval.high)
    }
}

/// What became of a claim in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The whole interval lies where the paper has it.
    Agrees,
    /// The whole interval lies where the paper does not have it.
    Reversed,
    /// The interval lies on both sides, or there is none; or the value is a bound that may lie on the other
    /// side.
    NotSeparable,
    /// The run does not have the rows.
    NotMeasured,
}

impl Verdict {
    /// As tables show it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Reversed => "reversed",
            Self::NotSeparable => "not separable",
            Self::NotMeasured => "not measured",
        }
    }
}

/// A claim and what a run has to say about it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What the paper found.
    pub claim: Claim,
    /// What was measured, or why nothing was.
    pub measured: Result<Measured, String>,
    /// What follows.
    pub verdict: Verdict,
}

/// The one function that gives verdicts.
pub fn verdict(expected: Expected, measured: Option<&Measured>) -> Verdict {
    let Some(measured) = measured else { return Verdict::NotMeasured };
    let Some(Interval { low, high }) = measured.interval else { return Verdict::NotSeparable };
    // What the true value may still do: a bound says nothing of one side.
    let (may_be_less, may_be_more) = match measured.bound {
        Bound::Exact | Bound::Loose => (false, false),
        Bound::AtLeast => (false, true),
        Bound::AtMost => (true, false),
    };
    let is_above = |limit: f64| low > limit && !may_be_less;
    let is_below = |limit: f64| high < limit && !may_be_more;
    let (holds, fails) = match expected {
        Expected::Above(limit) => (is_above(limit), is_below(limit)),
        Expected::Within(least, most) => {
            // No measure that a limit cuts off is below 0.
            let is_inside = low >= least && high <= most && (!may_be_less || least <= 0.0) && !may_be_more;
            (is_inside, is_below(least) || is_above(most))
        }
    };
    match (holds, fails) {
        (true, _) => Verdict::Agrees,
        (false, true) => Verdict::Reversed,
        (false, false) => Verdict::NotSeparable,
    }
}

impl Claim {
    /// The claim with its verdict. `measured`: what was measured, or why nothing was.
    pub fn judge(self, measured: Result<Measured, String>) -> Finding {
        let verdict = verdict(self.expected, measured.as_ref().ok());
        Finding { claim: self, measured, verdict }
    }
}

impl Unit {
    /// A value for people.
    pub fn shown(self, value: f64) -> String {
        match self {
            // Below 1 the other way round is easier to read.
            Self::Times if value > 0.0 && value < 0.95 => {
                format!("{} × (1 : {})", format::significant(value), format::significant(value.recip()))
            }
            Self::Times => format!("{} ×", format::significant(value)),
            Self::Share => format!("{} %", format::significant(value * 100.0)),
            Self::Points if value > 0.0 => format!("+{} points", format::significant(value * 100.0)),
            Self::Points => format!("{} points", format::significant(value * 100.0)),
            Self::Count => format::significant(value),
        }
    }

    /// From one value to another; one of them where they are equal.
    fn range(self, low: f64, high: f64) -> String {
        let short = |value: f64| match self {
            Self::Times | Self::Count => format::significant(value),
            Self::Share | Self::Points => format::significant(value * 100.0),
        };
        let sign = match self {
            Self::Times => " ×",
            Self::Share => " %",
            Self::Points => " points",
            Self::Count => "",
        };
        if short(low) == short(high) {
            format!("{}{sign}", short(low))
        } else {
            format!("{} to {}{sign}", short(low), short(high))
        }
    }
}

impl Finding {
    /// Whether the direction agrees while the interval is outside of what was published. A bound is outside
    /// only on the side that the true value cannot come back from.
    fn is_off(&self) -> bool {
        let Ok(Measured { interval: Some(Interval { low, high }), bound, .. }) = &self.measured else {
            return false;
        };
        let Some((least, most)) = self.claim.published else { return false };
        let (below, above) = (*high < least, *low > most);
        self.verdict == Verdict::Agrees
            && match bound {
                Bound::Exact => below || above,
                Bound::AtLeast => above,
                Bound::AtMost => below,
                Bound::Loose => false,
            }
    }

    /// What the last column says: why nothing was measured, or what is known of a disagreement.
    pub fn why(&self) -> String {
        let reason = || self.claim.reason.unwrap_or("not explained").to_owned();
        match (&self.measured, self.verdict) {
            (Err(why), _) => why.clone(),
            (Ok(_), Verdict::Agrees) if self.is_off() => {
                let known = self.claim.reason.map_or_else(String::new, |reason| format!("; {reason}"));
                format!("the direction only: the factor is outside of the published range{known}")
            }
            (Ok(_), Verdict::Agrees) => String::new(),
            (Ok(measured), _) if measured.interval.is_none() => "too few items for an interval".to_owned(),
            (Ok(measured), Verdict::NotSeparable) if measured.bound != Bound::Exact => {
                "a limit was met: the true value may lie on the other side".to_owned()
            }
            (Ok(measured), Verdict::NotSeparable) if measured.is_exact() => {
                "no difference in this run".to_owned()
            }
            (Ok(_), _) => reason(),
        }
    }
}

/// One row for each finding of each layout: for people with the essentials, for programs with all of it.
///
/// `findings`: names of layouts with their findings.
pub fn table(findings: &[(&str, Vec<Finding>)]) -> Table {
    let mut table = Table::new(
        "claims",
        1,
        vec![
            Column::text("layout", "layout"),
            Column::text("says", "the paper found"),
            Column::text("verdict", "this run"),
            Column::number("published", "published"),
            Column::number("measured", "measured"),
            Column::text("interval_95", "95 % interval"),
            Column::number("items", "over"),
            Column::text("why", "why not, as far as known"),
        ],
    );
    let names = [
        "layout",
        "claim",
        "place",
        "says",
        "verdict",
        "measure",
        "compared",
        "unit",
        "published_low",
        "published_high",
        "measured",
        "low_95",
        "high_95",
        "items",
        "why",
        "remark",
        "bound",
    ];
    let mut long = Table::new("claims", 0, names.map(|name| Column::text(name, name)).to_vec());
    for (layout, findings) in findings {
        for finding in findings {
            let (shown, exact) = rows(layout, finding);
            table.push(shown);
            long.push(exact);
        }
    }
    table.note(
        "Agrees: the whole interval lies where the paper has it, whatever the size of the factor. Reversed: the whole interval \
         lies on the other side. Not separable: the interval lies on both sides, or there are too few items for one. Not \
         measured: the run does not have the rows. Intervals: Wilson's for a share of the items, else a percentile \
         bootstrap over the items; of three to five items the range of the single ones, of fewer none. Items that share a task, such as \
         one pair in several representations, are not independent: their interval is too narrow.",
    );
    table.note(
        "A factor is the side that the paper found slower over the side that it found faster: above 1 × this run has the paper's \
         direction, below 1 × the other one. ≥ and ≤: one side ran out of time, and its limit was counted as its time, so that the true factor is \
         larger, or smaller; ≈: both did.",
    );
    table.note(
        "Rows that are excluded, unsupported, wrong or crashed are neither wins nor losses. How each measure is made, of which \
         strategies, and what was left out is below each table, and in the file.",
    );
    table.programs_get(long);
    table
}

/// How each measure of a layout is made, a line a claim.
pub fn methods(findings: &[Finding]) -> Vec<String> {
    let line = |finding: &Finding| {
        let Claim { says, place, measure, .. } = &finding.claim;
        let mut line = format!("{says} ({place}): {}. Measure: {measure}", finding.verdict.name());
        match &finding.measured {
            Ok(measured) => {
                line.push_str(&format!("; of {}", measured.compared));
                if !measured.remark.is_empty() {
                    line.push_str(&format!("; {}", measured.remark));
                }
            }
            Err(why) => line.push_str(&format!("; {why}")),
        }
        line.push('.');
        line
    };
    findings.iter().map(line).collect()
}

/// A finding as a row for people and as one for programs.
fn rows(layout: &str, finding: &Finding) -> (Vec<Cell>, Vec<Cell>) {
    let Finding { claim, measured, verdict } = finding;
    let unit = claim.unit;
    let measured = measured.as_ref().ok();
    let interval = measured.and_then(|measured| measured.interval);
    let or_absent = |cell: Option<String>| cell.map_or_else(Cell::absent, Cell::text);
    let why = finding.why();
    let shown = vec![
        Cell::text(layout),
        Cell::text(claim.says),
        Cell::text(verdict.name()),
        or_absent(claim.published.map(|(low, high)| unit.range(low, high))),
        or_absent(
            measured.map(|measured| format!("{}{}", measured.bound.sign(), unit.shown(measured.value))),
        ),
        or_absent(interval.map(|interval| unit.range(interval.low, interval.high))),
        or_absent(measured.map(|measured| measured.items.to_string())),
        Cell::text(&why),
    ];
    let number = |value: Option<f64>| value.map_or_else(Cell::absent, |value| Cell::text(value.to_string()));
    let unit_name = match unit {
        Unit::Times => "times",
        Unit::Share => "share",
        Unit::Points => "difference of shares",
        Unit::Count => "count",
    };
    let exact = vec![
        Cell::text(layout),
        Cell::text(claim.id),
        Cell::text(claim.place),
        Cell::text(claim.says),
        Cell::text(verdict.name()),
        Cell::text(claim.measure),
        Cell::text(measured.map_or("", |measured| measured.compared.as_str())),
        Cell::text(unit_name),
        number(claim.published.map(|(low, _)| low)),
        number(claim.published.map(|(_, high)| high)),
        number(measured.map(|measured| measured.value)),
        number(interval.map(|interval| interval.low)),
        number(interval.map(|interval| interval.high)),
        Cell::text(measured.map_or_else(String::new, |measured| measured.items.to_string())),
        Cell::text(why),
        Cell::text(measured.map_or("", |measured| measured.remark.as_str())),
        Cell::text(measured.map_or("", |measured| measured.bound.name())),
    ];
    (shown, exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(value: f64, interval: Option<(f64, f64)>) -> Measured {
        let interval = interval.map(|(low, high)| Interval { low, high });
        let bound = Bound::Exact;
        Measured { value, bound, interval, items: 9, compared: "a : b".to_owned(), remark: String::new() }
    }

    fn claim(published: Option<(f64, f64)>) -> Claim {
        Claim {
            id: "made-up",
            place: "nowhere",
            says: "b is faster than a",
            measure: "total time, a : b",
            unit: Unit::Times,
            expected: Expected::Above(1.0),
            published,
            reason: None,
        }
    }

    #[test]
    fn there_are_four_verdicts() {
        let above = |interval| verdict(Expected::Above(1.0), Some(&measured(2.0, interval)));
        assert_eq!(above(Some((1.5, 3.0))), Verdict::Agrees);
        assert_eq!(above(Some((0.2, 0.9))), Verdict::Reversed);
        assert_eq!(above(Some((0.9, 1.1))), Verdict::NotSeparable);
        assert_eq!(above(None), Verdict::NotSeparable);
        assert_eq!(verdict(Expected::Above(1.0), None), Verdict::NotMeasured);
    }

    #[test]
    fn the_same_is_a_range_and_its_ends_belong_to_it() {
        let within =
            |low, high| verdict(Expected::Within(0.8, 1.25), Some(&measured(1.0, Some((low, high)))));
        assert_eq!(within(0.8, 1.25), Verdict::Agrees);
        assert_eq!(within(1.3, 4.0), Verdict::Reversed);
        assert_eq!(within(0.1, 0.7), Verdict::Reversed);
        assert_eq!(within(0.7, 1.0), Verdict::NotSeparable);
        assert_eq!(within(0.1, 9.0), Verdict::NotSeparable);
    }

    #[test]
    fn what_is_not_explained_says_so() {
        let why = |claim: Claim, interval| claim.judge(Ok(measured(2.0, interval))).why();
        assert_eq!(why(claim(None), Some((0.2, 0.9))), "not explained");
        assert_eq!(why(claim(None), Some((1.2, 2.9))), "");
        let known = Claim { reason: Some("the inputs differ"), ..claim(None) };
        assert_eq!(why(known.clone(), Some((0.2, 0.9))), "the inputs differ");
        assert_eq!(why(known.clone(), None), "too few items for an interval");
        assert_eq!(known.clone().judge(Err("no strategy is brics".to_owned())).why(), "no strategy is brics");
        // The direction agrees; the factor does not.
        assert!(why(claim(Some((10.0, 20.0))), Some((1.2, 2.9))).ends_with("outside of the published range"));
        let off = Claim { published: Some((10.0, 20.0)), ..known };
        assert!(why(off, Some((1.2, 2.9))).ends_with("published range; the inputs differ"));
        assert_eq!(why(claim(Some((2.5, 20.0))), Some((1.2, 2.9))), "");
    }

    #[test]
    fn a_bound_settles_one_side_only() {
        let of = |bound, expected, interval| {
            verdict(expected, Some(&Measured { bound, ..measured(2.0, Some(interval)) }))
        };
        let above = Expected::Above(1.0);
        assert_eq!(of(Bound::AtLeast, above, (1.5, 3.0)), Verdict::Agrees);
        assert_eq!(of(Bound::AtLeast, above, (0.2, 0.9)), Verdict::NotSeparable);
        assert_eq!(of(Bound::AtMost, above, (1.5, 3.0)), Verdict::NotSeparable);
        assert_eq!(of(Bound::AtMost, above, (0.2, 0.9)), Verdict::Reversed);
        let within = Expected::Within(0.0, 268.0);
        assert_eq!(of(Bound::AtLeast, within, (12.0, 12.0)), Verdict::NotSeparable);
        assert_eq!(of(Bound::AtLeast, within, (300.0, 300.0)), Verdict::Reversed);
        assert_eq!(of(Bound::AtMost, within, (12.0, 12.0)), Verdict::Agrees);
        assert_eq!(of(Bound::AtMost, Expected::Within(1.0, 4.0), (2.0, 2.0)), Verdict::NotSeparable);
        assert_eq!(of(Bound::AtMost, Expected::Within(3.0, 4.0), (2.0, 2.0)), Verdict::Reversed);
    }

    #[test]
    fn a_bound_is_shown_and_is_off_on_its_own_side_only() {
        let finding = |bound, interval| {
            claim(Some((2.0, 4.0))).judge(Ok(Measured { bound, ..measured(9.0, Some(interval)) }))
        };
        let is_off = |bound, interval| finding(bound, interval).is_off();
        let within = Claim { expected: Expected::Within(0.0, 4.0), ..claim(Some((2.0, 4.0))) };
        let at_most = |interval| Measured { bound: Bound::AtMost, ..measured(1.0, Some(interval)) };
        assert!(within.clone().judge(Ok(at_most((1.1, 1.5)))).is_off());
        assert!(!within.judge(Ok(at_most((2.5, 3.0)))).is_off());
        assert!(is_off(Bound::AtLeast, (5.0, 9.0)) && !is_off(Bound::AtLeast, (1.1, 1.5)));
        assert!(!is_off(Bound::AtMost, (1.1, 1.5)) && !is_off(Bound::AtMost, (5.0, 9.0)));
        assert!(!is_off(Bound::Loose, (1.1, 1.5)) && !is_off(Bound::Loose, (5.0, 9.0)));
        assert!(is_off(Bound::Exact, (1.1, 1.5)) && is_off(Bound::Exact, (5.0, 9.0)));
        let (shown, exact) = rows("table-9", &finding(Bound::of_ratio(true, false), (5.0, 9.0)));
        assert_eq!(shown[4].shown, "≥ 9.00 ×");
        assert_eq!(exact.last().map(|cell| cell.exact.as_str()), Some("at least"));
    }

    #[test]
    fn a_line_for_each_claim_and_all_of_it_for_programs() {
        let findings = vec![
            claim(Some((1.5, 4.0))).judge(Ok(measured(0.08, Some((0.05, 0.1))))),
            claim(None).judge(Err("not in this run".to_owned())),
        ];
        let table = table(&[("table-9", findings)]);
        let shown: Vec<Vec<&str>> =
            table.rows().iter().map(|row| row.iter().map(|cell| cell.shown.as_str()).collect()).collect();
        assert_eq!(
            shown[0][2..],
            ["reversed", "1.50 to 4.00 ×", "0.0800 × (1 : 12.5)", "0.0500 to 0.100 ×", "9", "not explained"]
        );
        assert_eq!(shown[1][2..], ["not measured", "–", "–", "–", "–", "not in this run"]);
        let csv = table.csv();
        assert!(csv.starts_with("layout,claim,place,says,verdict,"), "{csv}");
        assert!(csv.contains("times,1.5,4,0.08,0.05,0.1,9,not explained,"), "{csv}");
    }
}
