use super::*;
use crate::body::material::Damping;
use crate::body::modes::Listening;
use crate::body::{Kernel, Steps};
use crate::contact::Surface;

const DAMPING: Damping = Damping { support_per_s: 2.0, loss_factor: 1e-3, viscous_s: 1e-8 };
const LISTENING: Listening =
    Listening { left: crate::body::Point::along(0.0), right: crate::body::Point::along(1.0) };

fn struck(pitch_hz: f64, fs: f64) -> (Modes, Bank) {
    struck_on(Kernel::best(), pitch_hz, fs)
}

fn struck_on(kernel: Kernel, pitch_hz: f64, fs: f64) -> (Modes, Bank) {
    let mut modes = Modes::default();
    modes.kernel = kernel;
    modes.set(pitch_hz, &DAMPING, LISTENING, fs);
    modes.arrive();
    let mut drive = Drive::default();
    drive.set_gains(&modes.drive_gains(0.1, 1.0));
    drive.begin_sample();
    drive.on(&modes, &mut Steps::default()).push(1000.0, 1.0 / fs);
    let mut bank = Bank::default();
    bank.take(&modes, &drive);
    (modes, bank)
}

#[test]
fn re_tuning_a_ringing_body_adds_no_energy() {
    let (mut modes, mut bank) = struck(200.0, 48000.0);
    let mut before = bank.energy_per_mass();
    let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
    for step in 0..2000 {
        let pitch_hz = 200.0 * (1.0 + 0.9 * f64::from(step).sin());
        modes.set(pitch_hz, &DAMPING, LISTENING, 48000.0);
        modes.arrive();
        bank.process(&mut modes, &mut l, &mut r);
        let after = bank.energy_per_mass();
        assert!(after <= before, "step {step}: {before} -> {after}");
        before = after;
    }
}

#[test]
fn ringing_decays_at_the_rate_of_the_law_at_every_sample_rate() {
    for fs in [44100.0, 48000.0, 96000.0, 192000.0] {
        let (mut modes, mut bank) = struck(440.0, fs);
        let (re, im) = bank.amplitude(0);
        let start = re.hypot(im);
        let samples = fs as usize / 2 / CHUNK * CHUNK;
        let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
        for _ in 0..samples / CHUNK {
            bank.process(&mut modes, &mut l, &mut r);
        }
        let (re, im) = bank.amplitude(0);
        let measured = (start / re.hypot(im)).ln() / (samples as f64 / fs);
        let wanted = DAMPING.rate_per_s(440.0);
        assert!((measured / wanted - 1.0).abs() < 1e-9, "{fs}: {measured} instead of {wanted}");
    }
}

#[test]
fn a_body_left_alone_comes_to_rest_and_never_meets_denormals() {
    let (mut modes, mut bank) = struck(440.0, 48000.0);
    for _ in 0..48000 * 60 / CHUNK {
        let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
        bank.process(&mut modes, &mut l, &mut r);
        bank.settle(&modes, 1.0);
        for i in 0..MAX_MODES {
            let (re, im) = bank.amplitude(i);
            assert!(re == 0.0 || re.is_normal());
            assert!(im == 0.0 || im.is_normal());
        }
    }
    assert_eq!(bank.energy_per_mass(), 0.0);
    assert_eq!(bank.live, 0);
}

/// Two seconds in pieces of the given lengths, over and over, with the pickups and the pitch moved
/// on the way.
fn rung(kernel: Kernel, pieces: &[usize]) -> Vec<(f64, f64)> {
    let fs = 48000.0;
    let (mut modes, mut bank) = struck_on(kernel, 60.0, fs);
    let mut sound = Vec::new();
    let mut lengths = pieces.iter().cycle();
    for section in 0..3000 {
        if section % 500 == 100 {
            let listening = Listening {
                left: crate::body::Point::along(0.0003 * f64::from(section)),
                right: crate::body::Point::along(0.3),
            };
            modes.set(60.0 + 0.01 * f64::from(section), &DAMPING, listening, fs);
        }
        let mut left_over = CHUNK;
        while left_over > 0 {
            let n = left_over.min(*lengths.next().unwrap());
            let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
            bank.process(&mut modes, &mut l[..n], &mut r[..n]);
            sound.extend(l.into_iter().zip(r).take(n));
            left_over -= n;
        }
        bank.catch_up(&modes);
        modes.arrive();
        bank.settle(&modes, 1.0);
    }
    sound
}

#[test]
fn pieces_of_any_length_give_the_same_bits() {
    let whole = rung(Kernel::best(), &[CHUNK]);
    for pieces in [&[1][..], &[31], &[7, 16, 2], &[17, 3, 29, 1, 1, 8]] {
        assert!(rung(Kernel::best(), pieces) == whole, "{pieces:?}");
    }
}

