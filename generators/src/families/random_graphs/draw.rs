//! Drawing a graph: constants first, then edges, each a kind by weight and vertices for its places.

use std::collections::BTreeMap;

use harness_model::{Char, CharSet, SmtString};

use super::graph::{Edge, Graph, IntVar, Number, Side, Text};
use super::kind::{Kind, Role, Weights};
use crate::random::Random;

/// Everything that decides what is drawn, but for the seed.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    pub(crate) edges: u32,
    pub(crate) weights: Weights,
    pub(crate) string_variables: u32,
    pub(crate) string_constants: u32,
    /// The lengths of constants, from and to.
    pub(crate) constant_length: [u32; 2],
    pub(crate) int_variables: u32,
    pub(crate) int_constants: u32,
    /// The lengths of string variables, from and to.
    pub(crate) length: [u32; 2],
    /// Sorted, without repetition, not empty.
    pub(crate) characters: Vec<Char>,
    pub(crate) slips: bool,
}

/// The published tester's constants for integers are below this.
const PUBLISHED_INTS: u32 = 200;
/// The bounds that the published tester puts on the code of a character.
const PUBLISHED_CODES: [i64; 2] = [32, 127];

/// The vertices to choose from.
struct Pool {
    strings: Vec<Text>,
    /// Variables and constants for positions.
    indices: [Vec<Number>; 2],
    /// Variables and constants for codes of characters.
    codes: [Vec<Number>; 2],
}

impl Profile {
    /// The graph of a stream of random numbers.
    pub(crate) fn draw(&self, random: &mut Random) -> Graph {
        let ints = self.int_variables();
        let pool = self.pool(random, &ints);
        let mut graph = Graph {
            strings: self.string_variables as usize,
            ints,
            min_length: self.length[0],
            max_length: self.length[1],
            characters: CharSet::from_ranges(self.characters.iter().map(|c| (c.0, c.0))),
            edges: Vec::new(),
            sides: Vec::new(),
        };
        for _ in 0..self.edges {
            let kind = Kind::ALL[self.kind(random)];
            let edge = Edge {
                kind,
                strings: self.strings(kind, &pool, random),
                ints: self.ints(kind, &pool, random),
            };
            if self.slips {
                self.add_sides(&edge, &mut graph.sides);
            }
            // A slip of the published tester: it makes the edge and forgets to put it in.
            if !(self.slips && kind == Kind::Trim) {
                graph.edges.push(edge);
            }
        }
        drop_unused(&mut graph);
        graph
    }

    /// Variables for positions, and as many for codes. The published tester has one sort of them, with every
    /// role.
    fn int_variables(&self) -> Vec<IntVar> {
        let (first, last) = (self.characters.first(), self.characters.last());
        let code = |c: Option<&Char>| c.map_or(0, |c| i64::from(c.0));
        let most = i64::from(self.length[1]);
        let var =
            |letter: char, n: u32, low: i64, high: i64| IntVar { name: format!("{letter}{n}"), low, high };
        if self.slips {
            let high = PUBLISHED_CODES[1].max(most);
            return (0..self.int_variables).map(|n| var('i', n, -1, high)).collect();
        }
        let indices = (0..self.int_variables).map(|n| var('i', n, -1, most));
        let codes = (0..self.int_variables).map(|n| var('c', n, code(first), code(last)));
        indices.chain(codes).collect()
    }

    fn pool(&self, random: &mut Random, ints: &[IntVar]) -> Pool {
        let mut strings: Vec<Text> = (0..self.string_variables as usize).map(Text::Var).collect();
        // Another slip: the last character is never drawn.
        let drawn = match self.characters.as_slice() {
            [front @ .., _] if self.slips && !front.is_empty() => front,
            all => all,
        };
        let count = u32::try_from(drawn.len()).unwrap_or(u32::MAX);
        for _ in 0..self.string_constants {
            let [low, high] = self.constant_length;
            let length = low + random.below(high - low + 1);
            let text: SmtString = (0..length).map(|_| drawn[random.below(count) as usize]).collect();
            strings.push(Text::Const(text));
        }
        let limit = if self.slips { PUBLISHED_INTS } else { self.length[1] + 1 };
        let constants: Vec<Number> =
            (0..self.int_constants).map(|_| Number::Const(i64::from(random.below(limit)))).collect();
        let variables = |letter: char| {
            let of = ints.iter().enumerate().filter(|(_, v)| v.name.starts_with(letter));
            of.map(|(place, _)| Number::Var(place)).collect::<Vec<_>>()
        };
        let indices = [variables('i'), constants];
        let codes = if self.slips {
            indices.clone()
        } else {
            let code = |random: &mut Random| i64::from(drawn[random.below(count) as usize].0);
            let constants = (0..self.int_constants).map(|_| Number::Const(code(random))).collect();
            [variables('c'), constants]
        };
        Pool { strings, indices, codes }
    }

