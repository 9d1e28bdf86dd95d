//! Equal characters at fixed lengths: what edges say of single places, as a graph of cells.
//!
//! A cell is a place of a vertex, or a letter. A positive edge that puts one word into another links cells
//! that have the same character in every solution of the edge; a constant's place is linked with its letter.
//! So a guess has no solution where two letters are linked by a path, or where an edge asks of linked cells
//! that some differ: a negative edge, or a first or last occurrence, which excludes all places before or
//! behind it.
//! Languages see none of this: `w = p·q`, `w = r·t`, `x = p·p·q·q` and `x' = r·r·t·t` with `q` and `t` empty
//! leave every word to `p`, and a search would try them all.
//!
//! Invariant: a link holds in every solution of its edge with the guessed integers, whatever the other edges
//! say.
//!
//! Source: ours; it is the fixed-length case of word equations.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use backends_api::{Budget, Stop};
use backends_graph::reasons::Reasons;
use backends_graph::{Edge, IntAssignment, Relation, StringGraph, StringVertex};
use harness_model::int::Int;
use harness_model::{Char, SmtString};

/// Longer guesses are left to the languages, unless edges put words together and do nothing else.
const MOST_CELLS: usize = 1 << 12;

/// Still longer ones always are.
const MOST_LONG_CELLS: usize = 1 << 20;

/// Words of these lengths, or the edges that exclude them, where that is decided by equal characters alone and
/// words are too long for anything else: each edge puts words together, or says that they are equal. Then
/// characters that are not linked with a letter may be any. `None` for any other graph. Cost: linear in the
/// characters.
pub(crate) fn decided(
    graph: &StringGraph,
    guess: &IntAssignment<'_>,
    budget: &Budget,
) -> Result<Option<Result<Vec<SmtString>, Reasons>>, Stop> {
    let length = |vertex| guess.length(vertex);
    let links = |edge: &Edge| match edge.relation {
        Relation::Concat { a, b, r } => edge.positive && length(a) + length(b) == length(r),
        Relation::Equal { a, b } => edge.positive && length(a) == length(b),
        Relation::StartsWith { .. }
        | Relation::EndsWith { .. }
        | Relation::Contains { .. }
        | Relation::Substr { .. }
        | Relation::At { .. }
        | Relation::IndexOf { .. }
        | Relation::LastIndexOf { .. }
        | Relation::CharAt { .. }
        | Relation::ToCode { .. }
        | Relation::FromCode { .. }
        | Relation::InRe { .. }
        | Relation::IsDigit { .. }
        | Relation::Less { .. }
        | Relation::LessEqual { .. }
        | Relation::CompareTo { .. }
        | Relation::Trim { .. }
        | Relation::ToLower { .. }
        | Relation::ToUpper { .. }
        | Relation::Replace { .. }
        | Relation::ReplaceAll { .. }
        | Relation::ReplaceRe { .. }
        | Relation::ReplaceReAll { .. }
        | Relation::ToInt { .. }
        | Relation::FromInt { .. } => false,
    };
    let count = graph.string_vertices().map(length).fold(0, usize::saturating_add);
    if !(MOST_CELLS..=MOST_LONG_CELLS).contains(&count) || !graph.edges().iter().all(links) {
        return Ok(None);
    }
    let Some(any) = graph.characters().ranges().first().map(|range| Char(range.0)) else { return Ok(None) };
    let Some(cells) = Cells::of(graph, guess, MOST_LONG_CELLS, budget)? else { return Ok(None) };
    if let Some(core) = cells.two_letters(budget)? {
        return Ok(Some(Err(core)));
    }
    let letters: HashMap<usize, Char> =
        cells.letters.iter().map(|(letter, &cell)| (cells.part[cell], *letter)).collect();
    let word = |vertex: StringVertex| -> SmtString {
        let first = cells.first[vertex.index()];
        let part = &cells.part[first..first + length(vertex)];
        part.iter().map(|part| letters.get(part).copied().unwrap_or(any)).collect()
    };
    Ok(Some(Ok(graph.string_vertices().map(word).collect())))
}

