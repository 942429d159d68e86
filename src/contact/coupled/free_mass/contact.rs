//! A contact of a free mass, under way.

use super::super::step_size::CompressionTime;

/// A contact under way.
#[derive(Clone, Copy, Debug)]
pub struct CoupledContact {
    /// Time of its steps, s.
    pub time_s: f64,
    /// How much of the first was over before it touched, s.
    pub late_s: f64,
    /// What its way in was predicted to take, s.
    pub compression_time_s: f64,
    /// Steps it has had.
    pub steps: u32,
    /// What its steps were last settled by, and when, s.
    pub settled: Option<(CompressionTime, f64)>,
    /// What was pushed so far, N s.
    pub impulse_ns: f64,
    /// Steps since its force ended.
    pub tail: u32,
    /// Nothing has pushed since. With a linear damper the mass is then still in its dent, and may
    /// be caught up by the surface once more before it is out of it: that is the same contact.
    pub left: Option<Separation>,
}

/// How a mass was when its force ended.
#[derive(Clone, Copy, Debug)]
pub struct Separation {
    /// After the steps of the contact began, s.
    pub time_s: f64,
    /// Its own velocity, m/s.
    pub v_m_per_s: f64,
    /// Compression, m.
    pub x_m: f64,
    /// Height, m.
    pub height_m: f64,
}
