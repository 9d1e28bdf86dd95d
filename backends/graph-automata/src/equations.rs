//! Equations of words within languages of words of every length, without a guess.
//!
//! A word that is put together in two ways is an equation of two rows of characters and unknown words, and
//! each unknown word has a language. The rows are taken apart from their beginnings: of two words that stand
//! first, one is empty, or they are equal, or one begins with the other; of a word and a character, the word
//! is empty or begins with it. Each case is the equation of what is left, with what is left of the languages.
//! Where all cases end in contradictions, or in equations that were there before, there is no solution: in
//! each step the unknown words have fewer characters in all, or as many and are fewer, so of the equations
//! that are met the one with the smallest solution would lead to a smaller one.
//!
//! Before that, powers: where `y^n = z1^n·…·zk^n`, `2 ≤ k ≤ n`, all of these words are powers of one word, so
//! any two of them commute, and `zi·zj = zj·zi` is an equation that often ends at once.
//!
//! Nothing is looked at beyond some bounds. Where an equation by itself has a solution, its words are only
//! suggested: what else is said of them, and of their lengths, is not looked at. Sources: Nielsen's
//! transformations, with languages as in Abdulla et al., *String constraints for verification* (2014); Appel
//! and Djorup, *On the equation z1^n z2^n … zk^n = y^n in a free semigroup* (1968), of which Lyndon and
//! Schützenberger had `k = 2`.

use std::collections::BTreeMap;
use std::rc::Rc;

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use backends_automata::{AutomataContext, Sfa, SfaBuilder, StateId, shortest_word, trim};
use backends_graph::reasons::Reasons;
use backends_graph::{Relation, StringGraph, StringVertex};
use harness_model::{Char, SmtString};
use rustc_hash::{FxHashMap, FxHashSet};

/// Longer rows are left alone.
const MOST_ITEMS: usize = 64;
/// So many equations are looked at for one.
const MOST_EQUATIONS: usize = 600;
/// So many languages are kept for one graph.
const MOST_LANGUAGES: usize = 120;
/// Languages with more states are taken for all words.
const MOST_STATES: usize = 24;

/// A character, or a word that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Item {
    Char(Char),
    Word(StringVertex),
}

type Row = Vec<Item>;

/// A language that was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct LanguageId(usize);

/// Two rows that are equal, and the languages of the words in them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Equation {
    sides: [Row; 2],
    languages: BTreeMap<StringVertex, LanguageId>,
}

/// A case of an equation.
struct Case {
    equation: Equation,
    /// The languages of all words that are not gone, those among them that stand in no row any more.
    alive: BTreeMap<StringVertex, LanguageId>,
    /// Of which case, by number, it is one, and what stands for which word in it.
    of: Option<(usize, StringVertex, Row)>,
}

/// How the search for a solution of one equation ended.
enum Outcome {
    /// There is none.
    Refuted,
    /// These words are one of it, if their languages were not made larger.
    Solved(BTreeMap<StringVertex, SmtString>),
}

/// What is to be said of the equations of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// These edges have no solution together.
    Refuted(Reasons),
    /// Words that solve some of the equations, each by itself, and nothing more.
    Suggested(BTreeMap<StringVertex, SmtString>),
}

/// What is to be said of an equation at once.
enum Look {
    /// It has no solution.
    Never,
    /// It has one, or nothing more can be said.
    Open,
    /// It depends.
    Depends,
}

/// Why the search was given up.
enum GivenUp {
    Bound,
    Stop(Stop),
}

impl From<Stop> for GivenUp {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Steps(_) | Stop::Size { .. } => Self::Bound,
            other => Self::Stop(other),
        }
    }
}