/// Edges that have no solution with these integers, if links show that there are some.
pub(crate) fn refuted(
    graph: &StringGraph,
    guess: &IntAssignment<'_>,
    budget: &Budget,
) -> Result<Option<Reasons>, Stop> {
    let Some(cells) = Cells::of(graph, guess, MOST_CELLS, budget)? else { return Ok(None) };
    if let Some(core) = cells.two_letters(budget)? {
        return Ok(Some(core));
    }
    for (place, edge) in graph.edges().iter().enumerate() {
        budget.tick()?;
        let Some(mut core) = cells.contradicts(edge, guess, budget)? else { continue };
        core.insert(place);
        return Ok(Some(core));
    }
    Ok(None)
}

/// Cells and their links.
struct Cells {
    /// The first cell of each vertex.
    first: Vec<usize>,
    /// For each cell its neighbours, each with the edge that links them; `None` for a constant's own letter.
    links: Vec<Vec<(usize, Option<usize>)>>,
    /// The cells of letters.
    letters: HashMap<Char, usize>,
    /// The connected part that each cell is in.
    part: Vec<usize>,
}

impl Cells {
    /// `None` when there are too many, or no edge links any.
    fn of(
        graph: &StringGraph,
        guess: &IntAssignment<'_>,
        most: usize,
        budget: &Budget,
    ) -> Result<Option<Self>, Stop> {
        let mut first = Vec::with_capacity(graph.strings().len());
        let mut count = 0_usize;
        for vertex in graph.string_vertices() {
            first.push(count);
            count = count.saturating_add(guess.length(vertex));
        }
        if count > most {
            return Ok(None);
        }
        let (links, letters) = (vec![Vec::new(); count], HashMap::new());
        let mut this = Self { first, links, letters, part: Vec::new() };
        for (place, edge) in graph.edges().iter().enumerate().filter(|(_, edge)| edge.positive) {
            budget.tick()?;
            this.add(place, &edge.relation, guess);
        }
        if this.links.iter().all(Vec::is_empty) {
            return Ok(None);
        }
        for vertex in graph.string_vertices() {
            for (i, &letter) in graph.word(vertex).iter().flat_map(|word| word.chars()).enumerate() {
                let letter = this.letter(letter);
                this.link(this.first[vertex.index()] + i, letter, None);
            }
        }
        this.settle(budget)?;
        Ok(Some(this))
    }

    fn letter(&mut self, letter: Char) -> usize {
        let next = self.links.len();
        let cell = *self.letters.entry(letter).or_insert(next);
        if cell == next {
            self.links.push(Vec::new());
        }
        cell
    }

    fn link(&mut self, a: usize, b: usize, edge: Option<usize>) {
        self.links[a].push((b, edge));
        self.links[b].push((a, edge));
    }

    /// The whole of `part` stands in `whole` from the place `at` on.
    fn inside(
        &mut self,
        edge: usize,
        part: StringVertex,
        whole: StringVertex,
        at: usize,
        guess: &IntAssignment<'_>,
    ) {
        let length = guess.length(part);
        // Otherwise the guess is refuted by the lengths alone, elsewhere.
        if at.checked_add(length).is_some_and(|end| end <= guess.length(whole)) {
            for i in 0..length {
                self.link(self.first[part.index()] + i, self.first[whole.index()] + at + i, Some(edge));
            }
        }
    }

    /// The character of this code stands in `s` at the place `at`.
    fn code(
        &mut self,
        edge: usize,
        s: StringVertex,
        at: usize,
        code: Option<u32>,
        guess: &IntAssignment<'_>,
    ) {
        if let Some(code) = code
            && at < guess.length(s)
        {
            let letter = self.letter(Char(code));
            self.link(self.first[s.index()] + at, letter, Some(edge));
        }
    }

