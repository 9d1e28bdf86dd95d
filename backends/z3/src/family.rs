//! The family `z3`, which has no options.

use backends_api::{Family, FamilySpec, Options, Strategy};

use crate::native::NativeStrategy;

/// Z3's own theory of strings.
pub struct NativeFamily {
    spec: FamilySpec,
}

impl NativeFamily {
    /// The family.
    pub fn new() -> Self {
        Self { spec: FamilySpec::new("z3", "Z3's own theory of strings", Vec::new()).preset("z3", &[]) }
    }
}

impl Default for NativeFamily {
    fn default() -> Self {
        Self::new()
    }
}

impl Family for NativeFamily {
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, _: &Options) -> Box<dyn Strategy> {
        Box::new(NativeStrategy)
    }
}
