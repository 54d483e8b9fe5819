//! The inbox of a room: commands wait here until the room takes them one by one. What commands mean
//! is not known here.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures::task::AtomicWaker;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::task::coop;

use super::command::Command;

/// Commands that may wait in a room's inbox.
pub(super) const INBOX: usize = 64;

/// The commands that wait for a room. Many may send, one takes ([`Commands`]).
///
/// Not a channel of tokio: each room would have 2.5 KiB before its first command.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    room: AtomicWaker,
    /// Notified when a sender that found the inbox full may try again.
    place: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    /// At most [`INBOX`].
    commands: VecDeque<Command>,
    /// Somebody has found the inbox full since it was last empty.
    is_awaited: bool,
    is_closed: bool,
}

/// A command that was not sent.
#[derive(Debug)]
pub(super) enum NotSent {
    Full(Command),
    /// The room has ended or hibernates.
    Closed,
}

impl Queue {
    /// Sends a command.
    ///
    /// # Errors
    /// If the inbox is full or the room takes no more commands.
    pub(super) fn try_send(&self, command: Command) -> Result<(), NotSent> {
        let mut waiting = self.waiting.lock();
        if waiting.is_closed {
            return Err(NotSent::Closed);
        }
        if waiting.commands.len() >= INBOX {
            waiting.is_awaited = true;
            return Err(NotSent::Full(command));
        }
        waiting.commands.push_back(command);
        let first = waiting.commands.len() == 1;
        drop(waiting);
        if first {
            self.room.wake();
        }
        Ok(())
    }

    /// Sends a command when there is a place. `None` if the room takes no more commands.
    pub(super) async fn send(&self, mut command: Command) -> Option<()> {
        loop {
            let place = self.place.notified();
            match self.try_send(command) {
                Ok(()) => return Some(()),
                Err(NotSent::Closed) => return None,
                Err(NotSent::Full(again)) => command = again,
            }
            place.await;
        }
    }

    fn take(&self) -> Option<Command> {
        let mut waiting = self.waiting.lock();
        let command = waiting.commands.pop_front()?;
        if waiting.is_awaited {
            waiting.is_awaited = !waiting.commands.is_empty();
            if waiting.is_awaited {
                self.place.notify_one();
            } else {
                self.place.notify_waiters();
            }
        }
        Some(command)
    }
}

/// The taking end of an inbox. The room's task holds it; dropping it closes the inbox, and the commands
/// in it end unanswered.
#[derive(Debug)]
pub(crate) struct Commands(pub(super) Arc<Queue>);

impl Commands {
    /// The next command, if one waits.
    pub(crate) fn try_next(&self) -> Option<Command> {
        self.0.take()
    }

    /// Waits for the next command. Cancel-safe: nothing is taken before it returns.
    pub(crate) fn next(&self) -> impl Future<Output = Command> {
        poll_fn(|context: &mut Context<'_>| {
            // Other tasks get their turn beside a room whose commands never end.
            let budget = ready!(coop::poll_proceed(context));
            let command = self.0.take().or_else(|| {
                self.0.room.register(context.waker());
                self.0.take()
            });
            match command {
                Some(command) => {
                    budget.made_progress();
                    Poll::Ready(command)
                }
                None => Poll::Pending,
            }
        })
    }

    /// Lets no more commands in. Those in the inbox can still be taken.
    pub(crate) fn close(&self) {
        self.0.waiting.lock().is_closed = true;
        self.0.place.notify_waiters();
    }
}

impl Drop for Commands {
    fn drop(&mut self) {
        self.close();
        let unanswered = std::mem::take(&mut self.0.waiting.lock().commands);
        // Not under the lock: whoever waits for an answer is woken.
        drop(unanswered);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures::{FutureExt, poll};
    use noughts_protocol::PlayerId;
    use tokio::sync::oneshot;

    use super::{Command, Commands, INBOX, NotSent, Queue};

    fn command(number: u64) -> Command {
        Command::HasSeat { player: PlayerId(number), answer: oneshot::channel().0 }
    }

    fn number(command: &Command) -> u64 {
        let Command::HasSeat { player, .. } = command else { panic!("{command:?}") };
        player.0
    }

    fn full() -> (Arc<Queue>, Commands) {
        let queue = Arc::<Queue>::default();
        for number in 0..INBOX as u64 {
            queue.try_send(command(number)).unwrap();
        }
        (Arc::clone(&queue), Commands(queue))
    }

    #[tokio::test]
    async fn commands_come_in_order_and_a_full_inbox_takes_no_more() {
        let (queue, commands) = full();
        assert!(matches!(queue.try_send(command(99)), Err(NotSent::Full(_))));
        for expected in 0..INBOX as u64 {
            assert_eq!(number(&commands.next().await), expected);
        }
        assert!(commands.try_next().is_none());
        let mut next = Box::pin(commands.next());
        assert!(poll!(next.as_mut()).is_pending());
        queue.try_send(command(100)).unwrap();
        assert_eq!(number(&next.await), 100);
    }

    #[tokio::test]
    async fn all_who_found_it_full_get_a_place_also_if_the_room_takes_many_at_once() {
        let (queue, commands) = full();
        let senders: Vec<_> = (0..5)
            .map(|number| {
                let queue = Arc::clone(&queue);
                tokio::spawn(async move { queue.send(command(1000 + number)).await })
            })
            .collect();
        tokio::task::yield_now().await;
        for _ in 0..INBOX {
            assert!(commands.try_next().is_some());
        }
        for sender in senders {
            assert_eq!(sender.await.unwrap(), Some(()));
        }
        let late: Vec<_> = std::iter::from_fn(|| commands.try_next()).map(|c| number(&c)).collect();
        assert_eq!(late.len(), 5, "{late:?}");
    }

    #[tokio::test]
    async fn a_closed_inbox_gives_what_it_has_and_turns_away_the_rest() {
        let (queue, commands) = full();
        let late = queue.send(command(99));
        let mut late = Box::pin(late);
        assert!(poll!(late.as_mut()).is_pending());
        commands.close();
        assert_eq!(late.now_or_never(), Some(None));
        assert!(matches!(queue.try_send(command(99)), Err(NotSent::Closed)));
        assert!(commands.try_next().is_some());
    }

    #[tokio::test]
    async fn commands_in_an_inbox_that_is_dropped_end_unanswered() {
        let queue = Arc::<Queue>::default();
        let commands = Commands(Arc::clone(&queue));
        let (answer, answered) = oneshot::channel();
        queue.try_send(Command::HasSeat { player: PlayerId(1), answer }).unwrap();
        drop(commands);
        assert!(answered.await.is_err());
        assert!(matches!(queue.try_send(command(99)), Err(NotSent::Closed)));
    }
}