    /// The links of a positive edge.
    fn add(&mut self, edge: usize, relation: &Relation, guess: &IntAssignment<'_>) {
        let number = |i| guess.int(i).small().and_then(|i| usize::try_from(i).ok());
        let code = |i| guess.int(i).small().and_then(|i| u32::try_from(i).ok());
        match *relation {
            Relation::Equal { a, b } => self.inside(edge, a, b, 0, guess),
            Relation::Concat { a, b, r } => {
                self.inside(edge, a, r, 0, guess);
                self.inside(edge, b, r, guess.length(a), guess);
            }
            Relation::StartsWith { s, t } => self.inside(edge, t, s, 0, guess),
            Relation::EndsWith { s, t } => {
                if let Some(at) = guess.length(s).checked_sub(guess.length(t)) {
                    self.inside(edge, t, s, at, guess);
                }
            }
            // A result that is not empty stands at the place.
            Relation::Substr { s, from: i, r, .. } | Relation::At { s, i, r } => {
                if let Some(at) = number(i) {
                    self.inside(edge, r, s, at, guess);
                }
            }
            Relation::IndexOf { s, t, i, .. } | Relation::LastIndexOf { s, t, i, .. } => {
                if let Some(at) = number(i) {
                    self.inside(edge, t, s, at, guess);
                }
            }
            Relation::CharAt { s, i, c } => {
                if let Some(at) = number(i) {
                    self.code(edge, s, at, code(c), guess);
                }
            }
            Relation::ToCode { s, c } | Relation::FromCode { c, r: s } if guess.length(s) == 1 => {
                self.code(edge, s, 0, code(c), guess);
            }
            // Nothing is trimmed.
            Relation::Trim { s, r } if guess.length(s) == guess.length(r) => {
                self.inside(edge, s, r, 0, guess);
            }
            // What these put into another word, if anything, they change or put where no number says.
            Relation::ToCode { .. }
            | Relation::FromCode { .. }
            | Relation::Contains { .. }
            | Relation::InRe { .. }
            | Relation::IsDigit { .. }
            | Relation::Less { .. }
            | Relation::LessEqual { .. }
            | Relation::CompareTo { .. }
            | Relation::Trim { .. }
            | Relation::ToLower { .. }
            | Relation::ToUpper { .. }
            | Relation::Replace { .. }
            | Relation::ReplaceAll { .. }
            | Relation::ReplaceRe { .. }
            | Relation::ReplaceReAll { .. }
            | Relation::ToInt { .. }
            | Relation::FromInt { .. } => {}
        }
    }

    /// Finds the connected parts.
    fn settle(&mut self, budget: &Budget) -> Result<(), Stop> {
        let mut part = vec![usize::MAX; self.links.len()];
        for start in 0..part.len() {
            if part[start] != usize::MAX {
                continue;
            }
            part[start] = start;
            let mut waiting = vec![start];
            while let Some(cell) = waiting.pop() {
                budget.tick()?;
                for &(next, _) in &self.links[cell] {
                    if part[next] == usize::MAX {
                        part[next] = start;
                        waiting.push(next);
                    }
                }
            }
        }
        self.part = part;
        Ok(())
    }

    /// The edges of a shortest path between two cells of one part.
    fn path(&self, from: usize, to: usize, core: &mut Reasons, budget: &Budget) -> Result<(), Stop> {
        let mut before: HashMap<usize, (usize, Option<usize>)> = HashMap::new();
        let mut waiting = VecDeque::from([from]);
        while let Some(cell) = waiting.pop_front() {
            budget.tick()?;
            if cell == to {
                break;
            }
            for &(next, edge) in &self.links[cell] {
                if next != from && !before.contains_key(&next) {
                    before.insert(next, (cell, edge));
                    waiting.push_back(next);
                }
            }
        }
        let mut at = to;
        while let Some(&(previous, edge)) = before.get(&at).filter(|_| at != from) {
            if let Some(edge) = edge {
                core.insert(edge);
            }
            at = previous;
        }
        Ok(())
    }

    /// Two letters that would have to be the same.
    fn two_letters(&self, budget: &Budget) -> Result<Option<Reasons>, Stop> {
        let mut letter_of: HashMap<usize, usize> = HashMap::new();
        let mut letters: Vec<usize> = self.letters.values().copied().collect();
        letters.sort_unstable();
        for cell in letters {
            if let Some(other) = letter_of.insert(self.part[cell], cell) {
                let mut core = Reasons::new();
                self.path(other, cell, &mut core, budget)?;
                return Ok(Some(core));
            }
        }
        Ok(None)
    }

