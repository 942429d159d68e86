//! Large things on their way between the audio thread, which asks for them and reads them, and a thread that makes and
//! frees them. Neither waits for the other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossbeam_queue::ArrayQueue;

/// Things on their way, either way.
const QUEUE: usize = 8;
/// How often the maker looks whether there is anything to do. The audio thread wakes nobody up.
const LOOK: Duration = Duration::from_millis(40);

/// Where the audio thread keeps what is in use.
pub trait Rack<T> {
    /// Put something new in use, or give it back while too much is.
    fn offer(&mut self, new: Arc<T>) -> Result<(), Arc<T>>;
    /// Something that nobody reads any more.
    fn take_retired(&mut self) -> Option<Arc<T>>;
}

/// Shared by both threads. What is asked for is numbered: a slow answer to an old request is not wanted.
pub struct Passage<R, T> {
    /// The newest request.
    asked: ArrayQueue<(u64, R)>,
    ready: ArrayQueue<(u64, Arc<T>)>,
    retired: ArrayQueue<Arc<T>>,
    closing: AtomicBool,
}

impl<R, T> Passage<R, T> {
    /// Nothing is on its way.
    pub fn new() -> Self {
        Self {
            asked: ArrayQueue::new(1),
            ready: ArrayQueue::new(QUEUE),
            retired: ArrayQueue::new(QUEUE),
            closing: AtomicBool::new(false),
        }
    }

    /// Ask for something, instead of what was asked for before.
    pub fn ask(&self, request: (u64, R)) {
        self.asked.force_push(request);
    }

    /// Send what has been made. What nobody took for too long is freed here.
    pub fn send(&self, number: u64, made: Arc<T>) {
        self.ready.force_push((number, made));
    }

    /// The maker's work, until it is [closed](Self::close).
    pub fn work(&self, make: impl Fn(R) -> Arc<T>) {
        while !self.closing.load(Ordering::Acquire) {
            while self.retired.pop().is_some() {}
            match self.asked.pop() {
                Some((number, request)) => self.send(number, make(request)),
                None => std::thread::park_timeout(LOOK),
            }
        }
    }

    /// Nothing more is wanted.
    pub fn close(&self) {
        self.closing.store(true, Ordering::Release);
    }
}

/// The audio thread's side.
pub struct Taker<T> {
    /// The newest request that has been answered.
    answered: u64,
    /// Something that there was no room for yet: on the rack, or on the way back.
    waiting: Option<(u64, Arc<T>)>,
    /// Something that came too late while there was no room on the way back.
    late: Option<Arc<T>>,
}

impl<T> Taker<T> {
    /// Nothing has been taken.
    pub fn new() -> Self {
        Self { answered: 0, waiting: None, late: None }
    }

