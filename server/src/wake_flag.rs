//! Spares a task the polls of futures that have not woken it. A task that waits for many things is
//! woken by one of them most of the time, and to poll the others costs more than that one.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use futures::task::{ArcWake, AtomicWaker, waker_ref};

/// Whether one of some futures has woken the task since they were last polled.
#[derive(Debug)]
pub(crate) struct WakeFlag {
    is_woken: AtomicBool,
    task: AtomicWaker,
}

impl ArcWake for WakeFlag {
    fn wake_by_ref(this: &Arc<Self>) {
        this.is_woken.store(true, Ordering::Release);
        this.task.wake();
    }
}

impl WakeFlag {
    /// The flag of futures that were not polled yet.
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { is_woken: AtomicBool::new(true), task: AtomicWaker::new() })
    }

    /// Waits for a future, which is polled only if it was not polled before or if it has woken the task.
    /// After it was ready the next one is polled at once. A future may be another one each time, if its
    /// registration outlives it: that of a socket does.
    pub(crate) fn watch<F: Future>(
        self: &Arc<Self>,
        mut future: Pin<&mut F>,
    ) -> impl Future<Output = F::Output> {
        std::future::poll_fn(move |context| {
            self.task.register(context.waker());
            if !self.is_woken.swap(false, Ordering::AcqRel) {
                return Poll::Pending;
            }
            let waker = waker_ref(self);
            let polled = future.as_mut().poll(&mut Context::from_waker(&waker));
            if polled.is_ready() {
                self.is_woken.store(true, Ordering::Release);
            }
            polled
        })
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::poll_fn;
    use std::pin::pin;
    use std::task::{Poll, Waker};

    use futures::poll;
    use futures::task::noop_waker;

    use super::WakeFlag;

    #[tokio::test]
    async fn a_future_is_polled_at_first_and_when_it_has_woken_the_task() {
        let (flag, polls, ready) = (WakeFlag::new(), Cell::new(0), Cell::new(false));
        let waker = Cell::new(noop_waker());
        let watch = async || {
            let mut future = pin!(poll_fn(|context| {
                polls.set(polls.get() + 1);
                waker.set(context.waker().clone());
                if ready.get() { Poll::Ready(()) } else { Poll::Pending }
            }));
            let mut watched = pin!(flag.watch(future.as_mut()));
            poll!(watched.as_mut()).is_ready()
        };
        assert_eq!((watch().await, polls.get()), (false, 1));
        assert_eq!((watch().await, polls.get()), (false, 1), "it has not woken the task");
        ready.set(true);
        waker.replace(Waker::noop().clone()).wake();
        assert_eq!((watch().await, polls.get()), (true, 2));
        ready.set(false);
        assert_eq!((watch().await, polls.get()), (false, 3), "the next one is polled at once");
        assert_eq!((watch().await, polls.get()), (false, 3));
    }

    #[tokio::test]
    async fn it_wakes_the_task() {
        let flag = WakeFlag::new();
        let (sender, mut receiver) = tokio::sync::oneshot::channel();
        let task = tokio::spawn(async move { flag.watch(pin!(&mut receiver)).await });
        tokio::task::yield_now().await;
        sender.send(7).unwrap();
        assert_eq!(task.await.unwrap(), Ok(7));
    }
}
