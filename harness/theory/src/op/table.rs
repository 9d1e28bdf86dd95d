//! The macro that makes a group of functions from its table.

/// Makes the enum of a group. A row is `Variant "name" [other names]: shape => sort of the result;`, where
/// indices stand in parentheses after the variant. Other names are from before SMT-LIB 2.6, with `swapped`
/// before one whose two arguments are the other way round.
macro_rules! operations {
    (
        $(#[$meta:meta])*
        $group:ident in $of:ident {
            $(
                $(#[$doc:meta])*
                $op:ident $(($($index:ident),+))? $name:literal
                $([$($($mark:ident)? $other:literal),+])?
                : $shape:expr => $result:expr;
            )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs, reason = "each is the function of the name that the table gives")]
        pub enum $group {
            $($(#[$doc])* $op $(($(operations!(@type $index)),+))?,)+
        }

        impl $group {
            /// Every function of the group, with indices 0.
            pub const ALL: &'static [Self] = &[$(Self::$op $(($(operations!(@zero $index)),+))?),+];

            /// Its name in scripts, without indices.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$op { .. } => $name,)+
                }
            }

            /// Its indices, in their order.
            pub fn indices(self) -> Vec<u32> {
                match self {
                    $(Self::$op $(($($index),+))? => vec![$($($index),+)?],)+
                }
            }

            /// The function with each index replaced by the next value of `next`.
            #[allow(unused_mut, unused_variables, reason = "most groups have no indices")]
            #[must_use]
            pub fn with_indices(self, mut next: impl FnMut() -> u32) -> Self {
                match self {
                    $(Self::$op $(($($index),+))? => Self::$op $(($(operations!(@next $index next)),+))?,)+
                }
            }

            /// Its other names, which are read and never written.
            pub const fn other_names(self) -> &'static [$crate::op::OtherName] {
                match self {
                    $(Self::$op { .. } => &[$($(operations!(@other $($mark)? $other)),+)?],)+
                }
            }

            /// What it takes.
            pub const fn shape(self) -> $crate::op::Shape {
                #[allow(clippy::enum_glob_use, unused_imports, reason = "the words of the table")]
                use {$crate::op::Shape::*, $crate::sort::Sort::*};
                match self {
                    $(Self::$op { .. } => $shape,)+
                }
            }

            /// The sort of its result; `None` where the arguments decide.
            pub const fn result(self) -> Option<$crate::sort::Sort> {
                #[allow(clippy::enum_glob_use, unused_imports, reason = "the words of the table")]
                use $crate::sort::Sort::*;
                match self {
                    $(Self::$op { .. } => $result,)+
                }
            }
        }

        impl From<$group> for $crate::op::Op {
            fn from(op: $group) -> Self {
                Self::$of(op)
            }
        }
    };
    (@type $index:ident) => { u32 };
    (@zero $index:ident) => { 0 };
    (@next $index:ident $next:ident) => { $next() };
    (@other $name:literal) => { $crate::op::OtherName { name: $name, swapped: false } };
    (@other swapped $name:literal) => { $crate::op::OtherName { name: $name, swapped: true } };
}

pub(super) use operations;
