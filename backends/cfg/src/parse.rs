//! Membership in a normal form by the algorithm of Cocke, Younger and Kasami.

use backends_api::{Budget, Stop};
use harness_grammar::NormalForm;
use harness_model::SmtString;

/// Whether the start symbol derives a word. Cubic in its length.
///
/// # Errors
///
/// When the budget is used up.
pub fn derives(normal: &NormalForm, word: &SmtString, budget: &Budget) -> Result<bool, Stop> {
    let characters = word.chars();
    let count = characters.len();
    if count == 0 {
        return Ok(normal.has_empty(0));
    }
    // By length - 1, start and symbol.
    let mut table = vec![vec![vec![false; normal.len()]; count]; count];
    for length in 1..=count {
        for start in 0..=count - length {
            let mut own = vec![false; normal.len()];
            for (symbol, own) in own.iter_mut().enumerate() {
                budget.tick()?;
                let is_letter = length == 1 && normal.characters(symbol).contains(&characters[start]);
                let splits = |&(first, second): &(usize, usize)| {
                    (1..length).any(|cut| {
                        table[cut - 1][start][first] && table[length - cut - 1][start + cut][second]
                    })
                };
                *own = is_letter || normal.pairs(symbol).iter().any(splits);
            }
            table[length - 1][start] = (0..normal.len())
                .map(|symbol| normal.becomes(symbol).iter().any(|&other| own[other]))
                .collect();
        }
    }
    Ok(table[count - 1][0][0])
}