/// What the equations of `graph` say within `languages`, each of which depends on the edges of `reasons`.
///
/// # Errors
///
/// The end of the time; the end of the context's steps is none.
pub(crate) fn look_at<A: BooleanAlgebra>(
    graph: &StringGraph,
    context: &AutomataContext<A>,
    languages: &[Rc<Sfa<A::Set>>],
    reasons: &[Reasons],
    budget: &Budget,
) -> Result<Said, Stop> {
    let mut suggested = BTreeMap::new();
    let mut search = Search { context, budget, languages: Vec::new(), pieces: FxHashMap::default() };
    for (sides, edges) in rows(graph) {
        let mut all = vec![sides.clone()];
        all.extend(commuting(&sides));
        for (number, sides) in all.into_iter().enumerate() {
            let mut words: Vec<StringVertex> = Vec::new();
            for item in sides.iter().flatten() {
                if let Item::Word(word) = item
                    && !words.contains(word)
                {
                    words.push(*word);
                }
            }
            match search.solve(sides, &words, languages) {
                // Words that commute are a consequence, whose solutions need not be those of the equation.
                Ok(Outcome::Solved(values)) if number == 0 => {
                    values.into_iter().for_each(|(word, value)| {
                        suggested.entry(word).or_insert(value);
                    });
                }
                Ok(Outcome::Solved(_)) | Err(GivenUp::Bound) => {}
                Err(GivenUp::Stop(stop)) => return Err(stop),
                Ok(Outcome::Refuted) => {
                    let mut core = Reasons::new();
                    edges.iter().for_each(|&edge| core.insert(edge));
                    words.iter().for_each(|word| core.extend(&reasons[word.index()]));
                    return Ok(Said::Refuted(core));
                }
            }
        }
    }
    Ok(Said::Suggested(suggested))
}

/// The equations of the graph, each with the edges that it holds because of.
fn rows(graph: &StringGraph) -> Vec<([Row; 2], Vec<usize>)> {
    let mut parts: BTreeMap<StringVertex, Vec<(StringVertex, StringVertex, usize)>> = BTreeMap::new();
    for (place, edge) in graph.edges().iter().enumerate() {
        if let (Relation::Concat { a, b, r }, true) = (&edge.relation, edge.positive) {
            parts.entry(*r).or_default().push((*a, *b, place));
        }
    }
    let mut all = Vec::new();
    for (whole, ways) in &parts {
        let mut rows: Vec<(Row, Vec<usize>)> = Vec::new();
        if let Some(word) = graph.word(*whole).filter(|word| word.len() <= MOST_ITEMS) {
            rows.push((word.chars().iter().copied().map(Item::Char).collect(), Vec::new()));
        }
        for &(a, b, edge) in ways {
            rows.extend(row(graph, &parts, [a, b], edge));
        }
        let Some(((first, first_edges), others)) = rows.split_first() else { continue };
        for (other, edges) in others {
            all.push(([first.clone(), other.clone()], [first_edges.as_slice(), edges].concat()));
        }
    }
    all
}

/// Two words one after the other, taken apart as far as they are put together of others.
fn row(
    graph: &StringGraph,
    parts: &BTreeMap<StringVertex, Vec<(StringVertex, StringVertex, usize)>>,
    [a, b]: [StringVertex; 2],
    edge: usize,
) -> Option<(Row, Vec<usize>)> {
    let (mut items, mut edges) = (Row::new(), vec![edge]);
    let mut waiting = vec![b, a];
    let mut steps = 0;
    while let Some(word) = waiting.pop() {
        steps += 1;
        if items.len() + waiting.len() > MOST_ITEMS || steps > 4 * MOST_ITEMS {
            return None;
        }
        if let Some(known) = graph.word(word) {
            items.extend(known.chars().iter().copied().map(Item::Char));
        } else if let Some(&(a, b, edge)) = parts.get(&word).and_then(|ways| ways.first()) {
            edges.push(edge);
            waiting.extend([b, a]);
        } else {
            items.push(Item::Word(word));
        }
    }
    (items.len() <= MOST_ITEMS).then_some((items, edges))
}

/// Equations that say that words commute which are powers of one word because of this equation.
fn commuting(sides: &[Row; 2]) -> Vec<[Row; 2]> {
    let mut all = Vec::new();
    for (power, product) in [(&sides[0], &sides[1]), (&sides[1], &sides[0])] {
        for exponent in 2..=power.len() {
            if !power.len().is_multiple_of(exponent)
                || !power.chunks(power.len() / exponent).all(|part| *part == power[..power.len() / exponent])
            {
                continue;
            }
            let Some(factors) = powers(product, exponent) else { continue };
            if factors.len() < 2 || factors.len() > exponent {
                continue;
            }
            for (i, one) in factors.iter().enumerate() {
                for other in &factors[i + 1..] {
                    all.push([[*one, *other].concat(), [*other, *one].concat()]);
                }
            }
        }
    }
    all
}

