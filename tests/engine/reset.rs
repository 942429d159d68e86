//! After a stop an engine plays as a new one does, to the bit, whatever was played before: all
//! parameters at random, every voice used and stolen, controllers left moved.

use ictus::cli::render::install_surface;
use ictus::engine::{Engine, NoteEnds};
use ictus::params::event::{Event, EventKind, ExpressionKind, NoteAddress};
use ictus::params::{MAX_VOICES, Param, Patch};

const RATE_HZ: f64 = 48_000.0;
const BLOCK: usize = 64;

struct TestRng(u64);

impl TestRng {
    fn next(&mut self) -> u64 {
        crate::random::next(&mut self.0)
    }

    fn share(&mut self) -> f64 {
        self.next() as f64 / f64::from(1u32 << 31)
    }

    /// All parameters at random, and the largest number of voices. Random is reproducible.
    fn patch(&mut self) -> Patch {
        let mut patch = Patch::default();
        for param in Param::ALL {
            patch.set_stored(param, param.spec().position_to_stored(self.share()));
        }
        patch.set(Param::Voices, MAX_VOICES as f64);
        patch.set(Param::Fresh, 0.0);
        patch
    }

    fn event(&mut self, notes_of_ten: u64) -> Event {
        let key = Some(24 + (self.next() % 84) as u8);
        let note = NoteAddress { id: None, channel: Some((self.next() % 2) as u8), key };
        let (offset, value) = (self.next() as usize % BLOCK, self.share() as f32);
        let kind = if self.next() % 10 < notes_of_ten {
            EventKind::NoteOn { velocity: value }
        } else {
            match self.next() % 6 {
                0 => EventKind::NoteOff,
                1 => EventKind::Bend { value: 2.0 * value - 1.0 },
                2 => EventKind::Controller { number: (self.next() % 128) as u8, value },
                3 => EventKind::Pressure { value },
                4 => EventKind::Modulation {
                    param: Param::ALL[self.next() as usize % Param::COUNT],
                    offset: value - 0.5,
                },
                _ => EventKind::Expression {
                    kind: ExpressionKind::ALL[self.next() as usize % ExpressionKind::ALL.len()],
                    value,
                },
            }
        };
        Event { offset, note, kind }
    }

    fn blocks(&mut self, count: usize, events: usize, notes_of_ten: u64) -> Vec<Vec<Event>> {
        (0..count)
            .map(|_| {
                let mut block: Vec<_> = (0..self.next() as usize % (events + 1))
                    .map(|_| self.event(notes_of_ten))
                    .collect();
                block.sort_by_key(|event| event.offset);
                block
            })
            .collect()
    }
}

fn play(engine: &mut Engine, patch: &Patch, blocks: &[Vec<Event>]) -> Vec<u32> {
    while engine.take_retired_surface().is_some() {}
    install_surface(engine, patch, None);
    let (mut left, mut right, mut ends) = ([0.0; BLOCK], [0.0; BLOCK], NoteEnds::new());
    let mut heard = Vec::new();
    for events in blocks {
        engine.process(patch, events, &mut left, &mut right, &mut ends);
        ends.clear();
        heard.extend(left.iter().chain(&right).map(|x| x.to_bits()));
    }
    heard
}

#[test]
fn after_a_stop_an_engine_plays_as_a_new_one() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (count, seed) =
        (number("ICTUS_STOPS").unwrap_or(25), number("ICTUS_STOPS_SEED").unwrap_or(7));
    let mut fresh = Engine::new();
    fresh.prepare(RATE_HZ);
    let (mut used, mut differ, mut loud) = (fresh.clone(), Vec::new(), 0);
    for round in 0..count {
        let mut chance = TestRng(seed.wrapping_mul(1_000_003) + round);
        let (before, storm) = (chance.patch(), chance.blocks(60, 8, 7));
        play(&mut used, &before, &storm);
        used.reset();
        let (patch, blocks) = (chance.patch(), chance.blocks(250, 2, 6));
        let (wanted, heard) =
            (play(&mut fresh.clone(), &patch, &blocks), play(&mut used, &patch, &blocks));
        loud += u64::from(wanted.iter().any(|x| f32::from_bits(*x).abs() > 1e-4));
        if let Some(at) = wanted.iter().zip(&heard).position(|(wanted, heard)| wanted != heard) {
            let moved: Vec<_> = Param::ALL
                .iter()
                .map(|param| format!("{}={}", param.spec().id, patch.stored(*param)))
                .collect();
            differ.push(format!("round {round}, block {}: {}", at / (2 * BLOCK), moved.join(" ")));
        }
        used.reset();
    }
    assert!(2 * loud > count, "only {loud} of {count} are heard");
    assert!(differ.is_empty(), "{} of {count}:\n{}", differ.len(), differ.join("\n"));
}
