//! The party's screens.

use noughts_protocol::{PartyEvent, PartyPhase, Place};

use super::*;
use crate::app::tests::party::in_party;
use crate::fixture::party::{at_table, gathering, outcome, paired, party_event};

/// The three sizes at which every screen is looked at.
const SIZES: [(u16, u16); 3] = [(60, 20), (80, 24), (120, 40)];

#[test]
fn dump() {
    for (w, h) in SIZES {
        let mut driver = in_party(gathering());
        println!("{}\n=====", screen(&mut driver, w, h));
        let mut driver = in_party(paired());
        println!("{}\n=====", screen(&mut driver, w, h));
        driver.press(KeyCode::Right);
        println!("{}\n=====", screen(&mut driver, w, h));
        driver.press(KeyCode::Right);
        println!("{}\n=====", screen(&mut driver, w, h));
        driver.feed(crate::fixture::shown(at_table(&[0, 3, 1, 4, 2])));
        println!("{}\n=====", screen(&mut driver, w, h));
    }
}