/// The row as a product of parts that each stand `exponent` times one after the other, the shortest first;
/// `None` if it is none. Neighbours that are the same part are one power of it.
fn powers(row: &[Item], exponent: usize) -> Option<Vec<&[Item]>> {
    let mut factors: Vec<&[Item]> = Vec::new();
    let mut rest = row;
    while !rest.is_empty() {
        let length = (1..=rest.len() / exponent)
            .find(|&n| rest[..n * exponent].chunks(n).all(|part| *part == rest[..n]))?;
        if factors.last() != Some(&&rest[..length]) {
            factors.push(&rest[..length]);
        }
        rest = &rest[length * exponent..];
    }
    Some(factors)
}

struct Search<'s, A: BooleanAlgebra> {
    context: &'s AutomataContext<A>,
    budget: &'s Budget,
    /// Each language once; none has the empty word alone taken away unless it was asked for.
    languages: Vec<Sfa<A::Set>>,
    /// For each language that was taken apart at its states: beginnings and what follows them.
    pieces: FxHashMap<LanguageId, Vec<(LanguageId, LanguageId)>>,
}

impl<A: BooleanAlgebra> Search<'_, A> {
    /// Looks at all ways in which the rows could be equal, up to the first one that they are equal in.
    fn solve(
        &mut self,
        sides: [Row; 2],
        words: &[StringVertex],
        known: &[Rc<Sfa<A::Set>>],
    ) -> Result<Outcome, GivenUp> {
        let mut languages = BTreeMap::new();
        for &word in words {
            let Some(language) = self.keep(&known[word.index()])? else {
                return Ok(Outcome::Refuted);
            };
            languages.insert(word, language);
        }
        let mut seen: FxHashSet<Equation> = FxHashSet::default();
        let mut met: Vec<Case> = Vec::new();
        let alive = languages.clone();
        let mut waiting = vec![Case { equation: Equation { sides, languages }, alive, of: None }];
        while let Some(mut case) = waiting.pop() {
            case.alive.extend(&case.equation.languages);
            match self.look(&mut case.equation) {
                Look::Never => continue,
                Look::Open => return self.values(&met, case).map(Outcome::Solved),
                Look::Depends => {}
            }
            if !seen.insert(case.equation.clone()) {
                continue;
            }
            let long = case.equation.sides.iter().any(|side| side.len() > 2 * MOST_ITEMS);
            if long || seen.len() > MOST_EQUATIONS {
                return Err(GivenUp::Bound);
            }
            self.budget.look()?;
            let others = waiting.len();
            self.cases(&case, met.len(), &mut waiting)?;
            met.push(case);
            // Those with fewer words first: where one of them has a solution, the search ends.
            waiting[others..].reverse();
        }
        Ok(Outcome::Refuted)
    }

    /// The words of a case whose rows are equal, or whose words in rows are all empty, back to the first one.
    fn values(&self, met: &[Case], case: Case) -> Result<BTreeMap<StringVertex, SmtString>, GivenUp> {
        let mut values: BTreeMap<StringVertex, SmtString> = BTreeMap::new();
        for (&word, &language) in &case.alive {
            let is_left = case.equation.sides.iter().flatten().any(|item| *item == Item::Word(word));
            let value = match is_left {
                true => None,
                false => {
                    shortest_word(self.context.algebra(), &self.languages[language.0], &self.context.budget)?
                }
            };
            values.insert(word, value.unwrap_or_default());
        }
        let mut of = case.of;
        while let Some((number, word, items)) = of {
            let mut value: Vec<Char> = Vec::new();
            for item in &items {
                match item {
                    Item::Char(c) => value.push(*c),
                    Item::Word(word) => {
                        value.extend(values.get(word).into_iter().flat_map(|value| value.chars().iter()));
                    }
                }
            }
            values.insert(word, SmtString::from(value));
            of = met[number].of.clone();
        }
        Ok(values)
    }

    /// Keeps a language; `None` if it is empty. A larger one in its place loses no solution.
    fn keep(&mut self, language: &Sfa<A::Set>) -> Result<Option<LanguageId>, GivenUp> {
        let language = trim(language, &self.context.budget)?;
        if self.context.is_empty(&language)? {
            return Ok(None);
        }
        let language = if language.states() > MOST_STATES { self.context.all_words()? } else { language };
        for (place, known) in self.languages.iter().enumerate() {
            if self.context.is_subset(&language, known)? && self.context.is_subset(known, &language)? {
                return Ok(Some(LanguageId(place)));
            }
        }
        if self.languages.len() == MOST_LANGUAGES {
            return Err(GivenUp::Bound);
        }
        self.languages.push(self.context.minimise(&language)?);
        Ok(Some(LanguageId(self.languages.len() - 1)))
    }

    fn has_empty(&self, language: LanguageId) -> bool {
        let language = &self.languages[language.0];
        language.is_final(language.initial())
    }

    fn nonempty(&mut self, language: LanguageId) -> Result<Option<LanguageId>, GivenUp> {
        if !self.has_empty(language) {
            return Ok(Some(language));
        }
        let some = self.context.nonempty_words()?;
        let rest = self.context.intersection(&self.languages[language.0], &some)?;
        self.keep(&rest)
    }

    /// Takes equal beginnings and ends away, and says what can be said of the rest.
    fn look(&self, equation: &mut Equation) -> Look {
        let [left, right] = &mut equation.sides;
        let start = left.iter().zip(right.iter()).take_while(|(a, b)| a == b).count();
        left.drain(..start);
        right.drain(..start);
        let end = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
        left.truncate(left.len() - end);
        right.truncate(right.len() - end);
        let languages = &mut equation.languages;
        languages.retain(|word, _| left.iter().chain(right.iter()).any(|item| *item == Item::Word(*word)));
        let differ = |a: Option<&Item>, b: Option<&Item>| matches!((a, b), (Some(Item::Char(a)), Some(Item::Char(b))) if a != b);
        if differ(left.first(), right.first()) || differ(left.last(), right.last()) {
            return Look::Never;
        }
        if left.is_empty() && right.is_empty() {
            return Look::Open;
        }
        // What one side has more of than the other: if only one has more, that is all empty.
        let mut counts: BTreeMap<Item, i64> = BTreeMap::new();
        left.iter().for_each(|item| *counts.entry(*item).or_default() += 1);
        right.iter().for_each(|item| *counts.entry(*item).or_default() -= 1);
        counts.retain(|_, count| *count != 0);
        let one_sided = counts.values().all(|count| *count > 0) || counts.values().all(|count| *count < 0);
        let has_characters = |item: &Item| match item {
            Item::Char(_) => true,
            Item::Word(word) => !self.has_empty(languages[word]),
        };
        if one_sided && counts.keys().any(has_characters) {
            return Look::Never;
        }
        if left.is_empty() || right.is_empty() { Look::Open } else { Look::Depends }
    }

    /// The equations that are left in each case of how the first items of both sides are related.
    fn cases(&mut self, case: &Case, number: usize, waiting: &mut Vec<Case>) -> Result<(), GivenUp> {
        let equation = &case.equation;
        let replaced = |word, items: &[Item], language| case.replaced(number, word, items, language);
        let (Some(&a), Some(&b)) = (equation.sides[0].first(), equation.sides[1].first()) else {
            return Ok(());
        };
        for word in [a, b] {
            if let Item::Word(word) = word
                && self.has_empty(equation.languages[&word])
            {
                waiting.push(replaced(word, &[], None));
            }
        }
        match (a, b) {
            (Item::Word(x), Item::Word(y)) => {
                let (of_x, of_y) = (equation.languages[&x], equation.languages[&y]);
                let (Some(of_x), Some(of_y)) = (self.nonempty(of_x)?, self.nonempty(of_y)?) else {
                    return Ok(());
                };
                let both = self.context.intersection(&self.languages[of_x.0], &self.languages[of_y.0])?;
                if let Some(both) = self.keep(&both)? {
                    let mut same = replaced(x, &[Item::Word(y)], None);
                    same.equation.languages.insert(y, both);
                    waiting.push(same);
                }
                for (longer, shorter, of_longer, of_shorter) in [(x, y, of_x, of_y), (y, x, of_y, of_x)] {
                    for (start, rest) in self.pieces(of_longer)? {
                        let start = self
                            .context
                            .intersection(&self.languages[start.0], &self.languages[of_shorter.0])?;
                        let Some(start) = self.keep(&start)? else { continue };
                        let items = [Item::Word(shorter), Item::Word(longer)];
                        let mut rest = replaced(longer, &items, Some(rest));
                        rest.equation.languages.insert(shorter, start);
                        waiting.push(rest);
                    }
                }
            }
            (Item::Word(x), Item::Char(c)) | (Item::Char(c), Item::Word(x)) => {
                let first = self.context.word(&SmtString::from(vec![c]))?;
                let language = &self.languages[equation.languages[&x].0];
                let rest = self.context.left_quotient(language, &first)?;
                let ends = rest.is_final(rest.initial());
                if ends {
                    waiting.push(replaced(x, &[Item::Char(c)], None));
                }
                let some = self.context.nonempty_words()?;
                let rest = self.context.intersection(&rest, &some)?;
                if let Some(rest) = self.keep(&rest)? {
                    waiting.push(replaced(x, &[Item::Char(c), Item::Word(x)], Some(rest)));
                }
            }
            (Item::Char(_), Item::Char(_)) => {}
        }
        Ok(())
    }

    /// The ways to cut words of the language in two parts that are not empty: at each state, what leads there
    /// and what leads on.
    fn pieces(&mut self, language: LanguageId) -> Result<Vec<(LanguageId, LanguageId)>, GivenUp> {
        if let Some(known) = self.pieces.get(&language) {
            return Ok(known.clone());
        }
        let automaton = self.languages[language.0].clone();
        let some = self.context.nonempty_words()?;
        let mut all = Vec::new();
        for state in automaton.state_ids() {
            let start = self.context.intersection(&between(&automaton, None, Some(state))?, &some)?;
            let rest = self.context.intersection(&between(&automaton, Some(state), None)?, &some)?;
            if let (Some(start), Some(rest)) = (self.keep(&start)?, self.keep(&rest)?) {
                all.push((start, rest));
            }
        }
        all.sort_unstable();
        all.dedup();
        self.pieces.insert(language, all.clone());
        Ok(all)
    }
}

