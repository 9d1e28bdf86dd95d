//! Pictures of graphs in the manner of the study's figure 3.8: circles for vertices, dots for hyperedges with their operation
//! beside them, lines with small numbers for the order of an edge's vertices.
//!
//! [`dot`] leaves the layout to Graphviz. [`svg`] lays out by itself: dots and circles are nodes joined by springs that push each
//! other off, each connected part by itself; the start is fixed, so the same graph is always the same picture.

use std::fmt::Write;

use crate::edge::Vertex;
use crate::graph::{IntKind, StringGraph};

/// What is drawn of a graph: vertices that edges join.
struct Picture {
    vertices: Vec<Vertex>,
    /// Labels of the edges, and places in `vertices` in order.
    edges: Vec<(String, Vec<usize>)>,
}

impl Picture {
    fn new(graph: &StringGraph) -> Self {
        let mut vertices: Vec<Vertex> = Vec::new();
        let mut edges = Vec::new();
        for edge in graph.edges() {
            let places = edge.relation.vertices().map(|vertex| {
                vertices.iter().position(|v| *v == vertex).unwrap_or_else(|| {
                    vertices.push(vertex);
                    vertices.len() - 1
                })
            });
            let places = places.collect();
            edges.push((edge.to_string(), places));
        }
        for declaration in graph.declarations() {
            vertices.extend(declaration.vertex.filter(|v| !vertices.contains(v)));
        }
        Self { vertices, edges }
    }
}

/// A label that fits a circle: at most `most` characters.
fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// The graph in Graphviz' language.
pub fn dot(graph: &StringGraph) -> String {
    let quote = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let picture = Picture::new(graph);
    let mut out = String::from("graph strings {\n  layout=neato; overlap=false; splines=true;\n");
    for (i, vertex) in picture.vertices.iter().enumerate() {
        let shape = match vertex {
            Vertex::String(s) if graph.word(*s).is_some() => "circle, style=filled, fillcolor=gray90",
            Vertex::String(_) => "circle",
            Vertex::Int(_) => "circle, style=dashed",
        };
        let _ = writeln!(out, "  v{i} [shape={shape}, label=\"{}\"];", quote(&graph.vertex_name(*vertex)));
    }
    for (e, (label, places)) in picture.edges.iter().enumerate() {
        let _ = writeln!(out, "  e{e} [shape=point, width=0.08, xlabel=\"{}\"];", quote(label));
        for (order, place) in places.iter().enumerate() {
            let _ = writeln!(out, "  e{e} -- v{place} [label=\"{}\", fontsize=9];", order + 1);
        }
    }
    out.push_str("}\n");
    out
}

const SIZE: f64 = 34.0;
const SPRING: f64 = 95.0;
const MARGIN: f64 = 70.0;

/// A place, or the width and height of something.
type Point = (f64, f64);

/// Places for circles and then dots, in no particular frame: each part that nothing joins to the rest is laid out by
/// itself, and the parts stand beside each other in rows, the largest first.
fn layout(picture: &Picture) -> Vec<Point> {
    let circles = picture.vertices.len();
    let count = circles + picture.edges.len();
    let mut part_of: Vec<usize> = (0..count).collect();
    for (e, (_, ends)) in picture.edges.iter().enumerate() {
        for &v in ends {
            let (keep, drop) = (part_of[v], part_of[circles + e]);
            part_of.iter_mut().filter(|p| **p == drop).for_each(|p| *p = keep);
        }
    }
    let mut parts: Vec<Vec<usize>> = vec![Vec::new(); count];
    (0..count).for_each(|node| parts[part_of[node]].push(node));
    parts.retain(|part| !part.is_empty());
    parts.sort_by_key(|part| (std::cmp::Reverse(part.len()), part[0]));
    let laid_out: Vec<(Vec<usize>, Vec<Point>, Point)> = parts
        .into_iter()
        .map(|part| {
            let joined: Vec<(usize, usize)> = (0..part.len())
                .filter(|i| part[*i] >= circles)
                .flat_map(|i| {
                    let ends = &picture.edges[part[i] - circles].1;
                    let part = &part;
                    ends.iter().filter_map(move |v| part.iter().position(|n| n == v).map(|v| (i, v)))
                })
                .collect();
            let mut places = springs(part.len(), &joined);
            let least = |f: fn(&Point) -> f64| places.iter().map(f).fold(f64::INFINITY, f64::min);
            let (x0, y0) = (least(|p| p.0), least(|p| p.1));
            places.iter_mut().for_each(|p| *p = (p.0 - x0, p.1 - y0));
            let most = |f: fn(&Point) -> f64| places.iter().map(f).fold(0.0, f64::max);
            let size = (most(|p| p.0) + MARGIN * 1.6, most(|p| p.1) + MARGIN);
            (part, places, size)
        })
        .collect();
    let area: f64 = laid_out.iter().map(|(_, _, (w, h))| w * h).sum();
    let widest = laid_out.iter().map(|(_, _, (w, _))| *w).fold(0.0, f64::max);
    let row = widest.max((area * 1.6).sqrt());
    let mut all = vec![(0.0, 0.0); count];
    let (mut x, mut y, mut height) = (0.0, 0.0, 0.0_f64);
    for (part, places, (w, h)) in laid_out {
        if x > 0.0 && x + w > row {
            (x, y, height) = (0.0, y + height, 0.0);
        }
        for (node, place) in part.into_iter().zip(places) {
            all[node] = (x + place.0, y + place.1);
        }
        x += w;
        height = height.max(h);
    }
    all
}

