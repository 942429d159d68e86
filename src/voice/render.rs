//! The inner loop of a voice: many samples at once while nothing acts on the body, sample by sample
//! while something may.

use super::body::{Object, VoiceBody};
use super::events::EventWriter;
use super::exciters::{Exciters, FreeBody};
use super::output::air::Air;
use crate::body::bank::CHUNK;
use crate::body::kernel::MOMENTS;
use crate::params::Patch;

/// What is constant while up to [`CHUNK`] samples are rendered.
pub struct Chunk<'a> {
    pub patch: &'a Patch,
    /// The external force from the first sample on, N; 0 beyond its end.
    pub forces_n: &'a [f64],
    /// Samples from the first one to the next control tick.
    pub until_tick: usize,
}

impl Exciters {
    /// Renders the body and everything that acts on it, for at most [`CHUNK`] samples.
    pub fn render(
        &mut self,
        body: &mut VoiceBody,
        air: &mut Air,
        chunk: &Chunk,
        [left, right]: [&mut [f64]; 2],
        events: &mut EventWriter,
    ) {
        let (patch, start) = (chunk.patch, events.offset);
        let mut n = 0;
        while n < left.len() {
            events.offset = start + n;
            let forces_n = chunk.forces_n.get(n..).unwrap_or_default();
            if !self.is_only_rolling() {
                let smooth =
                    self.render_smooth(body, air, patch, [&mut left[n..], &mut right[n..]], n);
                if smooth > 0 {
                    n += smooth;
                    continue;
                }
                self.strike_tumbling(patch, body, events);
                let room = self.external_force.silent_samples(forces_n, left.len() - n);
                let VoiceBody { object, bank, .. } = &mut *body;
                let free = &mut FreeBody { object, bank, until_tick: chunk.until_tick - n };
                let clear = if room > 0 { self.clear_samples(room, free) } else { 0 };
                if clear > 0 {
                    let (end, modes) = (n + clear, &mut free.object.modes);
                    free.bank.process(modes, &mut left[n..end], &mut right[n..end]);
                    self.for_each(|exciter| exciter.skip(clear, free));
                    air.pass(n..end);
                    n = end;
                    continue;
                }
            }
            let force_n = forces_n.first().copied().unwrap_or_default();
            let impulse_ns = self.advance(body, patch, force_n, events);
            (left[n], right[n]) = body.bank.hear(&body.object.modes);
            air.advance(n, impulse_ns);
            n += 1;
        }
    }

    /// Renders the next samples at once if a single rigid striker pushes smoothly, which most do
    /// most of the time. Returns how many. `n`: samples of the chunk before.
    fn render_smooth(
        &mut self,
        VoiceBody { object, bank, .. }: &mut VoiceBody,
        air: &mut Air,
        patch: &Patch,
        [left, right]: [&mut [f64]; 2],
        n: usize,
    ) -> usize {
        let Object { modes, .. } = &*object;
        if !self.is_only_rigid() || modes.are_moving() || bank.live() > modes.len {
            return 0;
        }
        let mut forces = [[0.0; MOMENTS]; CHUNK];
        let max = left.len().min(CHUNK);
        let context = object.contact_context(patch);
        let Some((samples, step, gains)) =
            self.rigid.push_smoothly(&context, &mut self.steps, &mut forces[..max])
        else {
            return 0;
        };
        let forces = &forces[..samples];
        let out = [&mut left[..samples], &mut right[..samples]];
        bank.push_and_hear(&mut object.modes, step, gains, forces, out);
        for (n, [impulse_ns, ..]) in (n..).zip(forces) {
            air.advance(n, *impulse_ns);
        }
        samples
    }
}
