//! A part of a plan, for runs on several machines.
//!
//! Which shard a record belongs to depends on the task's id, the strategy's name and the number of shards
//! alone, by a hash that never changes: shards that were made by different builds, in any order, have no
//! record in common and together all of them. Repeats of a pair stay together, so that they are of one
//! machine.

use std::fmt;
use std::str::FromStr;

use harness_model::run::RunInfo;

/// The key of [`RunInfo::overrides`] that says which part of the plan the run is.
pub const SHARD: &str = "shard";

/// The key of [`RunInfo::overrides`] that says of which runs this one was put together, and what was allowed
/// to differ between them.
pub const MERGED: &str = "merged";

/// A part of a plan: the `index`th of `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard {
    /// From 1 to `count`.
    index: u32,
    count: u32,
}

impl Shard {
    /// The most shards of a plan.
    pub const MOST: u32 = 100_000;

    /// The shard number `index` of `count`; `None` where there is no such one.
    pub fn new(index: u32, count: u32) -> Option<Self> {
        (1 <= index && index <= count && count <= Self::MOST).then_some(Self { index, count })
    }

    /// The one that a run is, where it is not the whole plan.
    pub fn of(info: &RunInfo) -> Option<Self> {
        info.overrides.get(SHARD)?.parse().ok()
    }

    /// Which of the shards, from 1.
    pub const fn index(self) -> u32 {
        self.index
    }

    /// How many shards there are.
    pub const fn count(self) -> u32 {
        self.count
    }

    /// Whether the records of `strategy` on `task` belong to it.
    pub fn holds(self, task: &str, strategy: &str) -> bool {
        Self::place(task, strategy, self.count) == self.index - 1
    }

    /// Which of `count` shards, from 0, the records of `strategy` on `task` belong to. `count` is at least 1.
    pub fn place(task: &str, strategy: &str, count: u32) -> u32 {
        // A remainder is less than `count`.
        u32::try_from(hash(task, strategy) % u64::from(count.max(1))).unwrap_or(0)
    }
}

/// FNV-1a of both names with a byte between that neither has, then mixed, since the low digits decide.
fn hash(task: &str, strategy: &str) -> u64 {
    let bytes = task.bytes().chain([0xff]).chain(strategy.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let mixed = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ (mixed >> 33)
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers =
            text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        let (index, count) =
            numbers.ok_or_else(|| format!("'{text}' is no shard: I/N, such as 1/4, is wanted"))?;
        Self::new(index, count).ok_or_else(|| {
            format!(
                "there is no shard {text}: the first of N is 1/N, the last N/N, and N is at most {}",
                Self::MOST
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_in_one_shard_and_shards_are_of_a_size() {
        let mut sizes = [0_u32; 7];
        for task in 0..100 {
            for strategy in 0..70 {
                let (task, strategy) = (format!("f/t{task}.smt2"), format!("s{strategy}"));
                let shards = (1..=7).filter_map(|index| Shard::new(index, 7));
                let of: Vec<u32> =
                    shards.filter(|shard| shard.holds(&task, &strategy)).map(Shard::index).collect();
                assert_eq!(of.len(), 1);
                sizes[of[0] as usize - 1] += 1;
            }
        }
        assert!(sizes.iter().all(|size| (850..1150).contains(size)), "{sizes:?}");
    }

    #[test]
    fn the_hash_is_fixed_for_ever() {
        // Shards that were made by an older build are merged with those of a newer one.
        assert_eq!(hash("t/0", "z3"), 0x52f2_853b_2b23_0574);
        assert_ne!(hash("a", "bc"), hash("ab", "c"));
    }

    #[test]
    fn written_and_read() {
        let shard: Shard = "2/4".parse().unwrap();
        assert_eq!((shard.index(), shard.count(), shard.to_string()), (2, 4, "2/4".to_owned()));
        for text in ["", "2", "0/4", "5/4", "1/0", "-1/2", "1/2/3", "1/100001"] {
            assert!(text.parse::<Shard>().unwrap_err().contains("shard"), "{text}");
        }
    }
}
