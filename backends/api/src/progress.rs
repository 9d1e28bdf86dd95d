//! Phases and counters so far, in memory that two processes share: what a worker knows of a child that it had
//! to kill.
//!
//! A [`Board`] is a row of slots, one for each phase or counter. The child's probe stores each change in its
//! slot, which costs a store to memory and no call of the system; the worker reads the slots once the child
//! is gone. A slot holds the name itself, so that no address of the child has to be trusted. What does not
//! fit (a name of more than 40 bytes, more than [`SLOTS`] names) is left out.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How many phases and counters a board has room for.
pub const SLOTS: usize = 255;

/// Words of a board: a slot has eight, and so does the head.
pub const WORDS: usize = (SLOTS + 1) * WIDTH;

const WIDTH: usize = 8;

// The words of a slot. The name is in the five that follow.
const KIND: usize = 0;
const VALUE: usize = 1;
const OPEN: usize = 2;
const NAME: usize = 3;

const PHASE: u64 = 1;
const COUNTER: u64 = 2;

/// The first word of the head: how many slots are used.
const USED: usize = 0;

/// Phases in nanoseconds and counters, by name.
pub type Measured = (BTreeMap<String, u64>, BTreeMap<String, u64>);

/// A place on a board.
#[derive(Clone, Copy, Debug)]
pub struct Slot(usize);

/// Where phases and counters are stored as they change. One writer at a time; read when that is gone.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    words: &'static [AtomicU64; WORDS],
    /// From which open phases are counted.
    start: Instant,
}

impl Board {
    /// A board in this memory, emptied. Its clock starts now.
    pub fn new(words: &'static [AtomicU64; WORDS]) -> Self {
        let used = usize::try_from(words[USED].load(Ordering::Relaxed)).unwrap_or(SLOTS).min(SLOTS);
        for word in &words[..(used + 1) * WIDTH] {
            word.store(0, Ordering::Relaxed);
        }
        Self { words, start: Instant::now() }
    }

    /// A slot for a phase of this name, if there is room.
    pub fn phase(&self, name: &str) -> Option<Slot> {
        self.slot(PHASE, name)
    }

    /// A slot for a counter of this name, if there is room.
    pub fn counter(&self, name: &str) -> Option<Slot> {
        self.slot(COUNTER, name)
    }

    fn slot(&self, kind: u64, name: &str) -> Option<Slot> {
        let used = usize::try_from(self.words[USED].load(Ordering::Relaxed)).ok()?;
        let room = (WIDTH - NAME) * size_of::<u64>();
        if used >= SLOTS || name.len() > room {
            return None;
        }
        let slot = Slot((used + 1) * WIDTH);
        for (i, part) in name.as_bytes().chunks(size_of::<u64>()).enumerate() {
            let mut bytes = [0; size_of::<u64>()];
            bytes[..part.len()].copy_from_slice(part);
            self.store(slot, NAME + i, u64::from_le_bytes(bytes));
        }
        self.store(slot, KIND, kind);
        self.words[USED].store(used as u64 + 1, Ordering::Release);
        Some(slot)
    }

    fn store(&self, Slot(at): Slot, word: usize, value: u64) {
        self.words[at + word].store(value, Ordering::Relaxed);
    }

    /// Sets the value of a counter.
    pub fn set(&self, slot: Slot, value: u64) {
        self.store(slot, VALUE, value);
    }

    /// The phase begins.
    pub fn open(&self, slot: Slot, now: Instant) {
        self.store(slot, OPEN, nanos(now.saturating_duration_since(self.start)).max(1));
    }

    /// The phase ends; with this time it has been `total` in all.
    pub fn close(&self, slot: Slot, total: Duration) {
        self.store(slot, OPEN, 0);
        self.store(slot, VALUE, nanos(total));
    }

    /// What was stored. Phases that are open count up to `end`, from the start of the board.
    pub fn read(&self, end: Duration) -> Measured {
        let (mut phases, mut counters) = Measured::default();
        let used = usize::try_from(self.words[USED].load(Ordering::Acquire)).unwrap_or(SLOTS).min(SLOTS);
        for slot in self.words.chunks_exact(WIDTH).skip(1).take(used) {
            let slot: Vec<u64> = slot.iter().map(|word| word.load(Ordering::Relaxed)).collect();
            let mut name: Vec<u8> = slot[NAME..].iter().flat_map(|word| word.to_le_bytes()).collect();
            name.truncate(name.iter().position(|&byte| byte == 0).unwrap_or(name.len()));
            let Ok(name) = String::from_utf8(name) else { continue };
            if slot[KIND] == PHASE {
                let open = if slot[OPEN] == 0 { 0 } else { nanos(end).saturating_sub(slot[OPEN]) };
                let time = slot[VALUE].saturating_add(open).max(1);
                // A strategy may have a phase of the worker's name in the worker's own, which is the longer
                // one.
                let longest: &mut u64 = phases.entry(name).or_default();
                *longest = time.max(*longest);
            } else {
                counters.insert(name, slot[VALUE]);
            }
        }
        (phases, counters)
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> &'static [AtomicU64; WORDS] {
        Box::leak(Box::new([const { AtomicU64::new(0) }; WORDS]))
    }

    #[test]
    fn open_phases_count_up_to_the_end() {
        let words = words();
        let board = Board::new(words);
        let (parse, check) = (board.phase("parse").unwrap(), board.phase("check").unwrap());
        let states = board.counter("a_counter_with_a_name_of_forty_bytes_xyz").unwrap();
        board.open(parse, board.start);
        board.close(parse, Duration::from_nanos(700));
        board.open(check, board.start + Duration::from_nanos(1_000));
        board.set(states, 3);
        board.set(states, 5);
        let (phases, counters) = board.read(Duration::from_nanos(4_000));
        assert_eq!(phases, [("check".to_owned(), 3_000), ("parse".to_owned(), 700)].into());
        assert_eq!(counters, [("a_counter_with_a_name_of_forty_bytes_xyz".to_owned(), 5)].into());
        // Used again, nothing of it is left.
        assert_eq!(Board::new(words).read(Duration::MAX), Measured::default());
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        let board = Board::new(words());
        assert!(board.counter(&"x".repeat(41)).is_none());
        for n in 0..SLOTS {
            assert!(board.counter(&format!("counter_{n}")).is_some());
        }
        assert!(board.counter("one_more").is_none());
        assert_eq!(board.read(Duration::ZERO).1.len(), SLOTS);
    }
}
