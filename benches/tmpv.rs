use ictus::{event::NoteAddress, gesture::Blow, patch::Patch, voice::Voice};
fn main() {
    let patch = Patch::default();
    let blow = Blow::of_note(&patch, 0.8, 0);
    println!("{:?}", blow);
    {
        use ictus::contact::*;
        let mut st = Striker::new();
        let mut best = f64::MAX;
        let mut n = 0;
        for _ in 0..2000 {
            let t = std::time::Instant::now();
            let mut w = Wall::default();
            n = 0;
            st.strike(&blow.contact, blow.speed_m_per_s, 0.0);
            while st.is_active() {
                st.advance(1.0 / 48000.0, &mut w);
                n += 1;
            }
            std::hint::black_box(w);
            best = best.min(t.elapsed().as_nanos() as f64);
        }
        println!(
            "solver alone: {n} samples, {:.1} us per strike, {:.4} ns per mode-sample",
            best / 1e3,
            best / (4800.0 * 64.0)
        );
    }
    let mut v = Voice::new();
    v.prepare(48000.0);
    v.begin(NoteAddress { id: None, channel: Some(0), key: Some(6) }, 6, &patch);
    let (mut l, mut r) = ([0.0; 64], [0.0; 64]);
    for _ in 0..20000 {
        v.strike(&blow, &patch);
        for _ in 0..75 {
            std::hint::black_box(v.process(&patch, &mut l, &mut r));
            l.fill(0.0);
            r.fill(0.0);
        }
    }
}