/// The automaton with another initial state, or with one final state alone.
fn between<S: Clone + Eq + std::hash::Hash>(
    automaton: &Sfa<S>,
    from: Option<StateId>,
    to: Option<StateId>,
) -> Result<Sfa<S>, Stop> {
    let mut builder = SfaBuilder::new();
    let mut states = Vec::with_capacity(automaton.states());
    for state in automaton.state_ids() {
        let is_final = to.map_or(automaton.is_final(state), |to| to == state);
        states.push(builder.add_state(is_final)?);
    }
    for state in automaton.state_ids() {
        for m in automaton.moves_from(state) {
            let label = automaton.label(m.label).clone();
            builder.add_move(states[state.index()], label, states[m.target.index()])?;
        }
    }
    Ok(builder.freeze(states[from.unwrap_or(automaton.initial()).index()]))
}

impl Case {
    /// The case, of the one with this number, in which `items` stand in the place of a word, whose language then
    /// is this one; none where the word is gone.
    fn replaced(
        &self,
        number: usize,
        word: StringVertex,
        items: &[Item],
        language: Option<LanguageId>,
    ) -> Self {
        let (mut equation, mut alive) = (self.equation.clone(), self.alive.clone());
        for side in &mut equation.sides {
            let put = |item: Item| if item == Item::Word(word) { items.to_vec() } else { vec![item] };
            *side = side.drain(..).flat_map(put).collect();
        }
        match language {
            Some(language) => {
                equation.languages.insert(word, language);
            }
            None => {
                equation.languages.remove(&word);
                alive.remove(&word);
            }
        }
        Self { equation, alive, of: Some((number, word, items.to_vec())) }
    }
}

