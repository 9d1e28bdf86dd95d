//! Questions made smaller: [`source`] finds the question, the strategies and the limits, [`output`] looks at
//! the files that are to be written, [`result`] writes what was found and how to repeat it.

pub mod output;
pub mod result;
pub mod source;

use std::path::Path;

/// Whether a file is taken for a configuration: by its name.
fn is_config(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "yaml" || end == "yml")
}
