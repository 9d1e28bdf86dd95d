//! Pictures of automata: the text format of Graphviz.

use std::fmt::Write as _;

use crate::sfa::{EpsilonSfa, Sfa, StateId};

/// A picture of `automaton`, with the text that `show` makes of each label. Lines are in the order of states
/// and moves.
pub fn dot<S>(automaton: &Sfa<S>, show: impl Fn(&S) -> String) -> String {
    picture(automaton, |_| &[], show)
}

/// The same with epsilon moves, which are drawn dashed.
pub fn dot_with_epsilons<S>(automaton: &EpsilonSfa<S>, show: impl Fn(&S) -> String) -> String {
    picture(automaton.reading(), |state| automaton.epsilons_from(state), show)
}

fn picture<'a, S>(
    automaton: &Sfa<S>,
    epsilons: impl Fn(StateId) -> &'a [StateId],
    show: impl Fn(&S) -> String,
) -> String {
    let mut out = String::from("digraph sfa {\n  rankdir=LR;\n  start [shape=point];\n");
    // Writing to a string cannot fail.
    let mut line = |text: std::fmt::Arguments<'_>| {
        let _ = writeln!(out, "  {text}");
    };
    line(format_args!("start -> {:?};", automaton.initial()));
    for state in automaton.state_ids() {
        let shape = if automaton.is_final(state) { "doublecircle" } else { "circle" };
        line(format_args!("{state:?} [shape={shape}];"));
    }
    for state in automaton.state_ids() {
        for m in automaton.moves_from(state) {
            let label = show(automaton.label(m.label)).replace('\\', "\\\\").replace('"', "\\\"");
            line(format_args!("{state:?} -> {:?} [label=\"{label}\"];", m.target));
        }
        for target in epsilons(state) {
            line(format_args!("{state:?} -> {target:?} [style=dashed];"));
        }
    }
    out.push_str("}\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::SfaBuilder;

    #[test]
    fn labels_are_quoted() {
        let mut builder = SfaBuilder::new();
        let p = builder.add_state(false).unwrap();
        let q = builder.add_state(true).unwrap();
        builder.add_move(p, "\"\\", q).unwrap();
        builder.add_epsilon(q, p).unwrap();
        let picture = dot_with_epsilons(&builder.freeze_with_epsilons(p), |s| (*s).to_owned());
        assert!(picture.contains(r#"q0 -> q1 [label="\"\\"];"#), "{picture}");
        assert!(picture.contains("q1 -> q0 [style=dashed];"), "{picture}");
        assert!(picture.contains("q1 [shape=doublecircle];"), "{picture}");
    }
}
