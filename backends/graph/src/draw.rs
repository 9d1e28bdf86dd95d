//! Pictures of graphs in the manner of the study's figure 3.8: circles for vertices, dots for hyperedges with
//! their operation beside them, lines with small numbers for the order of an edge's vertices.
//!
//! Below the picture stands what no edge says: what auxiliary integers are, and the constraints on integers.
//! An expression stands under the name of its operation; where it is long, its beginning does, and the whole
//! is in a tool tip.
//!
//! [`dot`] leaves the layout to Graphviz. [`svg`] lays out by itself: dots and circles are nodes joined by
//! springs that push each other off, each connected part by itself; the start is fixed, so the same graph is
//! always the same picture.

use std::fmt::Write;

use crate::edge::Vertex;
use crate::graph::{IntKind, StringGraph};
use crate::regex_text::regex_text;

/// Of an expression, so many characters stand in the picture, and so many in its tool tip.
const EXPRESSION: usize = 40;
const TOOL_TIP: usize = 4000;
/// A line below the picture has so many characters; a constraint has so many lines.
const LINE: usize = 110;
const LINES: usize = 12;

/// What is drawn of a graph: vertices that edges join.
struct Picture {
    vertices: Vec<Vertex>,
    edges: Vec<Dot>,
    /// What stands below the picture.
    notes: Vec<String>,
}

/// A hyperedge.
struct Dot {
    name: String,
    expression: Option<String>,
    /// Places in the picture's vertices, in order.
    ends: Vec<usize>,
}

impl Dot {
    /// What stands beside it, line by line.
    fn lines(&self) -> Vec<String> {
        let expression = self.expression.as_ref().map(|text| short(text, EXPRESSION));
        [self.name.clone()].into_iter().chain(expression).collect()
    }

    /// How far its text reaches to the right.
    fn reach(&self) -> f64 {
        let letters = self.lines().iter().map(|line| line.chars().count()).max().unwrap_or(0);
        7.0 + letters as f64 * 6.5
    }
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
            let expression = edge.relation.language();
            let expression = expression.map(|regex| regex_text(regex, graph.alphabet(), TOOL_TIP));
            let ends = places.collect();
            edges.push(Dot { name: edge.to_string(), expression, ends });
        }
        for declaration in graph.declarations() {
            vertices.extend(declaration.vertex.filter(|v| !vertices.contains(v)));
        }
        let definitions =
            graph.definitions().iter().map(|(vertex, what)| graph.definition_text(*vertex, what));
        let notes = definitions.chain(graph.formulas().iter().map(|f| graph.formula_text(f))).collect();
        Self { vertices, edges, notes }
    }
}

/// A text in lines that end between words: at most [`LINES`] of them, of at most [`LINE`] characters unless a
/// word is longer.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let (mut length, mut cut) = (0, false);
    for word in text.split(' ') {
        let letters = word.chars().count();
        if length > 0 && length + 1 + letters > LINE {
            cut = lines.len() == LINES;
            if cut {
                break;
            }
            lines.push("   ".to_owned());
            length = 3;
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(if length > 0 { " " } else { "" });
            line.push_str(word);
            length += letters + usize::from(length > 0);
        }
    }
    if let (true, Some(line)) = (cut, lines.last_mut()) {
        line.push_str(" …");
    }
    lines
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
    let mut out =
        String::from("graph strings {\n  layout=neato; overlap=false; splines=true; forcelabels=true;\n");
    for (i, vertex) in picture.vertices.iter().enumerate() {
        let mut shape = match vertex {
            Vertex::String(_) => "circle".to_owned(),
            Vertex::Int(_) => "circle, style=dashed".to_owned(),
        };
        if is_constant(graph, *vertex) {
            let style = if matches!(vertex, Vertex::Int(_)) { "\"filled,dashed\"" } else { "filled" };
            shape = format!("circle, style={style}, fillcolor=gray90");
        }
        let _ = writeln!(out, "  v{i} [shape={shape}, label=\"{}\"];", quote(&graph.vertex_name(*vertex)));
    }
    for (e, edge) in picture.edges.iter().enumerate() {
        let lines: Vec<String> = edge.lines().iter().map(|line| quote(line)).collect();
        let tip = edge.expression.as_ref().map(|text| format!(", tooltip=\"{}\"", quote(text)));
        let (label, tip) = (lines.join("\\n"), tip.unwrap_or_default());
        let _ = writeln!(out, "  e{e} [shape=point, width=0.08, xlabel=\"{label}\"{tip}];");
        for (order, place) in edge.ends.iter().enumerate() {
            let _ = writeln!(out, "  e{e} -- v{place} [label=\"{}\", fontsize=9];", order + 1);
        }
    }
    if !picture.notes.is_empty() {
        // \l ends a line that begins at the left.
        let lines = picture.notes.iter().flat_map(|note| wrapped(note));
        let text: String = lines.map(|line| quote(&line) + "\\l").collect();
        let _ = writeln!(out, "  integers [shape=plaintext, label=\"{text}\"];");
    }
    out.push_str("}\n");
    out
}