#[test]
fn every_instruction_set_gives_the_same_sound() {
    let reference = rung(Kernel::portable(), &[CHUNK]);
    let loudest = reference.iter().fold(0.0f64, |max, (l, r)| max.max(l.abs()).max(r.abs()));
    for kernel in Kernel::all() {
        for (n, (a, b)) in rung(kernel, &[CHUNK]).iter().zip(&reference).enumerate() {
            let error = (a.0 - b.0).abs().max((a.1 - b.1).abs());
            assert!(error <= 1e-6 * loudest, "{kernel:?} at {n}: {error:e} of {loudest}");
        }
    }
}

/// The longest ring at the highest rate is where errors would add up: each leap hands its rounding
/// on.
#[test]
fn what_is_heard_is_the_exact_decaying_sine_from_the_lowest_to_the_highest_mode() {
    for (pitch_hz, fs) in
        [(20.0, 192_000.0), (20.0, 44_100.0), (16_000.0, 44_100.0), (16_000.0, 192_000.0)]
    {
        for kernel in Kernel::all() {
            let (mut modes, mut bank) = struck_on(kernel, pitch_hz, fs);
            let start: Vec<_> = (0..modes.len).map(|i| bank.amplitude(i)).collect();
            let scale: f64 = (0..modes.len)
                .map(|i| start[i].0.hypot(start[i].1) * modes.left.now[i].abs())
                .sum();
            let samples = 2 * fs as usize / CHUNK * CHUNK;
            for frame in 0..samples / CHUNK {
                let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
                bank.process(&mut modes, &mut l, &mut r);
                if frame % 997 != 0 {
                    continue;
                }
                for (n, heard) in l.into_iter().enumerate() {
                    let t = (frame * CHUNK + n + 1) as f64 / fs;
                    let exact: f64 = (0..modes.len)
                        .map(|i| {
                            let (sin, cos) = (modes.omega[i] * t).sin_cos();
                            let shrink = (-modes.decay_per_s[i] * t).exp();
                            modes.left.now[i] * shrink * (start[i].0 * cos - start[i].1 * sin)
                        })
                        .sum();
                    let error = (heard - exact).abs() / scale;
                    assert!(
                        error < 3e-7,
                        "{kernel:?}, {pitch_hz} Hz at {fs}: {error:e} after {t} s"
                    );
                }
            }
            // The state is handed on in f64.
            let t = samples as f64 / fs;
            for (i, start) in start.iter().enumerate() {
                let (sin, cos) = (modes.omega[i] * t).sin_cos();
                let shrink = (-modes.decay_per_s[i] * t).exp();
                let (re, im) = bank.amplitude(i);
                let error = (re - shrink * (start.0 * cos - start.1 * sin))
                    .hypot(im - shrink * (start.1 * cos + start.0 * sin));
                assert!(
                    error <= 1e-9 * start.0.hypot(start.1),
                    "{kernel:?} {pitch_hz} {fs} mode {i}: {error:e}"
                );
            }
        }
    }
}

#[test]
fn a_frame_cut_short_goes_on_as_if_sample_by_sample() {
    for cut in [1, 15, 16, 17, 31] {
        let (mut modes, mut bank) = struck(440.0, 48000.0);
        let (mut slow_modes, mut slow) = struck(440.0, 48000.0);
        let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
        bank.process(&mut modes, &mut l[..cut], &mut r[..cut]);
        bank.catch_up(&modes);
        for n in 0..cut {
            slow.advance(&mut slow_modes);
            let (left, right) = slow.hear(&slow_modes);
            assert!(
                (left - l[n]).abs() < 1e-6 && (right - r[n]).abs() < 1e-6,
                "cut at {cut}, sample {n}"
            );
        }
        for i in 0..modes.len {
            assert_eq!(bank.amplitude(i), slow.amplitude(i), "cut at {cut}, mode {i}");
        }
    }
}

#[test]
fn pickups_on_their_way_are_heard_alike_at_both_paces() {
    let (mut modes, mut bank) = struck(440.0, 48000.0);
    modes.set(
        440.0,
        &DAMPING,
        Listening { left: crate::body::Point::along(0.4), right: crate::body::Point::along(0.1) },
        48000.0,
    );
    let (mut slow_modes, mut slow) = (modes.clone(), bank.clone());
    let (mut l, mut r) = ([0.0; 2 * CHUNK], [0.0; 2 * CHUNK]);
    bank.process(&mut modes, &mut l, &mut r);
    let size = l.iter().fold(0.0f64, |max, x| max.max(x.abs()));
    for n in 0..l.len() {
        slow.advance(&mut slow_modes);
        let (left, right) = slow.hear(&slow_modes);
        assert!(
            (left - l[n]).abs().max((right - r[n]).abs()) < 1e-6 * size,
            "sample {n}: {left} and {}",
            l[n]
        );
    }
}