/// Places for nodes that springs join and that push each other off.
fn springs(count: usize, joined: &[(usize, usize)]) -> Vec<Point> {
    // On a spiral at first: no two places are equal and nothing is symmetrical.
    let mut places: Vec<Point> = (0..count)
        .map(|i| {
            let turn = i as f64 * 2.399_963;
            let away = SPRING * 0.6 * (i as f64 + 1.0).sqrt();
            (away * turn.cos(), away * turn.sin())
        })
        .collect();
    let steps = 600;
    for step in 0..steps {
        let heat = SPRING * 0.4 * (1.0 - f64::from(step) / f64::from(steps));
        let mut force = vec![(0.0, 0.0); count];
        for i in 0..count {
            for j in 0..i {
                let (x, y) = (places[i].0 - places[j].0, places[i].1 - places[j].1);
                let distance = x.hypot(y).max(1.0);
                let push = SPRING * SPRING / distance / distance;
                force[i] = (force[i].0 + x * push, force[i].1 + y * push);
                force[j] = (force[j].0 - x * push, force[j].1 - y * push);
            }
        }
        for &(a, b) in joined {
            let (x, y) = (places[a].0 - places[b].0, places[a].1 - places[b].1);
            let pull = x.hypot(y) / SPRING;
            force[a] = (force[a].0 - x * pull, force[a].1 - y * pull);
            force[b] = (force[b].0 + x * pull, force[b].1 + y * pull);
        }
        for (place, (x, y)) in places.iter_mut().zip(force) {
            // A little gravity keeps large graphs on the page.
            let (x, y) = (x - place.0 * 0.08, y - place.1 * 0.08);
            let size = x.hypot(y).max(1e-9);
            let move_by = size.min(heat) / size;
            *place = (place.0 + x * move_by, place.1 + y * move_by);
        }
    }
    places
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The graph as SVG. Cost: quadratic in the number of vertices and edges.
pub fn svg(graph: &StringGraph) -> String {
    let picture = Picture::new(graph);
    let circles = picture.vertices.len();
    let mut places = layout(&picture);
    let low = |f: fn(&Point) -> f64| places.iter().map(f).fold(f64::INFINITY, f64::min);
    let high = |f: fn(&Point) -> f64| places.iter().map(f).fold(f64::NEG_INFINITY, f64::max);
    let (mut x0, mut y0, mut x1, mut y1) = (low(|p| p.0), low(|p| p.1), high(|p| p.0), high(|p| p.1));
    if places.is_empty() {
        (x0, y0, x1, y1) = (0.0, 0.0, 0.0, 0.0);
    }
    for place in &mut places {
        *place = (place.0 - x0 + MARGIN, place.1 - y0 + MARGIN);
    }
    let notes: Vec<String> = graph.formulas().iter().map(|f| graph.formula_text(f)).collect();
    let widest = notes.iter().map(|n| n.chars().count()).max().unwrap_or(0).min(110);
    let width = (x1 - x0 + 2.0 * MARGIN).max(widest as f64 * 7.0 + 40.0);
    let picture_height = y1 - y0 + 2.0 * MARGIN;
    let height = picture_height + notes.len() as f64 * 18.0 + if notes.is_empty() { 0.0 } else { 12.0 };
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"13\">"
    );
    let _ = writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
    for (e, (_, ends)) in picture.edges.iter().enumerate() {
        let (x, y) = places[circles + e];
        for (order, &v) in ends.iter().enumerate() {
            let (to_x, to_y) = places[v];
            let _ = writeln!(
                out,
                "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{to_x:.1}\" y2=\"{to_y:.1}\" stroke=\"#555\" stroke-width=\"1.2\"/>"
            );
            // Beside the line, nearer to the circle; several lines to one circle do not share a place.
            let length = (to_x - x).hypot(to_y - y).max(1.0);
            let along = 0.42 + 0.12 * order as f64;
            let (nx, ny) = ((to_y - y) / length * 8.0, -(to_x - x) / length * 8.0);
            let (at_x, at_y) = (x + (to_x - x) * along + nx, y + (to_y - y) * along + ny + 3.0);
            let _ = writeln!(
                out,
                "<text x=\"{at_x:.1}\" y=\"{at_y:.1}\" font-size=\"9\" fill=\"#0a58a8\" text-anchor=\"middle\">{}</text>",
                order + 1
            );
        }
    }
    for (i, vertex) in picture.vertices.iter().enumerate() {
        let (x, y) = places[i];
        let (fill, dash) = match vertex {
            Vertex::String(s) if graph.word(*s).is_some() => ("#e8e8e8", ""),
            Vertex::String(_) => ("white", ""),
            Vertex::Int(i) if matches!(graph.int(*i), IntKind::Constant(_)) => {
                ("#e8e8e8", " stroke-dasharray=\"4 3\"")
            }
            Vertex::Int(_) => ("white", " stroke-dasharray=\"4 3\""),
        };
        let name = graph.vertex_name(*vertex);
        let label = short(&name, 14);
        let radius = (SIZE / 2.0).max(label.chars().count() as f64 * 3.9 + 4.0);
        let _ = writeln!(
            out,
            "<ellipse cx=\"{x:.1}\" cy=\"{y:.1}\" rx=\"{radius:.1}\" ry=\"{:.1}\" fill=\"{fill}\" stroke=\"black\"{dash}/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}<title>{}</title></text>",
            SIZE / 2.0,
            y + 4.5,
            escape(&label),
            escape(&name)
        );
    }
    for (e, (label, _)) in picture.edges.iter().enumerate() {
        let (x, y) = places[circles + e];
        let _ = writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" font-style=\"italic\" stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\">{}</text>",
            x + 7.0,
            y - 6.0,
            escape(label)
        );
    }
    for (i, note) in notes.iter().enumerate() {
        let y = picture_height + i as f64 * 18.0;
        let _ = writeln!(
            out,
            "<text x=\"20\" y=\"{y:.1}\" font-size=\"12\">{}</text>",
            escape(&short(note, 110))
        );
    }
    out.push_str("</svg>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::{Edge, Relation};
    use crate::testkit::{Draw, random_graph};
    use harness_model::Alphabet;

    /// Figure 3.8: `s1.trim().equals(s2)` and `s1.equals(s3.concat(s2))`.
    fn figure() -> StringGraph {
        let mut g = StringGraph::new(Alphabet::Ascii);
        let [s1, s2, s3] = ["s1", "s2", "s3"].map(|name| g.declare_string(name));
        let (trimmed, both) = (g.auxiliary(), g.auxiliary());
        g.add_edge(Edge::positive(Relation::Trim { s: s1, r: trimmed }));
        g.add_edge(Edge::positive(Relation::Equal { a: trimmed, b: s2 }));
        g.add_edge(Edge::positive(Relation::Concat { a: s3, b: s2, r: both }));
        g.add_edge(Edge::positive(Relation::Equal { a: s1, b: both }));
        g
    }

    #[test]
    fn figure_3_8_has_five_circles_and_four_dots() {
        let drawn = svg(&figure());
        assert_eq!(drawn.matches("<ellipse").count(), 5);
        assert_eq!(drawn.matches("<circle").count(), 4);
        assert_eq!(drawn.matches("<line").count(), 9);
        assert_eq!(drawn, svg(&figure()));
        let dot = dot(&figure());
        assert_eq!(dot.matches(" -- ").count(), 9);
        assert!(dot.contains("xlabel=\"concat\""));
        if let Some(folder) = std::env::var_os("GRAPH_PICTURES") {
            std::fs::write(std::path::Path::new(&folder).join("figure-3.8.svg"), drawn).unwrap();
            let mut draw = Draw::new(5);
            let big = svg(&random_graph(&mut draw, 8));
            std::fs::write(std::path::Path::new(&folder).join("random.svg"), big).unwrap();
        }
    }

    #[test]
    fn any_graph_is_drawn_without_overlap_of_numbers_that_are_no_numbers() {
        for seed in 0..60 {
            let graph = random_graph(&mut Draw::new(seed), (seed % 9) as usize);
            let drawn = svg(&graph);
            assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
        }
        assert!(svg(&StringGraph::new(Alphabet::Ascii)).ends_with("</svg>\n"));
    }
}
