//! Reads surface heights, with a crossfade between tables.

use std::sync::Arc;

use crate::exciter::surface::{SurfaceTable, Zoom};
use crate::math::{lerp, smoothstep};

/// Duration of the crossfade to a new table, s.
const FADE_S: f64 = 0.05;

/// A table, and the levels of detail in use.
#[derive(Clone, Debug)]
struct LoadedSurface {
    table: Arc<SurfaceTable>,
    ground: Zoom,
    ball: Zoom,
}

impl LoadedSurface {
    fn new(table: Arc<SurfaceTable>) -> Self {
        Self { table, ground: Zoom::default(), ball: Zoom::default() }
    }

    fn set_speed(&mut self, speed_m_per_s: f64) {
        self.ground = self.table.ground().zoom(speed_m_per_s);
        self.ball = self.table.ball().zoom(speed_m_per_s);
    }

    #[inline]
    fn height_m(&self, x_m: f64, turn: Option<f64>, sharpen_m2: f64) -> f64 {
        let ground_m = self.table.ground().sharpened_m(x_m, self.ground, sharpen_m2);
        let ball = self.table.ball();
        ground_m
            + turn
                .map_or(0.0, |turn| ball.sharpened_m(turn * ball.length_m(), self.ball, sharpen_m2))
    }
}

/// Reads one table, or two during a crossfade.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    now: Option<LoadedSurface>,
    coming: Option<LoadedSurface>,
    waiting: Option<Arc<SurfaceTable>>,
    /// Progress of the crossfade, 0...1.
    share: f64,
    /// Surface position at which the way begins, m.
    start_m: f64,
}

impl Reader {
    /// Switches to this table at once.
    pub fn begin(&mut self, table: Arc<SurfaceTable>) {
        *self = Self { now: Some(LoadedSurface::new(table)), ..Self::default() };
    }

    /// Sets the surface position at which the way begins, m.
    pub fn set_start(&mut self, start_m: f64) {
        self.start_m = start_m;
    }

    /// Crossfades to another table. During a crossfade the newest table waits for its end.
    pub fn set_table(&mut self, table: Arc<SurfaceTable>) {
        match (&self.now, &self.coming) {
            (None, _) => self.begin(table),
            (_, Some(_)) => self.waiting = Some(table),
            (Some(now), None) if Arc::ptr_eq(&now.table, &table) => {}
            (Some(_), None) => {
                self.coming = Some(LoadedSurface::new(table));
                self.share = 0.0;
            }
        }
    }

    /// Sets the reading speed.
    pub fn set_speed(&mut self, speed_m_per_s: f64) {
        for loaded in self.now.iter_mut().chain(&mut self.coming) {
            loaded.set_speed(speed_m_per_s);
        }
    }

    /// Advances the crossfade.
    #[inline]
    pub fn pass(&mut self, h_s: f64) {
        if self.coming.is_none() {
            return;
        }
        self.share += h_s / FADE_S;
        if self.share >= 1.0 {
            self.now = self.coming.take();
            self.share = 0.0;
            if let Some(table) = self.waiting.take() {
                self.set_table(table);
            }
        }
    }

    /// True during a crossfade.
    #[inline]
    pub fn is_changing(&self) -> bool {
        self.coming.is_some()
    }

    /// Height of ground and ball together, m, at a distance of `x_m`.
    ///
    /// `turn` is the ball's angle, 0...1, or none if it does not turn. `sharpen_m2` times the
    /// curvature is subtracted ([`SHARPEN`](crate::exciter::surface::profile::SHARPEN)).
    #[inline]
    pub fn height_m(&self, x_m: f64, turn: Option<f64>, sharpen_m2: f64) -> f64 {
        self.faded(|loaded| loaded.height_m(self.start_m + x_m, turn, sharpen_m2))
    }

    /// Slope of the ground.
    pub fn slope(&self, x_m: f64) -> f64 {
        self.faded(|loaded| loaded.table.ground().slope(self.start_m + x_m, loaded.ground))
    }

    #[inline]
    fn faded(&self, read: impl Fn(&LoadedSurface) -> f64) -> f64 {
        let Some(now) = &self.now else { return 0.0 };
        let here = read(now);
        match &self.coming {
            None => here,
            Some(coming) => lerp(here, read(coming), smoothstep(self.share)),
        }
    }

    /// Drops all tables.
    pub fn reset(&mut self) {
        *self = Self::default();
    }
}
