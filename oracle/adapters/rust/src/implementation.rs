//! planner.rs, held to the rules:
//!
//!     cargo build --release
//!     poolproof conform --impl target/release/implementation
//!
//! SPDX-License-Identifier: MIT
mod planner;
mod poolproof_stdio;

fn main() -> std::io::Result<()> {
    poolproof_stdio::serve(&planner::Plain)
}
