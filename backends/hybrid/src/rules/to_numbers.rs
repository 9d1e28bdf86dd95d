//! Rules from strings to numbers: what an edge or a parsed string says of integers. Each is described in
//! [`super::RULES`].

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a rule concludes something from the relations that it names and nothing from others"
)]

use backends_graph::{Edge, IntFormula, Relation, Sum};
use harness_model::Char;

use crate::facts::{Facts, Parsed};

const NOTHING: IntFormula = IntFormula::Bool(true);

fn number(value: i64) -> Sum {
    Sum::from(value)
}

pub(super) fn substring(facts: &Facts<'_>, edge: &Edge) -> IntFormula {
    let Relation::Substr { s, from, count, r } = edge.relation else { return NOTHING };
    let view = &facts.view;
    let (length, from, count, r) = (view.len(s), view.int(from), view.int(count), view.len(r));
    let inside = IntFormula::and([number(0).le(&from), from.lt(&length), number(1).le(&count)]);
    let rest = length.sub(&from);
    IntFormula::or([
        IntFormula::and([inside.clone(), count.le(&rest), r.eq(&count)]),
        IntFormula::and([inside.clone(), rest.lt(&count), r.eq(&rest)]),
        IntFormula::and([inside.negate(), r.eq(&number(0))]),
    ])
}

pub(super) fn trimmed(facts: &Facts<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::Trim { s, r } => match facts.length(r).low() {
            Some(least) if least > 0 => number(least).le(&facts.view.len(s)),
            _ => NOTHING,
        },
        _ => NOTHING,
    }
}

pub(super) fn minus(facts: &Facts<'_>, parsed: &Parsed, edge: &Edge) -> IntFormula {
    match facts.first(edge, parsed.s) {
        Some(c) if c == Char::from(b'-') => parsed.value.le(&number(0)),
        _ => NOTHING,
    }
}

pub(super) fn no_minus(facts: &Facts<'_>, parsed: &Parsed, edge: &Edge) -> IntFormula {
    match facts.first(edge, parsed.s) {
        Some(c) if c != Char::from(b'-') => number(0).le(&parsed.value),
        _ => NOTHING,
    }
}

pub(super) fn minus_is_first(facts: &Facts<'_>, parsed: &Parsed, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::CharAt { s, i, c } if s == parsed.s => {
            let (i, c) = (facts.view.int(i), facts.view.int(c));
            let minus = number(i64::from(b'-'));
            IntFormula::or([i.ne(&number(0)), number(0).le(&parsed.value), c.eq(&minus)])
        }
        _ => NOTHING,
    }
}

pub(super) fn format(facts: &Facts<'_>, parsed: &Parsed, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::CharAt { s, i, c } if s == parsed.s => {
            let (i, c) = (facts.view.int(i), facts.view.int(c));
            let code = |c: u8| number(i64::from(c));
            let sign = IntFormula::or([c.eq(&code(b'+')), c.eq(&code(b'-'))]);
            let digit = IntFormula::and([code(b'0').le(&c), c.le(&code(b'9'))]);
            IntFormula::or([IntFormula::and([i.eq(&number(0)), sign]), digit])
        }
        _ => NOTHING,
    }
}

/// Powers of ten up to which lengths are compared with values.
const POWERS: u32 = 10;

pub(super) fn parsed(facts: &Facts<'_>, parsed: &Parsed) -> IntFormula {
    let (length, n) = (facts.view.len(parsed.s), &parsed.value);
    let mut all = vec![number(1).le(&length)];
    for k in 0..POWERS {
        let (power, digits) = (10_i64.pow(k), i64::from(k) + 1);
        all.push(IntFormula::or([n.lt(&number(power)), number(digits).le(&length)]));
        all.push(IntFormula::or([number(-power).lt(n), number(digits + 1).le(&length)]));
    }
    IntFormula::and(all)
}

pub(super) fn parts(facts: &Facts<'_>, parsed: &Parsed) -> IntFormula {
    let Parsed { s, whole, rest, minus, plus, .. } = parsed;
    let length = facts.view.len(*s);
    let (zero, none) = (number(0), number(-1));
    let signed = IntFormula::or([minus.eq(&zero), plus.eq(&zero)]);
    let mut all = vec![
        IntFormula::or([minus.eq(&zero), minus.eq(&none)]),
        IntFormula::or([plus.eq(&zero), plus.eq(&none)]),
        IntFormula::or([minus.ne(&zero), plus.ne(&zero)]),
        signed.implies(IntFormula::and([whole.eq(&none), zero.le(rest)])),
        signed.negate().implies(zero.le(whole)),
        length.eq(&number(1)).implies(rest.eq(&none)),
    ];
    for k in 1..POWERS {
        let power = 10_i64.pow(k);
        let digit = (0..10).map(|d| whole.eq(&rest.add(&number(d * power))));
        let digits = IntFormula::or([signed.clone(), IntFormula::or(digit)]);
        let rest = IntFormula::and([zero.le(rest), rest.lt(&number(power))]);
        all.push(length.eq(&number(i64::from(k) + 1)).implies(IntFormula::and([digits, rest])));
    }
    IntFormula::and(all)
}
