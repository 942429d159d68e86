//! A score for SuperCollider's server: sounds of Klank with 64 modes, struck ten times a second.
//!
//! The server reads definitions in its own format ("Synth Definition File Format", version 2) and
//! commands in OSC; both are simple enough to be written here, so that the language need not be
//! installed.

/// Modes of one sound.
pub const MODES: usize = 64;

/// Rate of a unit that runs at the sample rate.
const AUDIO: u8 = 2;
/// In place of the number of a unit: the input is a constant.
const CONSTANT: i32 = -1;

/// So many sounds for so many seconds.
pub fn of(sounds: usize, seconds: u32) -> Vec<u8> {
    let mut first = vec![message("/d_recv", &[Argument::Blob(definition())])];
    let new = |n: usize| {
        [
            Argument::Text("klank"),
            Argument::Whole(1000 + n as i32),
            Argument::Whole(0),
            Argument::Whole(0),
        ]
    };
    first.extend((0..sounds).map(|n| message("/s_new", &new(n))));
    let last = [message("/c_set", &[Argument::Whole(0), Argument::Whole(0)])];
    [bundle(0, &first), bundle(seconds, &last)].concat()
}

enum Argument {
    Whole(i32),
    Text(&'static str),
    Blob(Vec<u8>),
}

/// Filled up with zeros to whole groups of four; at least one zero behind text.
fn padded(mut bytes: Vec<u8>, is_text: bool) -> Vec<u8> {
    let length = bytes.len() + usize::from(is_text);
    bytes.resize(length.next_multiple_of(4), 0);
    bytes
}

fn sized(bytes: Vec<u8>) -> Vec<u8> {
    [&(bytes.len() as i32).to_be_bytes()[..], &bytes].concat()
}

fn message(address: &str, arguments: &[Argument]) -> Vec<u8> {
    let tag = |argument: &Argument| match argument {
        Argument::Whole(_) => 'i',
        Argument::Text(_) => 's',
        Argument::Blob(_) => 'b',
    };
    let tags: String = std::iter::once(',').chain(arguments.iter().map(tag)).collect();
    let bytes = arguments.iter().flat_map(|argument| match argument {
        Argument::Whole(number) => number.to_be_bytes().to_vec(),
        Argument::Text(text) => padded(text.as_bytes().to_vec(), true),
        Argument::Blob(blob) => padded(sized(blob.clone()), false),
    });
    padded(address.into(), true).into_iter().chain(padded(tags.into(), true)).chain(bytes).collect()
}

fn bundle(seconds: u32, messages: &[Vec<u8>]) -> Vec<u8> {
    let time = (u64::from(seconds) << 32).to_be_bytes();
    let elements = messages.iter().flat_map(|message| sized(message.clone()));
    sized(padded("#bundle".into(), true).into_iter().chain(time).chain(elements).collect())
}

/// Impulse.ar(10) into Klank.ar with 64 modes from 100 Hz to 16 kHz that ring for 2 s, into the
/// first output.
fn definition() -> Vec<u8> {
    let frequency = |i: usize| 100.0 + 15_900.0 * i as f32 / (MODES - 1) as f32;
    // 0, 1, 2 and 3: constants that all modes share.
    let mut constants = vec![0.0, 1.0, 10.0, 1.0 / MODES as f32, 2.0];
    constants.extend((0..MODES).map(frequency));
    let constant = |index: usize| (CONSTANT, index as i32);
    // The sound, factor on the frequencies, offset of them, factor on the times; then each mode.
    let mut klank = vec![(0, 0), constant(1), constant(0), constant(1)];
    klank.extend((0..MODES).flat_map(|i| [constant(5 + i), constant(3), constant(4)]));

    let mut bytes = b"SCgf".to_vec();
    bytes.extend(2i32.to_be_bytes());
    bytes.extend(1i16.to_be_bytes());
    bytes.extend(name("klank"));
    bytes.extend((constants.len() as i32).to_be_bytes());
    bytes.extend(constants.iter().flat_map(|constant| constant.to_be_bytes()));
    // No parameters and no names of any.
    bytes.extend([0; 8]);
    bytes.extend(3i32.to_be_bytes());
    bytes.extend(unit("Impulse", &[constant(2), constant(0)], 1));
    bytes.extend(unit("Klank", &klank, 1));
    bytes.extend(unit("Out", &[constant(0), (1, 0)], 0));
    // No variants.
    bytes.extend([0; 2]);
    bytes
}

fn name(text: &str) -> Vec<u8> {
    [&[text.len() as u8], text.as_bytes()].concat()
}

fn unit(class: &str, inputs: &[(i32, i32)], outputs: usize) -> Vec<u8> {
    let mut bytes = name(class);
    bytes.push(AUDIO);
    bytes.extend((inputs.len() as i32).to_be_bytes());
    bytes.extend((outputs as i32).to_be_bytes());
    bytes.extend([0; 2]);
    bytes.extend(
        inputs
            .iter()
            .flat_map(|(unit, output)| [unit.to_be_bytes(), output.to_be_bytes()])
            .flatten(),
    );
    bytes.extend(vec![AUDIO; outputs]);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_score_is_as_long_as_it_says() {
        let score = of(2, 3);
        let mut rest = &score[..];
        let mut bundles = 0;
        while let Some((length, after)) = rest.split_first_chunk::<4>() {
            let length = i32::from_be_bytes(*length) as usize;
            assert_eq!(length % 4, 0);
            assert!(after.starts_with(b"#bundle\0"));
            rest = &after[length..];
            bundles += 1;
        }
        assert_eq!(bundles, 2);
    }
}
