//! Rebuilds the crate when a text is added: edits are seen without this, additions are not.

fn main() {
    println!("cargo::rerun-if-changed=text");
}