#[cfg(test)]
mod tests {
    use backends_algebra::RangeAlgebra;
    use backends_graph::Edge;
    use backends_graph::testkit::Draw;
    use harness_model::{Alphabet, CharSet, Regex};

    use super::*;

    /// The languages of the words x, y and z.
    fn languages() -> Vec<Regex> {
        let letter = Regex::set(CharSet::range(Char(0x61), Char(0x62)));
        let [a, b] = [0x61, 0x62].map(|c| Regex::set(CharSet::single(Char(c))));
        let any = letter.clone().star();
        vec![
            any.clone(),
            Regex::concat([a.clone(), any.clone()]),
            Regex::concat([b.clone(), any.clone()]),
            Regex::concat([any.clone(), b.clone()]),
            Regex::concat([a.clone(), any, b.clone()]),
            a.clone().repeat(1, None),
            Regex::concat([a, b]).star(),
            letter.repeat(1, Some(2)),
        ]
    }

    /// `items`: 0 and 1 are characters, 2 to 4 words.
    fn graph_of(sides: &[Vec<usize>; 2]) -> (StringGraph, [StringVertex; 3]) {
        let mut graph = StringGraph::new(Alphabet::Ascii);
        let words = ["x", "y", "z"].map(|name| graph.declare_string(name));
        let whole = graph.auxiliary();
        for side in sides {
            let mut parts: Vec<StringVertex> = side
                .iter()
                .map(|&item| match item {
                    0 => graph.constant("a"),
                    1 => graph.constant("b"),
                    word => words[word - 2],
                })
                .collect();
            let last = parts.pop().unwrap();
            let mut left = parts.remove(0);
            for part in parts {
                let r = graph.auxiliary();
                graph.add_edge(Edge::positive(Relation::Concat { a: left, b: part, r }));
                left = r;
            }
            graph.add_edge(Edge::positive(Relation::Concat { a: left, b: last, r: whole }));
        }
        (graph, words)
    }

