//! Random grammars over two letters: the matcher, the normal form and the bounded expression agree on every
//! short word.

#![expect(clippy::unwrap_used, reason = "a test")]

use harness_grammar::automaton::{Acyclic, automaton};
use harness_grammar::bound::bounded;
use harness_grammar::{Grammar, NormalForm, Rule, Symbol, contains, read, text};
use harness_model::{Char, SmtString};

/// Numbers from a seed: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 20) % limit).unwrap()
    }
}

fn grammar(random: &mut Random) -> Grammar {
    let names = 1 + random.below(4);
    let mut rules: Vec<Rule> = (0..names).map(|left| Rule { left, right: Vec::new() }).collect();
    for _ in 0..random.below(7) {
        rules.push(Rule { left: random.below(u64::try_from(names).unwrap()), right: Vec::new() });
    }
    for rule in &mut rules {
        for _ in 0..random.below(5) {
            rule.right.push(match random.below(6) {
                0 | 1 => Symbol::Terminal(SmtString::unescape("a").unwrap()),
                2 => Symbol::Terminal(SmtString::unescape("b").unwrap()),
                3 if random.below(4) == 0 => Symbol::Terminal(SmtString::unescape("ab").unwrap()),
                _ => Symbol::Nonterminal(random.below(u64::try_from(names).unwrap())),
            });
        }
    }
    Grammar::new((0..names).map(|n| format!("N{n}")).collect(), rules).unwrap()
}

/// Whether an automaton accepts a word.
fn accepts(automaton: &Acyclic, word: &SmtString) -> bool {
    let close = |states: &mut Vec<bool>| {
        // Only the start has moves that read nothing.
        for (from, reads, to) in &automaton.moves {
            states[*to] |= reads.is_none() && states[*from];
        }
    };
    let mut now = vec![false; automaton.states];
    now[automaton.start] = true;
    close(&mut now);
    for &c in word.chars() {
        let mut next = vec![false; automaton.states];
        for (from, reads, to) in &automaton.moves {
            next[*to] |= now[*from] && reads.as_ref().is_some_and(|set| set.contains(c));
        }
        now = next;
    }
    now[automaton.end]
}

/// All words over two letters of up to `longest` letters.
fn words(longest: u32) -> impl Iterator<Item = SmtString> {
    (0..=longest).flat_map(|length| {
        (0..1_u32 << length).map(move |bits| {
            (0..length).map(|place| Char::from(if bits >> place & 1 == 0 { b'a' } else { b'b' })).collect()
        })
    })
}

#[test]
fn all_agree_on_every_short_word() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut inside, mut outside) = (0, 0);
    for _ in 0..600 {
        let grammar = grammar(&mut random);
        let shown = text(&grammar);
        let normal = NormalForm::of(&grammar);
        let regex = bounded(&normal, 0, 5).regex;
        let (short, middle) = (automaton(&normal, 0, 5).unwrap(), automaton(&normal, 2, 4).unwrap());
        let mut lengths = vec![false; 6];
        for word in words(5) {
            let is_in = contains(&grammar, &word, u64::MAX).unwrap();
            assert_eq!(harness_check::matcher::matches(&regex, &word), is_in, "{word} in\n{shown}");
            assert_eq!(accepts(&short, &word), is_in, "{word} in\n{shown}");
            let expected = is_in && (2..=4).contains(&word.len());
            assert_eq!(accepts(&middle, &word), expected, "{word} in\n{shown}");
            lengths[word.len()] |= is_in;
            if is_in { inside += 1 } else { outside += 1 }
        }
        assert_eq!(normal.lengths(5)[0], lengths, "{shown}");
    }
    assert!(inside > 2000 && outside > 2000, "{inside} {outside}");
}

#[test]
fn bounds_leave_out_other_lengths() {
    let grammar = read("S : \"a\" S ; : \"b\" ;").unwrap();
    let regex = bounded(&NormalForm::of(&grammar), 2, 3).regex;
    for word in words(5) {
        let expected = contains(&grammar, &word, u64::MAX).unwrap() && (2..=3).contains(&word.len());
        assert_eq!(harness_check::matcher::matches(&regex, &word), expected, "{word}");
    }
}
