//! Runs every kept input of the fuzz targets.

#[expect(unreachable_pub, reason = "in its own package it is a library")]
#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::path::Path;

#[test]
fn every_kept_input_is_survived() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (name, target) in targets::ALL {
        let mut inputs = 0;
        for file in std::fs::read_dir(corpus.join(name)).unwrap() {
            target(&std::fs::read(file.unwrap().path()).unwrap());
            inputs += 1;
        }
        assert!(inputs > 0, "no input for {name}");
    }
}
