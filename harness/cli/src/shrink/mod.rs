//! Questions made smaller: [`source`] finds the question, the strategies and the limits, [`result`] writes
//! what was found and how to repeat it.

pub mod result;
pub mod source;
