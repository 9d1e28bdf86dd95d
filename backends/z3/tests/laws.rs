//! The laws of Boolean algebras, for predicates decided by Z3.

use backends_algebra::law_battery;
use backends_z3::PredicateAlgebra;

law_battery!(predicate, PredicateAlgebra::new, [24, 24, 8, 8]);
