//! The pictures in the repository match their SVG sources: Chromium draws each again, and the two may
//! differ only as much as versions of Chromium do. After a change of a source,
//! `NOUGHTS_DRAW=1 cargo test -p noughts-tests --test e2e pictures` writes the pictures.

use std::fs;
use std::path::{Path, PathBuf};

use noughts_harness::{Device, Tab};
use serde_json::json;

/// The rounded corners of the icon. Icons for systems that cut their own shape have none.
const CORNERS: &str = " rx=\"15\"";

/// The largest mean difference of two drawings over all pixels and channels, of 255.
const TOLERANCE: f64 = 0.5;

/// The most bytes of a picture. Messengers skip larger ones, and each is in the binary.
const HEAVY: usize = 90_000;

/// A picture, below `server/`.
struct Picture {
    file: &'static str,
    drawing: &'static str,
    size: (u32, u32),
    corners: bool,
}

const PICTURES: [Picture; 5] = [
    icon("web/icon-192.png", 192, true),
    icon("web/icon-512.png", 512, true),
    icon("web/icon-maskable-512.png", 512, false),
    icon("web/apple-touch-icon.png", 180, false),
    Picture {
        file: "web/preview.png",
        drawing: "packaging/preview.svg",
        size: (1200, 630),
        corners: true,
    },
];

const fn icon(file: &'static str, side: u32, corners: bool) -> Picture {
    Picture { file, drawing: "web/icon.svg", size: (side, side), corners }
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../server").join(name)
}

/// Draws a file in a size. Returns the canvas and the file's own size.
const DRAW: &str = "async (kind, bytes, width, height) => {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: kind }));
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  canvas.getContext('2d').drawImage(image, 0, 0, width, height);
  return { canvas, size: [image.naturalWidth, image.naturalHeight] };
}";

/// Draws a file as a PNG.
const WRITE: &str = "async (draw, drawing) => {
  const { canvas } = await draw(...drawing);
  const blob = await new Promise((done) => canvas.toBlob(done, 'image/png'));
  return [...new Uint8Array(await blob.arrayBuffer())];
}";

/// The size of the second file, and the difference of the two.
const COMPARE: &str = "async (draw, drawing, picture) => {
  const [one, other] = await Promise.all([draw(...drawing), draw(...picture)]);
  const pixels = ({ canvas: c }) => c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
  const [a, b] = [pixels(one), pixels(other)];
  const sum = a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0);
  return [other.size, sum / a.length];
}";

#[tokio::test]
async fn every_picture_is_what_its_drawing_shows() {
    let tab = Tab::new(Device::LAPTOP).await;
    for Picture { file, drawing, size, corners } in PICTURES {
        let mut svg = fs::read_to_string(path(drawing)).unwrap();
        if !corners {
            assert!(svg.contains(CORNERS), "{drawing}");
            svg = svg.replace(CORNERS, "");
        }
        let drawing = json!(["image/svg+xml", svg.as_bytes(), size.0, size.1]);
        if std::env::var_os("NOUGHTS_DRAW").is_some() {
            let drawn = tab.eval(&format!("({WRITE})({DRAW}, {drawing})")).await;
            let drawn: Vec<u8> = serde_json::from_value(drawn).unwrap();
            fs::write(path(file), drawn).unwrap();
        }
        let bytes = fs::read(path(file)).unwrap();
        assert!(bytes.len() < HEAVY, "{file}: {} bytes are more than {HEAVY}", bytes.len());
        let picture = json!(["image/png", bytes, size.0, size.1]);
        let found = tab.eval(&format!("({COMPARE})({DRAW}, {drawing}, {picture})")).await;
        assert_eq!(found[0], json!([size.0, size.1]), "the size of {file}");
        let differ = found[1].as_f64().unwrap();
        assert!(differ < TOLERANCE, "{file} is not what its drawing shows: {differ}");
    }
    tab.done().await;
}
