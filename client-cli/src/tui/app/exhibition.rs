//! How the maker of a room of two computers pauses them, steps through their game and changes their
//! pace.

use noughts_protocol::{Pace, RoomIntent};

use super::App;

/// The next faster or slower pace. Paused computers do not move, so they have none.
pub(super) const fn turned(pace: Pace, faster: bool) -> Option<Pace> {
    match (pace, faster) {
        (Pace::Slow, true) | (Pace::Fast, false) => Some(Pace::Normal),
        (Pace::Normal, true) => Some(Pace::Fast),
        (Pace::Normal, false) => Some(Pace::Slow),
        (Pace::Paused, _) | (Pace::Fast, true) | (Pace::Slow, false) => None,
    }
}

impl App {
    /// Pauses the computers, or lets them play on as before.
    pub(super) fn pause(&mut self) {
        let Some(view) = self.session.room() else { return };
        let pace = match view.state.pace {
            Pace::Paused => self.pace_before_pause,
            running => {
                self.pace_before_pause = running;
                Pace::Paused
            }
        };
        self.ask(RoomIntent::Pace { pace });
    }

    /// Changes the pace.
    pub(super) fn change_pace(&mut self, faster: bool) {
        let Some(view) = self.session.room() else { return };
        match turned(view.state.pace, faster) {
            Some(pace) => self.ask(RoomIntent::Pace { pace }),
            None if view.state.pace == Pace::Paused => self.error("the computers are paused"),
            None => self.error(format!("{} is the end of the scale", view.state.pace)),
        }
    }
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{Computer, Seat, Snapshot};

    use super::*;
    use crate::fixture::{ME, event, snapshot};
    use crate::tui::app::tests::{AppDriver, sent_to_room};
    use noughts_protocol::Event;

    fn two_computers(pace: Pace) -> Snapshot {
        let mut snapshot = snapshot("3x3x3", &[0]);
        for seat in [&mut snapshot.seats.x, &mut snapshot.seats.o] {
            *seat = Seat::Computer(Computer::default());
        }
        (snapshot.presence.seats.x, snapshot.presence.seats.o) = (None, None);
        Snapshot { maker: Some(ME), pace, ..snapshot }
    }

    #[test]
    fn the_maker_pauses_steps_and_changes_the_pace() {
        let mut driver = AppDriver::in_room(two_computers(Pace::Fast));
        let bar = |driver: &AppDriver| driver.app.key_bar().text();
        assert!(bar(&driver).starts_with("space pause | - slower | "), "{}", bar(&driver));
        let paused = RoomIntent::Pace { pace: Pace::Paused };
        assert_eq!(*sent_to_room(&driver.type_text("p")), paused);
        driver.feed(event(11, Event::Paced { pace: Pace::Paused }));
        assert!(bar(&driver).starts_with("space play on | n step | "), "{}", bar(&driver));
        assert_eq!(*sent_to_room(&driver.type_text("n")), RoomIntent::Step { game: 1, ply: 1 });
        assert_eq!(*sent_to_room(&driver.type_text(".")), RoomIntent::Step { game: 1, ply: 1 });
        assert_eq!(driver.type_text("+"), [], "paused");
        // As fast as before.
        let fast = RoomIntent::Pace { pace: Pace::Fast };
        assert_eq!(*sent_to_room(&driver.type_text(" ")), fast);
        driver.feed(event(12, Event::Paced { pace: Pace::Fast }));
        assert_eq!(driver.type_text("+"), [], "the end of the scale");
        let normal = RoomIntent::Pace { pace: Pace::Normal };
        assert_eq!(*sent_to_room(&driver.type_text("-")), normal);
    }

    #[test]
    fn others_watch_without_these_keys() {
        let mut start = two_computers(Pace::Normal);
        start.maker = None;
        let mut driver = AppDriver::in_room(start);
        assert!(!driver.app.key_bar().text().contains("pause"));
        assert_eq!(driver.type_text("p+"), []);
    }

    #[test]
    fn the_scale_has_two_ends() {
        assert_eq!(turned(Pace::Slow, true).and_then(|pace| turned(pace, true)), Some(Pace::Fast));
        assert_eq!(turned(Pace::Fast, true), None);
        assert_eq!(turned(Pace::Slow, false), None);
        assert_eq!(turned(Pace::Paused, true), None);
    }
}
