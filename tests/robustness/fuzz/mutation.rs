//! Damage to a valid file: bit flips, cuts, repeats, and hostile words.

use crate::random::next;

/// Hostile texts in place of a number or a name.
const WORDS: [&[u8]; 24] = [
    b"NaN",
    b"nan",
    b"inf",
    b"-inf",
    b"Infinity",
    b"1e39",
    b"-1e39",
    b"1e309",
    b"-0",
    b"5e-324",
    b"1e-45",
    b"3.4028236e38",
    b"9223372036854775807",
    b"-9223372036854775808",
    b"18446744073709551616",
    b"4294967296",
    b"0x7ff8",
    b"\0",
    b"\xff\xfe",
    b"1/0",
    b"2147483648/2147483647",
    b"{}",
    b"[[[[",
    b"\r\n\r\n",
];

/// The same in binary form.
fn binary(n: u64) -> Vec<u8> {
    let floats = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        1e39f64 as f32,
        -0.0,
        f32::MIN_POSITIVE,
        1e-45,
        f32::MAX,
    ];
    let whole = [i64::MAX, i64::MIN, -1, 0, i64::from(i32::MIN), i64::from(u32::MAX)];
    match n % 3 {
        0 => floats[(n / 3) as usize % floats.len()].to_le_bytes().to_vec(),
        1 => whole[(n / 3) as usize % whole.len()].to_be_bytes()[4..].to_vec(),
        _ => whole[(n / 3) as usize % whole.len()].to_le_bytes().to_vec(),
    }
}

/// The file with one to four mutations.
pub fn damaged(data: &[u8], seed: u64) -> Vec<u8> {
    let (mut data, mut state) = (data.to_vec(), seed);
    for _ in 0..=next(&mut state) % 4 {
        let at = next(&mut state) as usize % (data.len() + 1);
        let length = (1 + next(&mut state) as usize % 16).min(data.len() - at);
        match next(&mut state) % 8 {
            0 => data.truncate(at),
            1 => drop(data.drain(at..at + length)),
            2 => {
                let piece = data[at..at + length].to_vec();
                data.splice(at..at, piece.repeat(1 + next(&mut state) as usize % 20));
            }
            3 if at < data.len() => data[at] ^= 1 << (next(&mut state) % 8),
            4 if at < data.len() => data[at] = next(&mut state) as u8,
            5 => drop(data.splice(at..at + length, binary(next(&mut state)))),
            6 => drop(
                data.splice(at..at, WORDS[next(&mut state) as usize % WORDS.len()].iter().copied()),
            ),
            // Replaces a whole number or word by a hostile one.
            _ => {
                let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b".-+".contains(byte);
                let from = data[..at]
                    .iter()
                    .rposition(|byte| !is_part(byte))
                    .map_or(0, |before| before + 1);
                let to = data[at..]
                    .iter()
                    .position(|byte| !is_part(byte))
                    .map_or(data.len(), |after| at + after);
                data.splice(
                    from..to,
                    WORDS[next(&mut state) as usize % WORDS.len()].iter().copied(),
                );
            }
        }
    }
    data
}
