//! The page is compiled into the server: a change of it builds the server anew. `include_dir!` does not tell
//! cargo which files it reads.

fn main() {
    for folder in ["web", "../protocol/js/src"] {
        println!("cargo::rerun-if-changed={folder}");
    }
}