    /// Why the words of `t` and of `s` from the place `at` on are the same, if links show that.
    fn same(
        &self,
        t: StringVertex,
        s: StringVertex,
        at: usize,
        guess: &IntAssignment<'_>,
        budget: &Budget,
    ) -> Result<Option<Reasons>, Stop> {
        let cells = |i: usize| (self.first[t.index()] + i, self.first[s.index()] + at + i);
        let length = guess.length(t);
        let is_same = (0..length).map(cells).all(|(a, b)| self.part[a] == self.part[b]);
        if !is_same {
            return Ok(None);
        }
        let mut core = Reasons::new();
        for (a, b) in (0..length).map(cells).filter(|(a, b)| a != b) {
            self.path(a, b, &mut core, budget)?;
        }
        Ok(Some(core))
    }

    /// Why what the edge excludes is so, if links show that.
    fn contradicts(
        &self,
        edge: &Edge,
        guess: &IntAssignment<'_>,
        budget: &Budget,
    ) -> Result<Option<Reasons>, Stop> {
        let Some((s, t, places)) = excluded(edge, guess) else { return Ok(None) };
        for at in places {
            budget.tick()?;
            if let Some(core) = self.same(t, s, at, guess, budget)? {
                return Ok(Some(core));
            }
        }
        Ok(None)
    }
}

/// The places of one word at which another one does not stand if the edge holds; it would fit at each of
/// them.
fn excluded(edge: &Edge, guess: &IntAssignment<'_>) -> Option<(StringVertex, StringVertex, Range<usize>)> {
    // The last place of the second word in the first one.
    let last = |s, t| guess.length(s).checked_sub(guess.length(t));
    let is_absent = |i| *guess.int(i) == Int::MINUS_ONE;
    match edge.relation {
        Relation::Equal { a, b } if !edge.positive => {
            (guess.length(a) == guess.length(b)).then_some((a, b, 0..1))
        }
        Relation::StartsWith { s, t } if !edge.positive => last(s, t).map(|_| (s, t, 0..1)),
        Relation::EndsWith { s, t } if !edge.positive => last(s, t).map(|last| (s, t, last..last + 1)),
        Relation::Contains { s, t } if !edge.positive => last(s, t).map(|last| (s, t, 0..last + 1)),
        Relation::IndexOf { s, t, from, i } => {
            let (last, from) = (last(s, t)?, guess.int(from).position(guess.length(s))?);
            let end = if is_absent(i) { last + 1 } else { guess.int(i).position(last)? };
            Some((s, t, from..end))
        }
        Relation::LastIndexOf { s, t, from, i } if !guess.int(from).is_negative() => {
            let last = last(s, t)?;
            let end = guess.int(from).position(last).unwrap_or(last) + 1;
            let start = if is_absent(i) { 0 } else { guess.int(i).position(last)? + 1 };
            Some((s, t, start..end))
        }
        Relation::Equal { .. }
        | Relation::StartsWith { .. }
        | Relation::EndsWith { .. }
        | Relation::Contains { .. }
        | Relation::Concat { .. }
        | Relation::Substr { .. }
        | Relation::At { .. }
        | Relation::LastIndexOf { .. }
        | Relation::CharAt { .. }
        | Relation::ToCode { .. }
        | Relation::FromCode { .. }
        | Relation::InRe { .. }
        | Relation::IsDigit { .. }
        | Relation::Less { .. }
        | Relation::LessEqual { .. }
        | Relation::CompareTo { .. }
        | Relation::Trim { .. }
        | Relation::ToLower { .. }
        | Relation::ToUpper { .. }
        | Relation::Replace { .. }
        | Relation::ReplaceAll { .. }
        | Relation::ReplaceRe { .. }
        | Relation::ReplaceReAll { .. }
        | Relation::ToInt { .. }
        | Relation::FromInt { .. } => None,
    }
}
