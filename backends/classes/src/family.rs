//! The family `classes`: order of the search and antichains as options.

use backends_api::{Conflict, Family, FamilySpec, OptionSpec, Options, Strategy};

use crate::search::Order;
use crate::strategy::Classes;

/// Symbol classes and position automata.
pub struct ClassesFamily {
    spec: FamilySpec,
}

impl ClassesFamily {
    /// The family.
    pub fn new() -> Self {
        let options = vec![
            OptionSpec::choice(
                "order",
                Order::ALL.map(Order::name),
                "how products and differences are searched; eager: built as a whole",
            ),
            OptionSpec::flag("antichain", false, "whether differences are pruned by antichains"),
        ];
        let summary = "our own: symbol classes shared by all expressions, position automata";
        let spec = FamilySpec::new("classes", summary, options)
            .check(check)
            .preset("classes-lazy", &[])
            .preset("classes-lazy-antichain", &[("order", "breadth-first"), ("antichain", "true")])
            .preset("classes-lazy-bfs", &[("order", "breadth-first")])
            .preset("classes-eager", &[("order", "eager")]);
        Self { spec }
    }

    /// The name of a strategy of this family.
    pub(crate) fn name_of(strategy: Classes) -> String {
        let spec = Self::new().spec;
        let antichain = if strategy.antichain { "true" } else { "false" };
        let changes = [("order", strategy.order.name()), ("antichain", antichain)];
        spec.name(&Options::defaults(&spec.options).with(&spec.options, &changes))
    }
}

impl Default for ClassesFamily {
    fn default() -> Self {
        Self::new()
    }
}

fn check(spec: &FamilySpec, options: &Options) -> Result<(), Conflict> {
    match options.word("order") {
        "eager" => spec.all_default(options, &["antichain"], "a lazy search"),
        _ => Ok(()),
    }
}

impl Family for ClassesFamily {
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, options: &Options) -> Box<dyn Strategy> {
        let order = options.one_of("order", &Order::ALL, Order::name);
        Box::new(Classes { order, antichain: options.flag("antichain") })
    }
}