    fn words_up_to(length: usize) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut start = 0;
        for _ in 0..length {
            let end = words.len();
            for i in start..end {
                words.extend(["a", "b"].map(|c| format!("{}{c}", words[i])));
            }
            start = end;
        }
        words
    }

    /// What is refuted has no solution among all words of up to five characters.
    #[test]
    fn refuted_equations_have_no_small_solution() {
        let algebra = RangeAlgebra::new(Alphabet::Ascii);
        let regexes = languages();
        let pool = words_up_to(5);
        let budget = Budget::unlimited();
        let (mut refuted_ones, mut solved) = (0, 0);
        for seed in 0..1_500_u64 {
            let mut draw = Draw::new(seed.wrapping_mul(0x9E37_79B9).wrapping_add(11));
            let side = |draw: &mut Draw| -> Vec<usize> {
                (0..2 + draw.below(4))
                    .map(|_| if draw.rarely(4) { draw.below(2) } else { 2 + draw.below(3) })
                    .collect()
            };
            let sides = [side(&mut draw), side(&mut draw)];
            let (graph, words) = graph_of(&sides);
            let chosen = [0; 3].map(|_| draw.below(regexes.len()));
            let context = AutomataContext::new(&algebra, 3_000_000);
            let all = Rc::new(context.all_words().unwrap());
            let mut languages = vec![all; graph.strings().len()];
            for (word, choice) in words.iter().zip(chosen) {
                languages[word.index()] = Rc::new(context.regex(&regexes[choice]).unwrap());
            }
            let reasons = vec![Reasons::new(); languages.len()];
            let answer = look_at(&graph, &context, &languages, &reasons, &budget).unwrap();
            let within: Vec<Vec<&String>> = chosen
                .iter()
                .map(|&choice| {
                    let language = context.regex(&regexes[choice]).unwrap();
                    let inside = |word: &&String| {
                        let word = context.word(&SmtString::from(word.as_str())).unwrap();
                        context.is_subset(&word, &language).unwrap()
                    };
                    pool.iter().filter(inside).collect()
                })
                .collect();
            let has_solution = within[0].iter().any(|x| {
                within[1].iter().any(|y| {
                    within[2].iter().any(|z| {
                        let side = |side: &[usize]| -> String {
                            side.iter().map(|&item| ["a", "b", x, y, z][item]).collect()
                        };
                        side(&sides[0]) == side(&sides[1])
                    })
                })
            });
            match answer {
                Said::Refuted(_) => {
                    assert!(!has_solution, "{sides:?} in {chosen:?}");
                    refuted_ones += 1;
                }
                Said::Suggested(values) if !values.is_empty() => {
                    let all: Vec<String> = words
                        .iter()
                        .map(|word| {
                            values
                                .get(word)
                                .cloned()
                                .unwrap_or_default()
                                .to_string()
                                .trim_matches('"')
                                .to_owned()
                        })
                        .collect();
                    let side = |side: &[usize]| -> String {
                        side.iter().map(|&item| ["a", "b", &all[0], &all[1], &all[2]][item]).collect()
                    };
                    assert_eq!(side(&sides[0]), side(&sides[1]), "{values:?}");
                    solved += 1;
                }
                Said::Suggested(_) => {}
            }
        }
        assert!(refuted_ones > 300 && solved > 200, "{refuted_ones} {solved}");
    }

    /// The theorem on powers, on all words of up to four letters.
    #[test]
    fn factors_of_a_power_commute() {
        let words = words_up_to(4);
        let is_power =
            |word: &str, n: usize| word.len().is_multiple_of(n) && word == word[..word.len() / n].repeat(n);
        let commute = |a: &str, b: &str| format!("{a}{b}") == format!("{b}{a}");
        let mut met = 0;
        for a in &words {
            for b in &words {
                for n in 2..=4 {
                    if is_power(&format!("{}{}", a.repeat(n), b.repeat(n)), n) {
                        assert!(commute(a, b), "{a} {b} {n}");
                        met += 1;
                    }
                }
                for c in &words {
                    for n in 3..=4 {
                        if is_power(&format!("{}{}{}", a.repeat(n), b.repeat(n), c.repeat(n)), n) {
                            assert!(commute(a, b) && commute(b, c) && commute(a, c), "{a} {b} {c} {n}");
                            met += 1;
                        }
                    }
                }
            }
        }
        assert!(met > 500, "{met}");
    }

    #[test]
    fn equations_that_lengths_do_not_refute() {
        let algebra = RangeAlgebra::new(Alphabet::Ascii);
        let regexes = languages();
        let [x, y, z] = [2, 3, 4];
        for (sides, chosen) in [
            // z·y·x = x·x·z
            ([vec![z, y, x], vec![x, x, z]], [1, 2, 1]),
            // (x·y·z)^3 = x^3·y^3·z^3
            ([vec![x, y, z, x, y, z, x, y, z], vec![x, x, x, y, y, y, z, z, z]], [0, 1, 2]),
            // x·b = a·x
            ([vec![x, 1], vec![0, x]], [0, 0, 0]),
            // x·a·y = y·x·b
            ([vec![x, 0, y], vec![y, x, 1]], [0, 0, 0]),
        ] {
            let (graph, words) = graph_of(&sides);
            let context = AutomataContext::new(&algebra, 3_000_000);
            let all = Rc::new(context.all_words().unwrap());
            let mut languages = vec![all; graph.strings().len()];
            for (word, choice) in words.iter().zip(chosen) {
                languages[word.index()] = Rc::new(context.regex(&regexes[choice]).unwrap());
            }
            let reasons = vec![Reasons::new(); languages.len()];
            let answer = look_at(&graph, &context, &languages, &reasons, &Budget::unlimited()).unwrap();
            let Said::Refuted(core) = answer else { panic!("{sides:?}") };
            assert!(core.iter().count() > 1, "{sides:?}");
        }
    }
}
