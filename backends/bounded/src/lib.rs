//! Brute force up to a length: slow, simple, the differential reference.