    /// Hand what is new to the rack, and back what it no longer needs. Frees nothing.
    pub fn pass_on<R>(&mut self, passage: &Passage<R, T>, rack: &mut impl Rack<T>) {
        while !passage.retired.is_full()
            && let Some(old) = self.late.take().or_else(|| rack.take_retired())
        {
            let _ = passage.retired.push(old);
        }
        while let Some((number, new)) = self.waiting.take().or_else(|| passage.ready.pop()) {
            if number < self.answered {
                // What comes too late goes back as if it had been used: it itself, and no clone of it, or the maker may be done with
                // that before the last one here is dropped. One waits for room there; a second makes all others wait, too.
                match (passage.retired.push(new), &mut self.late) {
                    (Ok(()), _) => {}
                    (Err(new), late @ None) => *late = Some(new),
                    (Err(new), Some(_)) => {
                        self.waiting = Some((number, new));
                        return;
                    }
                }
                continue;
            }
            if let Err(new) = rack.offer(new) {
                self.waiting = Some((number, new));
                return;
            }
            self.answered = number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gesture::surface::Shelf;
    use std::thread::ThreadId;

    /// What may be freed anywhere but on the audio thread.
    #[derive(Debug)]
    struct Table {
        number: u64,
        audio: ThreadId,
    }

    impl Drop for Table {
        fn drop(&mut self) {
            assert_ne!(self.audio, std::thread::current().id(), "{} is freed on the audio thread", self.number);
        }
    }

    /// As the engine keeps its surfaces.
    #[derive(Default)]
    struct Engine(Option<Shelf<Table>>);

    impl Rack<Table> for Engine {
        fn offer(&mut self, new: Arc<Table>) -> Result<(), Arc<Table>> {
            match &mut self.0 {
                Some(shelf) => shelf.offer(new),
                empty => {
                    *empty = Some(Shelf::new(new));
                    Ok(())
                }
            }
        }

        fn take_retired(&mut self) -> Option<Arc<Table>> {
            self.0.as_mut()?.take_retired()
        }
    }

    /// The audio thread asks and reads, the maker makes and frees, and a third one sends at once what was made elsewhere,
    /// so that answers of the maker come too late. Nothing is freed where it must not be, and the newest is in use at last.
    #[test]
    fn tables_come_and_go_between_two_threads() {
        let requests = if cfg!(miri) { 12 } else { 5000 };
        let passage = Arc::new(Passage::<u64, Table>::new());
        let (of_maker, of_audio) = (passage.clone(), passage.clone());
        let audio = std::thread::spawn(move || {
            let id = std::thread::current().id();
            let (mut engine, mut taker, mut reader) = (Engine::default(), Taker::new(), None);
            let mut newest = 0;
            for number in 1..=requests {
                of_audio.ask((number, number));
                taker.pass_on(&of_audio, &mut engine);
                if number % 3 == 0 {
                    // As a host that renders has it: made in between. (There is room for it and for the two that the maker may
                    // still send, or what is pushed out would be freed here.)
                    if of_audio.ready.len() < QUEUE - 2 {
                        of_audio.send(number, Arc::new(Table { number, audio: id }));
                    }
                    taker.pass_on(&of_audio, &mut engine);
                }
                // A ball that rolls goes over to the new one now and then.
                if number % 2 == 0 {
                    reader = engine.0.as_ref().map(|shelf| shelf.current().clone());
                }
                std::thread::yield_now();
            }
            while newest < requests {
                taker.pass_on(&of_audio, &mut engine);
                newest = engine.0.as_ref().map_or(0, |shelf| shelf.current().number);
                reader = None;
                std::thread::yield_now();
            }
            (engine, taker, reader)
        });
        let id = audio.thread().id();
        let maker = std::thread::spawn(move || of_maker.work(|number| Arc::new(Table { number, audio: id })));
        // What is left goes where instances go.
        let left = audio.join().expect("the audio thread frees nothing");
        passage.close();
        maker.thread().unpark();
        maker.join().expect("the maker ends");
        drop(left);
    }

    /// The maker is done with what it got back before the audio thread goes on: nothing is left to be freed there.
    #[test]
    fn what_comes_too_late_goes_back_itself() {
        let passage = Passage::<u64, Table>::new();
        let elsewhere = std::thread::spawn(|| ()).thread().id();
        let table = |number| Arc::new(Table { number, audio: elsewhere });
        let (mut engine, mut taker) = (Engine::default(), Taker::new());
        passage.send(2, table(2));
        passage.send(1, table(1));
        taker.pass_on(&passage, &mut engine);
        assert_eq!(engine.0.as_ref().expect("a table").current().number, 2);
        let back = passage.retired.pop().expect("the late one");
        assert_eq!((back.number, Arc::strong_count(&back)), (1, 1));
    }

    /// The maker is busy, and the way back is full: what comes too late waits, and is not put in use instead of what is newer.
    #[test]
    fn what_comes_too_late_is_not_used_though_there_is_no_way_back() {
        let passage = Passage::<u64, Table>::new();
        let elsewhere = std::thread::spawn(|| ()).thread().id();
        let table = |number| Arc::new(Table { number, audio: elsewhere });
        let (mut engine, mut taker) = (Engine::default(), Taker::new());
        (0..QUEUE).for_each(|_| passage.retired.push(table(0)).expect("there is room"));
        [5, 1, 2, 6].into_iter().for_each(|number| passage.send(number, table(number)));
        let in_use = |engine: &Engine| engine.0.as_ref().map(|shelf| shelf.current().number);
        taker.pass_on(&passage, &mut engine);
        assert_eq!(in_use(&engine), Some(5));
        // Room for one, and for all of them.
        passage.retired.pop();
        taker.pass_on(&passage, &mut engine);
        assert_eq!(in_use(&engine), Some(6));
        let take_back = || std::iter::from_fn(|| passage.retired.pop()).map(|table| table.number).collect::<Vec<_>>();
        assert_eq!(take_back()[QUEUE - 1..], [1]);
        taker.pass_on(&passage, &mut engine);
        assert_eq!((in_use(&engine), &take_back()[..]), (Some(6), &[2, 5][..]));
    }
}
