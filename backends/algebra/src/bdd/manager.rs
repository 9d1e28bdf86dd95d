//! Nodes of reduced ordered binary decision diagrams, made unique, and the operations on them.
//!
//! Source: Bryant, *Graph-Based Algorithms for Boolean Function Manipulation* (1986), section 4 for `apply`;
//! Brace, Rudell and Bryant, *Efficient Implementation of a BDD Package* (1990), sections 3 and 4, for the
//! unique table and the lossy table of results.
//!
//! Invariants: no node has equal children; no two nodes are equal; children are on greater levels than their
//! parent and were made before it. So equal functions are equal ids. Nodes are never removed: ids stay good
//! as long as the manager.

use backends_api::Stop;

/// Index of a node.
pub(super) type Id = u32;

/// The constant false.
pub(super) const FALSE: Id = 0;
/// The constant true.
pub(super) const TRUE: Id = 1;

/// A decision: on the bit of `level` (0 is the most significant) go `low` when it is 0 and `high` when it is
/// 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) level: u32,
    pub(super) low: Id,
    pub(super) high: Id,
}

/// The operations that have memoised results.
mod op {
    pub(super) const AND: u32 = 0;
    pub(super) const OR: u32 = 1;
    pub(super) const DIFFERENCE: u32 = 2;
}

/// A slot of the table of results. `tag` is `epoch * 4 + operation`; slots of earlier epochs count as free.
#[derive(Clone, Copy, Default)]
struct Slot {
    a: Id,
    b: Id,
    tag: u32,
    result: Id,
}

/// Slots of both tables at the start, as a power of two: 16 KiB of results.
const START_BITS: u32 = 10;
/// The table of results does not grow beyond so many slots (as a power of two): 16 MiB.
const MAX_RESULT_BITS: u32 = 20;
/// One operation makes fewer nodes than this, because a pair of nodes on level `n` is reached by one of 2^n
/// paths.
const MOST_NODES_OF_ONE_OPERATION: usize = 1 << 20;

/// All nodes over one number of bits.
pub(super) struct Manager {
    bits: u32,
    nodes: Vec<Node>,
    /// Open addressing with linear probing over ids; 0 marks a free place, since the constant is in no table.
    unique: Vec<Id>,
    unique_bits: u32,
    results: Vec<Slot>,
    results_bits: u32,
    epoch: u32,
}

impl Manager {
    /// Functions of `bits` bits, at most 18 here.
    pub(super) fn new(bits: u32) -> Self {
        let leaf = |id| Node { level: bits, low: id, high: id };
        Self {
            bits,
            nodes: vec![leaf(FALSE), leaf(TRUE)],
            unique: vec![0; 1 << START_BITS],
            unique_bits: START_BITS,
            results: vec![Slot::default(); 1 << START_BITS],
            results_bits: START_BITS,
            epoch: 1,
        }
    }

    /// The decision at `id`; a constant is on level `bits`.
    #[inline]
    pub(super) fn node(&self, id: Id) -> Node {
        self.nodes[id as usize]
    }

