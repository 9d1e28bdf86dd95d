//! The family `peer`: which library, used in which way, and limits of size.

use backends_api::{Conflict, Family, FamilySpec, OptionSpec, Options, Strategy};

use crate::peer::{Limits, PEERS, Peer, PeerStrategy};

/// Public libraries.
pub struct PeerFamily {
    spec: FamilySpec,
}

/// The name of a peer without the part that all have.
fn library(name: &'static str) -> &'static str {
    name.strip_prefix("peer-").unwrap_or(name)
}

fn peer_of(options: &Options) -> Peer {
    let word = options.word("library");
    let peer = PEERS.into_iter().find(|peer| library(peer.name) == word);
    peer.unwrap_or_else(|| unreachable!("{word} is one of the peers"))
}

/// Refuses limits of another library.
fn check(spec: &FamilySpec, options: &Options) -> Result<(), Conflict> {
    let own = peer_of(options).limited_by;
    let others: Vec<&'static str> =
        Limits::specs().iter().map(|spec| spec.name).filter(|name| !own.contains(name)).collect();
    spec.all_default(options, &others, "a library that it limits")
}

impl PeerFamily {
    /// The family.
    pub fn new() -> Self {
        let libraries = PEERS.map(|peer| library(peer.name));
        let mut options = vec![OptionSpec::choice("library", libraries, "the library, and how it is used")];
        options.extend(Limits::specs());
        let spec =
            FamilySpec::new("peer", "public libraries, used as their documentation recommends", options)
                .check(check);
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
        let (name, limits) = (self.spec.name(options), Limits::of(options));
        Box::new(PeerStrategy { name, peer: peer_of(options), limits })
    }
}
