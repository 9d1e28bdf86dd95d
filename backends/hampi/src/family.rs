//! The family `hampi`: the solver and the bound as options.

use backends_api::{Family, FamilySpec, OptionSpec, Options, Strategy};
use backends_bitvector::BitVectorSolvers;

use crate::question::{From, Tried};
use crate::sat::SatBits;
use crate::strategy::Hampi;

/// The bound of the study's second experiment.
const MOST: u32 = 15;

/// The SAT solver as an engine.
const SAT: &str = "sat";

/// Hampi on a solver of bit-vectors of the caller's, and on a SAT solver.
pub struct HampiFamily<B> {
    spec: FamilySpec,
    bitvectors: Option<B>,
}

impl<B: BitVectorSolvers + Clone + 'static> HampiFamily<B> {
    /// With the engine `engine`, and the SAT solver beside it.
    pub fn new(engine: &'static str, bitvectors: B) -> Self {
        let shortest = From::Shortest.name();
        let spec = spec(vec![engine, SAT])
            .preset("hampi", &[("engine", engine)])
            .preset("hampi-shortest", &[("engine", engine), ("from", shortest)]);
        Self { spec: on_sat(spec), bitvectors: Some(bitvectors) }
    }
}

impl HampiFamily<SatBits> {
    /// With the SAT solver alone.
    pub fn sat_alone() -> Self {
        Self { spec: on_sat(spec(vec![SAT])), bitvectors: None }
    }
}

fn on_sat(spec: FamilySpec) -> FamilySpec {
    spec.preset("hampi-sat", &[("engine", SAT)])
        .preset("hampi-sat-shortest", &[("engine", SAT), ("from", From::Shortest.name())])
}

fn spec(engines: Vec<&'static str>) -> FamilySpec {
    let options = vec![
        OptionSpec::choice(
            "engine",
            engines,
            "what solves formulas: bit-vectors, or a SAT solver that is given each bit, as STP does it for the \
             prototype",
        )
        .paper(SAT),
        OptionSpec::integer(
            "min-length",
            0,
            0,
            100_000,
            "the first length that is tried where a question sets no bound",
        ),
        OptionSpec::integer(
            "max-length",
            MOST,
            0,
            100_000,
            "the last length that is tried where a question sets no bound",
        )
        .paper("15"),
        OptionSpec::choice(
            "from",
            From::ALL.map(From::name).to_vec(),
            "where the lengths of min-length and max-length are counted from: zero, or the least length that the \
             expressions leave possible, as someone who declares the length knows it",
        ),
    ];
    FamilySpec::new("hampi", "systems of one variable as bit-vectors, one length after the other", options)
}

impl<B: BitVectorSolvers + Clone + 'static> Family for HampiFamily<B> {
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, options: &Options) -> Box<dyn Strategy> {
        let name = self.spec.name(options);
        let from = From::ALL.into_iter().find(|from| from.name() == options.word("from"));
        let lengths = options.number("min-length")..=options.number("max-length");
        let tried = Tried { from: from.unwrap_or(From::Zero), lengths };
        match &self.bitvectors {
            Some(bitvectors) if options.word("engine") != SAT => {
                Box::new(Hampi::new(name, bitvectors.clone(), tried))
            }
            Some(_) | None => Box::new(Hampi::new(name, SatBits, tried)),
        }
    }
}
