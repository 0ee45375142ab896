//! Steps of work for several threads, which add more while they work.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A queue that ends when nothing waits and no step is at work, because only those add more.
pub struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    waiting: Vec<T>,
    at_work: usize,
    stopped: bool,
}

impl<T> Queue<T> {
    /// Begin with these steps.
    pub fn new(steps: impl Iterator<Item = T>) -> Self {
        let state = State {
            waiting: steps.collect(),
            at_work: 0,
            stopped: false,
        };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    /// Take a step, which must be ended by `done`; None when there is nothing left to do.
    pub fn take(&self) -> Option<T> {
        let mut state = self.lock();
        loop {
            if state.stopped || (state.waiting.is_empty() && state.at_work == 0) {
                return None;
            }
            if let Some(step) = state.waiting.pop() {
                state.at_work += 1;
                return Some(step);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// End a step that led to these.
    pub fn done(&self, more: &mut Vec<T>) {
        let mut state = self.lock();
        state.at_work -= 1;
        let wake = !more.is_empty() || state.at_work == 0;
        state.waiting.append(more);
        drop(state);
        if wake {
            self.changed.notify_all();
        }
    }

    /// Give out no more steps.
    pub fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    #[test]
    fn every_step_is_taken_once_by_whichever_thread() {
        let queue = Queue::new([10_usize].into_iter());
        let taken = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while let Some(step) = queue.take() {
                        taken.fetch_add(1, Ordering::SeqCst);
                        queue.done(&mut (0..step).collect());
                    }
                });
            }
        });

        assert_eq!(taken.into_inner(), 1 << 10);
    }

    #[test]
    fn a_stopped_queue_gives_nothing() {
        let queue = Queue::new([1, 2].into_iter());
        queue.stop();

        assert_eq!(queue.take(), None);
    }
}
