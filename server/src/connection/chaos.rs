//! What `--chaos` does to the messages of a connection.

use std::time::Duration;

use tokio::time::sleep;

use crate::connection::{Connection, End, text};
use crate::outbox::Frame;

impl Connection {
    /// Sends what was in the outbox.
    pub(crate) async fn send(&mut self, batch: &mut Vec<Frame>) -> Result<(), End> {
        match &self.chaos {
            None => self.write(batch.drain(..).map(text)).await,
            Some(chaos) => {
                let delay = chaos.delay();
                Box::pin(self.send_by_chance(delay, batch)).await
            }
        }
    }

    async fn send_by_chance(&mut self, delay: Duration, batch: &mut Vec<Frame>) -> Result<(), End> {
        sleep(delay).await;
        let mut arriving = Vec::new();
        for frame in batch.drain(..) {
            let copies = self.copies()?;
            arriving.extend((0..copies).map(|_| text(frame.clone())));
        }
        self.write(arriving.into_iter()).await
    }

    /// How many copies of the next message pass: one, unless there is chaos.
    pub(crate) fn copies(&mut self) -> Result<u8, End> {
        match &mut self.chaos {
            Some(chaos) => chaos.copies().ok_or(End(None)),
            None => Ok(1),
        }
    }
}
