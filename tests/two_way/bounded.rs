//! How finely contacts are stepped where the work is bounded, as it is in a voice.

use std::collections::VecDeque;

use ictus::contact::{ContactSettings, HuntCrossley, TwoWay};

use crate::body::Body;

const DT_S: f64 = 1.0 / 48_000.0;
/// What a voice allows per sample at 48 kHz, and what it may save up.
const ALLOWED: (u32, u32) = (16, 4096);
/// Samples of a block.
const BLOCK: usize = 64;

/// One blow, watched for 20 ms: the sub-steps of each contact, and most sub-steps of any 64 samples.
fn steps(modes: usize, stiffness: f64, speed_m_per_s: f64, gravity_m_per_s2: f64) -> (Vec<u32>, u32) {
    let mut body = Body::generic(modes);
    let mut two_way = TwoWay::default();
    two_way.set_allowance(ALLOWED.0, ALLOWED.1);
    let law = HuntCrossley { stiffness, mu_s_per_m: 0.3, alpha: 1.5 };
    let settings = ContactSettings { law, mass_kg: 0.01, gravity_m_per_s2, ..ContactSettings::default() };
    two_way.strike(&mut body.ground(), 0, &settings, speed_m_per_s, 0.4 * DT_S);
    let (mut contacts, mut now) = (Vec::new(), 0);
    let (mut block, mut in_block, mut most) = (VecDeque::new(), 0, 0);
    for _ in 0..960 {
        two_way.advance_with(&mut body.ground(), DT_S, &mut [], &mut |beaters, _| {
            now += u32::from(beaters[0].compression_m() > 0.0);
            if beaters[0].contacts() as usize > contacts.len() {
                contacts.push(std::mem::take(&mut now));
            }
        });
        in_block += two_way.steps();
        block.push_back(two_way.steps());
        if block.len() > BLOCK {
            in_block -= block.pop_front().unwrap_or(0);
        }
        most = most.max(in_block);
    }
    (contacts, most)
}

#[test]
fn the_first_contacts_have_24_steps_and_a_block_its_bound() {
    for modes in [32, 128] {
        for stiffness in [1e6, 1e8, 1e9, 2e10, 1e11] {
            for speed_m_per_s in [0.1, 1.0, 10.0] {
                for gravity in [0.0, 9.81] {
                    let (contacts, most) = steps(modes, stiffness, speed_m_per_s, gravity);
                    let short = contacts.iter().filter(|&&n| n < 24).count();
                    let first_short = contacts.iter().position(|&n| n < 24).unwrap_or(contacts.len());
                    println!(
                        "{modes:4} modes, k {stiffness:7.0e}, {speed_m_per_s:5} m/s, g {gravity}: {:4} contacts, the first {:?} steps, {short} below 24, \
                         from number {first_short} on; {most} sub-steps in a block",
                        contacts.len(),
                        contacts.first(),
                    );
                    // A ball asks for eight times as many, and spends them sooner. The hardest contacts there are, on so light a
                    // body, answer by the dozen: of these the first three are sure.
                    let sure = match (gravity > 0.0, stiffness < 1e10) {
                        (true, _) => 1,
                        (false, true) => contacts.len(),
                        (false, false) => contacts.len().min(3),
                    };
                    assert!(first_short >= sure, "{modes} {stiffness} {speed_m_per_s} {gravity}: {contacts:?}");
                    assert!(most <= ALLOWED.1 + ALLOWED.0 * BLOCK as u32, "{most}");
                }
            }
        }
    }
}