/// Whether a vertex is a word or a number.
fn is_constant(graph: &StringGraph, vertex: Vertex) -> bool {
    match vertex {
        Vertex::String(s) => graph.word(s).is_some(),
        Vertex::Int(i) => matches!(graph.int(i), IntKind::Constant(_)),
    }
}

const SIZE: f64 = 34.0;
const SPRING: f64 = 95.0;
const MARGIN: f64 = 70.0;

/// The most steps of the layout, the fewest, and how often nodes push each other off in all.
const STEPS: u32 = 600;
const LEAST_STEPS: u32 = 12;
const PUSHES: usize = 60_000_000;
/// Beyond so many hyperedges the text of each stands where it always fits.
const CORNERS: usize = 300;

/// A place, or the width and height of something.
type Point = (f64, f64);

/// Places for circles and then dots, in no particular frame: each part that nothing joins to the rest is laid
/// out by itself, and the parts stand beside each other in rows, the largest first.
fn layout(picture: &Picture) -> Vec<Point> {
    let circles = picture.vertices.len();
    let count = circles + picture.edges.len();
    let mut part_of: Vec<usize> = (0..count).collect();
    for (e, edge) in picture.edges.iter().enumerate() {
        for &v in &edge.ends {
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
                    let ends = &picture.edges[part[i] - circles].ends;
                    let part = &part;
                    ends.iter().filter_map(move |v| part.iter().position(|n| n == v).map(|v| (i, v)))
                })
                .collect();
            let mut places = springs(part.len(), &joined);
            let least = |f: fn(&Point) -> f64| places.iter().map(f).fold(f64::INFINITY, f64::min);
            let (x0, y0) = (least(|p| p.0), least(|p| p.1));
            places.iter_mut().for_each(|p| *p = (p.0 - x0, p.1 - y0));
            let most = |f: fn(&Point) -> f64| places.iter().map(f).fold(0.0, f64::max);
            let dots = part.iter().zip(&places).filter(|(node, _)| **node >= circles);
            let text = dots.map(|(node, p)| p.0 + picture.edges[*node - circles].reach()).fold(0.0, f64::max);
            let size = ((most(|p| p.0) + MARGIN * 1.6).max(text + MARGIN), most(|p| p.1) + MARGIN);
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
    // As many steps as the pairs of nodes allow in a second or two; small graphs are at rest long before.
    let pairs = count.saturating_mul(count.saturating_sub(1)) / 2;
    let steps = u32::try_from(PUSHES / pairs.max(1)).unwrap_or(STEPS).clamp(LEAST_STEPS, STEPS);
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

/// Where the text of dot number `e` stands: whether left of it, and how far below its place above the dot. Of
/// the four corners that one which the fewest lines and circles cross, the upper right one before others.
fn corner(picture: &Picture, places: &[Point], e: usize) -> (bool, f64) {
    let circles = picture.vertices.len();
    let ((x, y), reach) = (places[circles + e], picture.edges[e].reach());
    if picture.edges.len() > CORNERS {
        return (false, 16.0 - picture.edges[e].lines().len() as f64 * 16.0);
    }
    let rows = picture.edges[e].lines().len() as f64 * 16.0;
    let above = 16.0 - rows;
    let corners = [(false, above), (true, above), (false, 22.0), (true, 22.0)];
    let crossed = |(left, down): (bool, f64)| {
        let (x0, x1) = if left { (x - reach, x - 5.0) } else { (x + 5.0, x + reach) };
        let (y0, y1) = (y - 18.0 + down, y - 18.0 + down + rows);
        let inside = |(px, py): Point| x0 <= px && px <= x1 && y0 <= py && py <= y1;
        let lines =
            picture.edges.iter().enumerate().flat_map(|(d, dot)| dot.ends.iter().map(move |&v| (d, v)));
        let crossing = lines.filter(|&(d, v)| {
            let (from, to) = (places[circles + d], places[v]);
            let along = |part: i32| f64::from(part) / 40.0;
            (0..=40).map(along).any(|t| inside((from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t)))
        });
        let near = |&(px, py): &Point| {
            x0 - SIZE / 2.0 <= px && px <= x1 + SIZE / 2.0 && y0 - SIZE / 2.0 <= py && py <= y1 + SIZE / 2.0
        };
        crossing.count() + 2 * places[..circles].iter().filter(|place| near(place)).count()
    };
    let fitting = corners.into_iter().filter(|(left, _)| !left || x - reach >= 4.0);
    fitting.min_by_key(|corner| crossed(*corner)).unwrap_or((false, above))
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
    let lines: Vec<String> = picture.notes.iter().flat_map(|note| wrapped(note)).collect();
    let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let texts = picture.edges.iter().zip(&places[circles..]).map(|(edge, place)| place.0 + edge.reach());
    let width =
        (x1 - x0 + 2.0 * MARGIN).max(widest as f64 * 7.0 + 40.0).max(texts.fold(0.0, f64::max) + 10.0);
    let picture_height = y1 - y0 + 2.0 * MARGIN;
    let height = picture_height + lines.len() as f64 * 18.0 + if lines.is_empty() { 0.0 } else { 12.0 };
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"13\">"
    );
    let _ = writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
    for (e, edge) in picture.edges.iter().enumerate() {
        let (x, y) = places[circles + e];
        for (order, &v) in edge.ends.iter().enumerate() {
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
        let fill = if is_constant(graph, *vertex) { "#e8e8e8" } else { "white" };
        let dash = if matches!(vertex, Vertex::Int(_)) { " stroke-dasharray=\"4 3\"" } else { "" };
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
    for (e, edge) in picture.edges.iter().enumerate() {
        let (x, y) = places[circles + e];
        let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>");
        let (left, down) = corner(&picture, &places, e);
        let (from, anchor) = if left { (x - 7.0, " text-anchor=\"end\"") } else { (x + 7.0, "") };
        for (i, line) in edge.lines().iter().enumerate() {
            let tip = edge.expression.as_ref().filter(|_| i > 0);
            let tip = tip.map(|text| format!("<title>{}</title>", escape(text))).unwrap_or_default();
            let look = if i == 0 { "font-style=\"italic\"" } else { "font-size=\"11\"" };
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" {look}{anchor} stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\">{}{tip}</text>",
                from,
                y - 6.0 + down + i as f64 * 16.0,
                escape(line)
            );
        }
    }
    for (i, line) in lines.iter().enumerate() {
        let y = picture_height + i as f64 * 18.0;
        let _ = writeln!(
            out,
            "<text x=\"20\" y=\"{y:.1}\" font-size=\"12\" xml:space=\"preserve\">{}</text>",
            escape(line)
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
            if let Some(file) = std::env::var_os("GRAPH_SCRIPT") {
                let script = harness_smtlib::read(&std::fs::read(file).unwrap()).unwrap();
                let problem = &script.queries[0].problem;
                let graph = StringGraph::of_problem(problem, Alphabet::Unicode).unwrap();
                std::fs::write(std::path::Path::new(&folder).join("script.svg"), svg(&graph)).unwrap();
            }
        }
    }

    #[test]
    fn definitions_constraints_and_expressions_are_in_the_picture() {
        let script = "(declare-const s String)(declare-const i Int)\
                      (assert (= (str.at s (+ i 1)) \"a\"))(assert (str.in_re s (re.+ (re.range \"a\" \"c\"))))\
                      (assert (str.in_re s (re.++ (str.to_re \"<abcdefghijklmnopqrstuvwxyz>\") (re.* re.allchar))))\
                      (assert (= (str.len s) 3))(assert (< i 7))(assert (= (str.at s 2) \"b\"))(check-sat)";
        let queries = harness_smtlib::read(script.as_bytes()).unwrap().queries;
        let graph = StringGraph::of_problem(&queries[0].problem, Alphabet::Unicode).unwrap();
        let (svg, dot) = (svg(&graph), dot(&graph));
        for note in ["i'1 = i + 1", "|s| = 3", "i &lt;= 6"] {
            assert!(svg.contains(note), "{note}: {svg}");
            assert!(dot.contains(&note.replace("&lt;", "<")), "{note}: {dot}");
        }
        assert!(svg.contains(">inRe</text>"));
        assert!(svg.contains("(re.+ (re.range &quot;a&quot; &quot;c&quot;))"));
        assert!(svg.contains("…<title>(re.++ (str.to_re &quot;&lt;abcdefghijklmnopqrstuvwxyz&gt;&quot;) (re.* re.allchar))</title>"));
        assert!(dot.contains("xlabel=\"inRe\\n(re.+ (re.range \\\"a\\\" \\\"c\\\"))\""));
        assert!(dot.contains(
            "…\", tooltip=\"(re.++ (str.to_re \\\"<abcdefghijklmnopqrstuvwxyz>\\\") (re.* re.allchar))\"];"
        ));
        assert!(
            dot.contains("[shape=circle, style=\"filled,dashed\", fillcolor=gray90, label=\"2\"];"),
            "{dot}"
        );
        assert!(dot.contains("\n  integers [shape=plaintext, label=\"i'1 = i + 1\\l"));
    }

    #[test]
    fn a_long_constraint_is_wrapped_and_a_very_long_one_cut() {
        let text = |words: usize| vec!["constraint"; words].join(" ");
        assert_eq!(wrapped(&text(10)), [text(10)]);
        assert_eq!(wrapped(&text(12)), [text(10), format!("    {}", text(2))]);
        let cut = wrapped(&text(5000));
        assert_eq!(cut.len(), LINES);
        assert!(cut[LINES - 1].ends_with(" …"));
        assert!(cut.iter().all(|line| line.chars().count() <= LINE + 2));
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
