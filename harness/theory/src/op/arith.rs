//! The theory of integers.

use super::table::operations;

operations! {
    /// A function of integer arithmetic.
    ArithOp in Arith {
        Neg "-": Fixed(&[Int]) => Some(Int);
        Add "+": Many(Int) => Some(Int);
        Sub "-": Many(Int) => Some(Int);
        Mul "*": Many(Int) => Some(Int);
        Div "div": Many(Int) => Some(Int);
        Mod "mod": Fixed(&[Int, Int]) => Some(Int);
        Abs "abs": Fixed(&[Int]) => Some(Int);
        Le "<=": Chain(Int) => Some(Bool);
        Lt "<": Chain(Int) => Some(Bool);
        Ge ">=": Chain(Int) => Some(Bool);
        Gt ">": Chain(Int) => Some(Bool);
    }
}