    /// How many decisions there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len() - 2
    }

    /// Forgets results, in constant time.
    pub(super) fn forget(&mut self) {
        self.epoch += 1;
        if self.epoch >= u32::MAX / 4 {
            self.results.fill(Slot::default());
            self.epoch = 1;
        }
    }

    /// To be asked before each operation: whether ids suffice for it.
    #[inline]
    pub(super) fn has_room(&self) -> Result<(), Stop> {
        const LIMIT: usize = u32::MAX as usize - MOST_NODES_OF_ONE_OPERATION;
        if self.nodes.len() < LIMIT {
            Ok(())
        } else {
            Err(Stop::Size { what: "the decision diagrams", limit: LIMIT as u64, unit: "nodes" })
        }
    }

    /// The characters of inclusive ranges that ascend and do not overlap. Time proportional to ranges times
    /// bits.
    pub(super) fn of_ranges(&mut self, ranges: &[(u32, u32)]) -> Id {
        self.block(0, 0, ranges)
    }

    /// The part of `ranges`, all of which overlap it, in the block that starts at `base` and in which the
    /// bits from `level` on are free.
    fn block(&mut self, level: u32, base: u32, ranges: &[(u32, u32)]) -> Id {
        let Some(&(low, high)) = ranges.first() else { return FALSE };
        let last = base + (1 << (self.bits - level)) - 1;
        if level == self.bits || (low <= base && last <= high) {
            return TRUE;
        }
        let middle = base + (1 << (self.bits - level - 1));
        let (left, right) = (
            &ranges[..ranges.partition_point(|&(low, _)| low < middle)],
            &ranges[ranges.partition_point(|&(_, high)| high < middle)..],
        );
        let low = self.block(level + 1, base, left);
        let high = self.block(level + 1, middle, right);
        self.make(level, low, high)
    }

    /// In both.
    pub(super) fn and(&mut self, a: Id, b: Id) -> Id {
        self.apply::<{ op::AND }>(a, b)
    }

    /// In either.
    pub(super) fn or(&mut self, a: Id, b: Id) -> Id {
        self.apply::<{ op::OR }>(a, b)
    }

    /// In `a` and not in `b`.
    pub(super) fn difference(&mut self, a: Id, b: Id) -> Id {
        self.apply::<{ op::DIFFERENCE }>(a, b)
    }

    /// Bryant's `apply`: decides what a constant decides, else looks the result up, else splits on the
    /// topmost bit.
    fn apply<const OP: u32>(&mut self, a: Id, b: Id) -> Id {
        // The first two commute, and constants have the smallest ids, so sorting also brings them to the
        // front.
        let (a, b) = if OP != op::DIFFERENCE && a > b { (b, a) } else { (a, b) };
        match (OP, a, b) {
            (op::AND, FALSE, _) => return FALSE,
            (op::AND, TRUE, _) => return b,
            (op::OR, FALSE, _) => return b,
            (op::OR, TRUE, _) => return TRUE,
            (op::DIFFERENCE, FALSE, _) | (op::DIFFERENCE, _, TRUE) => return FALSE,
            (op::DIFFERENCE, _, FALSE) => return a,
            _ if a == b => return if OP == op::DIFFERENCE { FALSE } else { a },
            _ => {}
        }
        let tag = self.epoch * 4 + OP;
        let slot = &self.results[place(a, b, OP, self.results_bits)];
        if slot.tag == tag && slot.a == a && slot.b == b {
            return slot.result;
        }
        let (node_a, node_b) = (self.node(a), self.node(b));
        let level = node_a.level.min(node_b.level);
        let (low_a, high_a) = if node_a.level == level { (node_a.low, node_a.high) } else { (a, a) };
        let (low_b, high_b) = if node_b.level == level { (node_b.low, node_b.high) } else { (b, b) };
        let low = self.apply::<OP>(low_a, low_b);
        let high = self.apply::<OP>(high_a, high_b);
        let result = self.make(level, low, high);
        // The table may have grown in between, so the place is computed again.
        let place = place(a, b, OP, self.results_bits);
        self.results[place] = Slot { a, b, tag, result };
        result
    }

    /// The one node with these parts.
    fn make(&mut self, level: u32, low: Id, high: Id) -> Id {
        if low == high {
            return low;
        }
        let wanted = Node { level, low, high };
        let mask = self.unique.len() - 1;
        let mut at = place(low, high, level, self.unique_bits);
        loop {
            let id = self.unique[at];
            if id == 0 {
                break;
            }
            if self.nodes[id as usize] == wanted {
                return id;
            }
            at = (at + 1) & mask;
        }
        #[expect(clippy::cast_possible_truncation, reason = "has_room is asked before each operation")]
        let id = self.nodes.len() as Id;
        self.nodes.push(wanted);
        self.unique[at] = id;
        if self.nodes.len() * 2 > self.unique.len() {
            self.grow();
        }
        id
    }

    /// Doubles the unique table, and keeps the table of results as large as it is up to its limit.
    #[cold]
    fn grow(&mut self) {
        self.unique_bits += 1;
        let mask = (1 << self.unique_bits) - 1;
        self.unique.clear();
        self.unique.resize(mask + 1, 0);
        for (id, node) in (0..).zip(&self.nodes).skip(2) {
            let mut at = place(node.low, node.high, node.level, self.unique_bits);
            while self.unique[at] != 0 {
                at = (at + 1) & mask;
            }
            self.unique[at] = id;
        }
        if self.results_bits < self.unique_bits.min(MAX_RESULT_BITS) {
            self.results_bits += 1;
            let old = std::mem::replace(&mut self.results, vec![Slot::default(); 1 << self.results_bits]);
            for slot in old.into_iter().filter(|slot| slot.tag / 4 == self.epoch) {
                self.results[place(slot.a, slot.b, slot.tag % 4, self.results_bits)] = slot;
            }
        }
    }
}