    /// A kind by weight. The published tester rounds a real number below the sum of weights to the nearest
    /// integer, so that the first kind has half a share and the last one and a half.
    fn kind(&self, random: &mut Random) -> usize {
        if !self.slips {
            return random.weighted(&self.weights);
        }
        let sum: u32 = self.weights.iter().sum();
        let mut rounded = random.below(2 * sum).div_ceil(2);
        for (index, &weight) in self.weights.iter().enumerate() {
            if rounded < weight {
                return index;
            }
            rounded -= weight;
        }
        self.weights.iter().rposition(|&w| w > 0).unwrap_or(0)
    }

    /// Different vertices, not all of them constants. (The published tester has that second condition for
    /// predicates only.)
    fn strings(&self, kind: Kind, pool: &Pool, random: &mut Random) -> Vec<Text> {
        let count = u32::try_from(pool.strings.len()).unwrap_or(u32::MAX);
        let needs_variable =
            !self.slips || (kind.ints().is_empty() && kind.strings() == 2 && kind != Kind::Trim);
        loop {
            let drawn: Vec<usize> = (0..kind.strings()).map(|_| random.below(count) as usize).collect();
            let mut sorted = drawn.clone();
            sorted.sort_unstable();
            let distinct = sorted.windows(2).all(|pair| pair[0] != pair[1]);
            let variables = drawn.iter().any(|&place| place < self.string_variables as usize);
            if distinct && (variables || !needs_variable) {
                return drawn.into_iter().map(|place| pool.strings[place].clone()).collect();
            }
        }
    }

    /// Each integer is a variable or a constant, equally likely, where there are both.
    fn ints(&self, kind: Kind, pool: &Pool, random: &mut Random) -> Vec<Number> {
        let roles = kind.ints();
        let mut modes: Vec<bool> = roles.iter().map(|_| random.below(2) == 0).collect();
        if self.slips {
            match kind {
                // Positions to cut at are constants, but for the end.
                Kind::Substring => modes[0] = false,
                Kind::SubstringTo => modes[0] = false,
                // Two of the four modes are never drawn: those in which the result is a variable.
                Kind::IndexOfChar | Kind::LastIndexOfChar => modes[1] = false,
                _ => {}
            }
        }
        let pick = |random: &mut Random, role: Role, variable: bool| {
            let [variables, constants] = if role == Role::Code { &pool.codes } else { &pool.indices };
            let from = match (variables.is_empty(), constants.is_empty()) {
                (false, false) if variable => variables,
                (_, false) => constants,
                _ => variables,
            };
            from[random.below(u32::try_from(from.len()).unwrap_or(u32::MAX)) as usize]
        };
        roles.iter().zip(modes).map(|(&role, variable)| pick(random, role, variable)).collect()
    }

    /// What the published tester asserts beside an edge, as far as it does not contradict the edge for every
    /// value.
    fn add_sides(&self, edge: &Edge, sides: &mut Vec<Side>) {
        let most = i64::from(self.length[1]);
        let [low, high] = PUBLISHED_CODES;
        for (&role, &number) in edge.kind.ints().iter().zip(&edge.ints) {
            match (role, edge.kind) {
                (Role::Code, _) => sides.push(Side::Within(number, low, high)),
                (Role::Found, _) | (Role::Index, Kind::Substring | Kind::SubstringTo) => {
                    sides.push(Side::Within(number, 1, most));
                }
                (Role::Index, _) => {}
            }
        }
        if let [source, target @ Text::Const(_)] = edge.strings.as_slice()
            && edge.kind.is_negative()
        {
            sides.push(Side::NoShorter(source.clone(), target.clone()));
        }
    }
}

/// Leaves out the integer variables that nothing mentions.
fn drop_unused(graph: &mut Graph) {
    let mut used = vec![false; graph.ints.len()];
    let sides = |side: &Side| match side {
        Side::Within(number, ..) => Some(*number),
        Side::NoShorter(..) => None,
    };
    let numbers = graph.edges.iter().flat_map(|e| e.ints.iter().copied());
    for number in numbers.chain(graph.sides.iter().filter_map(sides)) {
        if let Number::Var(v) = number {
            used[v] = true;
        }
    }
    let place = |v: usize| used[..v].iter().filter(|u| **u).count();
    let renumber = |number: &mut Number| {
        if let Number::Var(v) = number {
            *v = place(*v);
        }
    };
    graph.edges.iter_mut().flat_map(|e| &mut e.ints).for_each(renumber);
    for side in &mut graph.sides {
        if let Side::Within(number, ..) = side {
            renumber(number);
        }
    }
    let mut keep = used.iter();
    graph.ints.retain(|_| keep.next().copied().unwrap_or(false));
}

/// How often each kind occurs in `graphs`.
pub fn tally<'a>(graphs: impl IntoIterator<Item = &'a Graph>) -> BTreeMap<Kind, usize> {
    let mut counts = BTreeMap::new();
    for edge in graphs.into_iter().flat_map(|g| &g.edges) {
        *counts.entry(edge.kind).or_default() += 1;
    }
    counts
}
