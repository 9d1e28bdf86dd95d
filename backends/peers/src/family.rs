//! The family `peer`: which library, used in which way.

use backends_api::{Family, FamilySpec, OptionSpec, Options, Strategy};

use crate::peer::PEERS;

/// Public libraries.
pub struct PeerFamily {
    spec: FamilySpec,
}

/// The name of a peer without the part that all have.
fn library(name: &'static str) -> &'static str {
    name.strip_prefix("peer-").unwrap_or(name)
}

impl PeerFamily {
    /// The family.
    pub fn new() -> Self {
        let libraries = PEERS.map(|peer| library(peer.name));
        let options = vec![OptionSpec::choice("library", libraries, "the library, and how it is used")];
        let spec =
            FamilySpec::new("peer", "public libraries, used as their documentation recommends", options);
        let preset = |spec: FamilySpec, name| spec.preset(name, &[("library", library(name))]);
        Self { spec: PEERS.iter().fold(spec, |spec, peer| preset(spec, peer.name)) }
    }
}

impl Default for PeerFamily {
    fn default() -> Self {
        Self::new()
    }
}

impl Family for PeerFamily {
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, options: &Options) -> Box<dyn Strategy> {
        let word = options.word("library");
        let peer = PEERS.into_iter().find(|peer| library(peer.name) == word);
        Box::new(peer.unwrap_or_else(|| unreachable!("{word} is one of the peers")))
    }
}