/// Where three small numbers belong in a table of 2^`bits` places: two rounds of multiplicative hashing.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the shift leaves `bits` bits, at most 32")]
fn place(a: u32, b: u32, c: u32, bits: u32) -> usize {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let pair = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(ODD);
    ((pair ^ pair >> 32 ^ u64::from(c)).wrapping_mul(ODD) >> (64 - bits)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a diagram, by definition.
    fn value(manager: &Manager, mut id: Id, input: u32) -> bool {
        while id > TRUE {
            let node = manager.node(id);
            id = if input >> (manager.bits - 1 - node.level) & 1 == 0 { node.low } else { node.high };
        }
        id == TRUE
    }

    #[test]
    fn three_way_exclusive_or_of_the_chapter() {
        // Example 3.2: 001, 010, 100 and 111. One node on the first level and two on each of the others.
        let mut manager = Manager::new(3);
        let xor = manager.of_ranges(&[(1, 2), (4, 4), (7, 7)]);
        assert_eq!(manager.len(), 5);
        let values: Vec<bool> = (0..8).map(|input| value(&manager, xor, input)).collect();
        assert_eq!(values, [false, true, true, false, true, false, false, true]);
    }

    #[test]
    fn operations_on_all_functions_of_three_bits() {
        let mut manager = Manager::new(3);
        let ids: Vec<Id> = (0_u32..256)
            .map(|table| {
                let members: Vec<(u32, u32)> =
                    (0..8).filter(|c| table >> c & 1 == 1).map(|c| (c, c)).collect();
                manager.of_ranges(&members)
            })
            .collect();
        for a in 0..256 {
            for b in 0..256 {
                assert_eq!(manager.and(ids[a], ids[b]), ids[a & b]);
                assert_eq!(manager.or(ids[a], ids[b]), ids[a | b]);
                assert_eq!(manager.difference(ids[a], ids[b]), ids[a & !b]);
            }
        }
    }

    #[test]
    fn tables_grow_and_epochs_end() {
        let mut manager = Manager::new(16);
        let mut all = FALSE;
        let mut members = Vec::new();
        for i in 0_u32..4_000 {
            let c = i.wrapping_mul(40_503) & 0xFFFF;
            let one = manager.of_ranges(&[(c, c)]);
            all = manager.or(all, one);
            members.push((c, c));
            if i % 97 == 0 {
                manager.epoch = u32::MAX / 4 - 1;
                manager.forget();
                assert_eq!(manager.epoch, 1);
            }
        }
        assert!(manager.unique.len() > 1 << START_BITS && manager.results.len() > 1 << START_BITS);
        members.sort_unstable();
        assert_eq!(all, manager.of_ranges(&members));
    }
}
