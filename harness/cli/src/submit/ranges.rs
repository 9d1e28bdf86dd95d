//! Numbers of shards, as SLURM writes the tasks of a job array: `1,3-5`.

/// Ascending numbers in words, neighbours drawn together.
pub fn show(numbers: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if number == last.saturating_add(1) => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let parts: Vec<String> = runs
        .into_iter()
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") })
        .collect();
    parts.join(",")
}

/// Whether `number` is one of those that `text` names; not where that cannot be read.
pub fn has(text: &str, number: u32) -> bool {
    text.split(',').any(|part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        first.parse().is_ok_and(|first: u32| first <= number)
            && last.parse().is_ok_and(|last: u32| number <= last)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_drawn_together() {
        let cases: [(&[u32], &str); 5] =
            [(&[], ""), (&[7], "7"), (&[1, 2, 3, 4], "1-4"), (&[1, 3, 4, 9], "1,3-4,9"), (&[1, 3], "1,3")];
        for (numbers, text) in cases {
            assert_eq!(show(numbers), text);
            for number in 0..11 {
                assert_eq!(has(text, number), numbers.contains(&number), "{number} in {text}");
            }
        }
        assert!(!has("a,b-c", 1));
    }
}
