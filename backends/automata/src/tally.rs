//! What an operation did, for the counters of a strategy.

/// Adds up over the operations that it is handed to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// States of the result that were discovered: all of them where the result is built, those up to the
    /// first witness where the search is lazy.
    pub states: u64,
    /// Moves of the result that were found: combinations of moves whose labels have a character in common, as
    /// far as the search asked.
    pub moves: u64,
    /// Minterms that were computed.
    pub minterms: u64,
    /// Distinct sets of states of an automaton that was determinised on the way.
    pub subsets: u64,
}
