//! Normal forms: what is trimmed, or in one case, stays as it is when it is trimmed, or brought into that
//! case, again.
//!
//! Source: ours. The study's rules look at edges with one source, so that a chain of two `trim` is left to
//! the guesses there.

use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};

use super::{RuleName, Work};
use crate::edge::{Relation, StringVertex};
use crate::reasons::Reasons;
use crate::rules::Counts;

/// The source and the result of a function that changes nothing the second time.
#[allow(clippy::wildcard_enum_match_arm, reason = "a function that is not named is left as it is")]
fn ends(relation: &Relation) -> Option<(Discriminant<Relation>, StringVertex, StringVertex)> {
    match *relation {
        Relation::Trim { s, r } | Relation::ToLower { s, r } | Relation::ToUpper { s, r } => {
            Some((discriminant(relation), s, r))
        }
        // Replacing is not among them: `aa` by `a` may do more the second time.
        _ => None,
    }
}

/// Rule `idempotent`: where `s = f(x)` is another edge, `r = f(s)` says `r = s`, for `f(f(x)) = f(x)`. The
/// edge goes and its ends are merged; the other one must be there then, so of edges in a ring the last one
/// stays.
pub(super) fn merge(work: &mut Work, counts: &mut Counts) -> Result<(), RuleName> {
    // How many edges there are that have the vertex for their result, by function.
    let mut made: HashMap<(Discriminant<Relation>, StringVertex), u32> = HashMap::new();
    for edge in &work.edges {
        if let Some((function, _, r)) = ends(&work.relation(&edge.value.relation)) {
            *made.entry((function, r)).or_default() += 1;
        }
    }
    // Which edge made `s` is not looked up: it is one of these.
    let mut all = Reasons::new();
    for edge in work.edges.iter().filter(|edge| ends(&edge.value.relation).is_some()) {
        all.extend(&work.edge(edge).from);
    }
    let mut kept = Vec::with_capacity(work.edges.len());
    for edge in std::mem::take(&mut work.edges) {
        let Some((function, s, r)) = ends(&work.relation(&edge.value.relation)) else {
            kept.push(edge);
            continue;
        };
        let others = made.get(&(function, s)).map_or(0, |&all| all - u32::from(s == r).min(all));
        if others == 0 {
            kept.push(edge);
            continue;
        }
        if let Some(count) = made.get_mut(&(function, r)) {
            *count = count.saturating_sub(1);
        }
        counts.add("rule_idempotent");
        work.present = all.clone();
        work.unite_strings(s, r).map_err(|()| "rule_idempotent")?;
        // What was made of either is now made of what they became.
        let one = work.string(s);
        let both = [s, r].map(|v| made.remove(&(function, v)).unwrap_or(0));
        made.insert((function, one), both.iter().sum());
        work.changed = true;
    }
    work.edges = kept;
    Ok(())
}
