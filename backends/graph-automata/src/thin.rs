//! Languages whose words their lengths decide: two that have, together, at most one word of each length.
//!
//! So are the powers of one word and whatever is made of them. Of two words of such languages one knows that
//! they are equal where their lengths are, however long they may be.
//!
//! Decided on pairs of states that words of one length lead to, with a mark whether these words differ.

use backends_algebra::BooleanAlgebra;
use backends_api::Stop;
use backends_automata::{AutomataContext, Sfa, StateId, trim};
use rustc_hash::FxHashSet;

/// Whether two words of one length that are in one of the languages are the same word. Cost: quadratic in
/// states and moves.
pub(crate) fn is_thin<A: BooleanAlgebra>(
    context: &AutomataContext<A>,
    [a, b]: [&Sfa<A::Set>; 2],
) -> Result<bool, Stop> {
    let all = trim(&context.union(a, b)?, &context.budget)?;
    let algebra = context.algebra();
    let start = (all.initial(), all.initial(), false);
    let mut seen: FxHashSet<(StateId, StateId, bool)> = FxHashSet::from_iter([start]);
    let mut waiting = vec![start];
    while let Some((p, q, differ)) = waiting.pop() {
        if differ && all.is_final(p) && all.is_final(q) {
            return Ok(false);
        }
        for m in all.moves_from(p) {
            for n in all.moves_from(q) {
                context.budget.tick()?;
                let (one, other) = (all.label(m.label), all.label(n.label));
                let common = algebra.intersection(one, other)?;
                // Two characters of both labels that differ: unless both are one and the same.
                let either = algebra.union(one, other)?;
                let single = match algebra.pick(&either)? {
                    Some(c) => {
                        algebra.is_empty(&algebra.difference(&either, &algebra.of_ranges(&[(c.0, c.0)])?)?)?
                    }
                    None => continue,
                };
                let mut next = Vec::with_capacity(2);
                if differ || !algebra.is_empty(&common)? {
                    next.push((m.target, n.target, differ));
                }
                if !differ && !single {
                    next.push((m.target, n.target, true));
                }
                for pair in next {
                    if seen.insert(pair) {
                        waiting.push(pair);
                    }
                }
            }
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use backends_algebra::RangeAlgebra;
    use harness_model::{Alphabet, Char, CharSet, Regex};

    use super::*;

    #[test]
    fn languages_of_powers_are_thin() {
        let algebra = RangeAlgebra::new(Alphabet::Ascii);
        let context = AutomataContext::new(&algebra, 1_000_000);
        let word = |text: &str| Regex::literal(&text.into());
        let powers = |text: &str| word(text).star();
        let ab = Regex::set(CharSet::range(Char(0x61), Char(0x62)));
        for (a, b, thin) in [
            (powers("go"), powers("go"), true),
            (powers("go"), Regex::concat([powers("gogo"), word("go")]), true),
            (powers("go"), powers("og"), false),
            (powers("aa"), Regex::concat([word("b"), powers("aa")]), true),
            (powers("aa"), Regex::concat([word("b"), powers("a")]), false),
            (ab, Regex::Epsilon, false),
            (word("a"), word("b"), false),
            (word("a"), word("bb"), true),
            (Regex::union([word("ab"), word("b")]), word("abc"), true),
            (Regex::concat([powers("a"), powers("b")]), Regex::Epsilon, false),
            (Regex::Empty, Regex::Empty, true),
        ] {
            let languages = [context.regex(&a).unwrap(), context.regex(&b).unwrap()];
            assert_eq!(is_thin(&context, [&languages[0], &languages[1]]), Ok(thin), "{a:?} {b:?}");
        }
    }
}
