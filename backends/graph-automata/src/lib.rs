//! String graphs solved by automata.
