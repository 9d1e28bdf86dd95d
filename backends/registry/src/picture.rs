//! Problems drawn as string graphs, for those who may not see a backend.

use backends_graph::{Relation, StringGraph, draw};
use harness_model::Alphabet;
use harness_theory::{Problem, lower};

/// How a graph is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Graphviz' language, which leaves the layout to Graphviz.
    Dot,
    /// A picture.
    Svg,
}

/// The most operations of a graph that is laid out here.
pub const MOST_DRAWN: usize = 2_500;

/// The string graph of `problem`, before any preprocessing. Cost: quadratic in its vertices and edges.
///
/// # Errors
///
/// When the problem is no string graph: the operation that a graph does not have; or when the graph is too
/// large to be laid out.
pub fn string_graph(problem: &Problem, alphabet: Alphabet, format: Format) -> Result<String, String> {
    let unfolded = lower::unfold(problem, alphabet, Relation::stands_for);
    let graph = StringGraph::of_problem(unfolded.as_ref().unwrap_or(problem), alphabet);
    let graph = graph.map_err(|refusal| refusal.0)?;
    let nodes = graph.edges().len();
    if format == Format::Svg && nodes > MOST_DRAWN {
        return Err(format!(
            "it has {nodes} operations, and at most {MOST_DRAWN} are laid out here; a file that ends in .dot is for Graphviz, which takes more"
        ));
    }
    Ok(match format {
        Format::Dot => draw::dot(&graph),
        Format::Svg => draw::svg(&graph),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_is_drawn_and_what_is_none_is_refused() {
        let text = "(declare-const s String)(assert (str.prefixof \"a\" s))(check-sat)\
                    (assert (or (= s \"a\") (= s \"b\")))(check-sat)";
        let queries = harness_smtlib::read(text.as_bytes()).unwrap().queries;
        let drawn = |i: usize, format| string_graph(&queries[i].problem, Alphabet::Unicode, format);
        assert!(drawn(0, Format::Svg).unwrap().starts_with("<svg"));
        assert!(drawn(0, Format::Dot).unwrap().starts_with("graph"));
        assert!(!drawn(1, Format::Svg).unwrap_err().is_empty());
    }

    #[test]
    fn a_graph_that_is_too_large_is_left_to_graphviz() {
        let mut text = String::from("(declare-const s String)");
        for number in 0..=MOST_DRAWN {
            text.push_str(&format!("(declare-const s{number} String)(assert (str.prefixof s{number} s))"));
        }
        text.push_str("(check-sat)");
        let query = harness_smtlib::read(text.as_bytes()).unwrap().queries.remove(0);
        let drawn = |format| string_graph(&query.problem, Alphabet::Unicode, format);
        assert!(drawn(Format::Svg).unwrap_err().contains(".dot"));
        assert!(drawn(Format::Dot).unwrap().contains("s2500"));
    }
}
