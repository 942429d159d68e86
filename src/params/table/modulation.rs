//! The rows of what moves parameters while a note lasts; they come after all others.

/// The table with these rows at its end.
macro_rules! with_modulation {
    ($($rows:tt)*) => {
        parameters! {
            $($rows)*
            LfoRate { id: "lforat", name: "LFO rate", group: Group::Modulation, kind: log(0.01, 50.0, Unit::Hertz), default: 5.0,
                help: "Cycles per second of the oscillator that each note has." }
            LfoSync { id: "lfosyn", name: "LFO sync", group: Group::Modulation,
                kind: ParamKind::Choice(&["Off", "1/16T", "1/16", "1/16D", "1/8T", "1/8", "1/8D", "1/4T", "1/4", "1/4D",
                    "1/2T", "1/2", "1/2D", "1/1T", "1/1", "1/1D"]), default: 0.0,
                help: "One cycle as a note length at the host's tempo (D dotted, T triplet), instead of the rate." }
            LfoShape { id: "lfoshp", name: "LFO shape", group: Group::Modulation, kind: ParamKind::Choice(&LfoShape::NAMES), default: 0.0,
                help: "Its form. The seed chooses the random steps." }
            LfoFade { id: "lfofad", name: "LFO fade", group: Group::Modulation, kind: cubic(10.0, Unit::Second), default: 0.0,
                help: "Time in which it grows from nothing after the note begins." }
            LfoPhase { id: "lfophs", name: "LFO phase", group: Group::Modulation, kind: linear(0.0, 1.0, Unit::Percent), default: 0.0,
                help: "Where in its cycle it begins with each note." }
            EnvDelay { id: "envdel", name: "Envelope delay", group: Group::Modulation, kind: cubic(5.0, Unit::Second), default: 0.0,
                help: "The envelope waits so long after the note begins." }
            EnvAttack { id: "envatt", name: "Envelope attack", group: Group::Modulation, kind: cubic(10.0, Unit::Second), default: 0.01,
                help: "Time in which it rises." }
            EnvHold { id: "envhld", name: "Envelope hold", group: Group::Modulation, kind: cubic(10.0, Unit::Second), default: 0.0,
                help: "Time for which it stays at the top." }
            EnvDecay { id: "envdec", name: "Envelope decay", group: Group::Modulation, kind: cubic(20.0, Unit::Second), default: 0.5,
                help: "Time in which it falls to its level." }
            EnvSustain { id: "envsus", name: "Envelope level", group: Group::Modulation, kind: linear(0.0, 1.0, Unit::Percent), default: 0.0,
                help: "Where it stays while the key is down." }
            EnvRelease { id: "envrel", name: "Envelope release", group: Group::Modulation, kind: cubic(20.0, Unit::Second), default: 0.3,
                help: "Time in which it falls to nothing when the key is let go." }
            Source1 { id: "s1src", name: "Slot 1 source", group: Group::Modulation, kind: ParamKind::Choice(&Source::NAMES), default: 0.0,
                help: "What moves." }
            Target1 { id: "s1dst", name: "Slot 1 target", group: Group::Modulation, kind: ParamKind::Choice(&Destination::NAMES), default: 0.0,
                help: "What it moves, for each note by itself." }
            Depth1 { id: "s1amt", name: "Slot 1 depth", group: Group::Modulation, kind: linear(-1.0, 1.0, Unit::Percent), default: 0.0,
                help: "How far: 100 % is the whole way of a knob, 12 semitones of pitch, 24 dB of volume, one side of the stereo picture." }
            Source2 { id: "s2src", name: "Slot 2 source", group: Group::Modulation, kind: ParamKind::Choice(&Source::NAMES), default: 0.0,
                help: "What moves." }
            Target2 { id: "s2dst", name: "Slot 2 target", group: Group::Modulation, kind: ParamKind::Choice(&Destination::NAMES), default: 0.0,
                help: "What it moves, for each note by itself." }
            Depth2 { id: "s2amt", name: "Slot 2 depth", group: Group::Modulation, kind: linear(-1.0, 1.0, Unit::Percent), default: 0.0,
                help: "How far: 100 % is the whole way of a knob, 12 semitones of pitch, 24 dB of volume, one side of the stereo picture." }
            Source3 { id: "s3src", name: "Slot 3 source", group: Group::Modulation, kind: ParamKind::Choice(&Source::NAMES), default: 0.0,
                help: "What moves." }
            Target3 { id: "s3dst", name: "Slot 3 target", group: Group::Modulation, kind: ParamKind::Choice(&Destination::NAMES), default: 0.0,
                help: "What it moves, for each note by itself." }
            Depth3 { id: "s3amt", name: "Slot 3 depth", group: Group::Modulation, kind: linear(-1.0, 1.0, Unit::Percent), default: 0.0,
                help: "How far: 100 % is the whole way of a knob, 12 semitones of pitch, 24 dB of volume, one side of the stereo picture." }
            Source4 { id: "s4src", name: "Slot 4 source", group: Group::Modulation, kind: ParamKind::Choice(&Source::NAMES), default: 0.0,
                help: "What moves." }
            Target4 { id: "s4dst", name: "Slot 4 target", group: Group::Modulation, kind: ParamKind::Choice(&Destination::NAMES), default: 0.0,
                help: "What it moves, for each note by itself." }
            Depth4 { id: "s4amt", name: "Slot 4 depth", group: Group::Modulation, kind: linear(-1.0, 1.0, Unit::Percent), default: 0.0,
                help: "How far: 100 % is the whole way of a knob, 12 semitones of pitch, 24 dB of volume, one side of the stereo picture." }
            Source5 { id: "s5src", name: "Slot 5 source", group: Group::Modulation, kind: ParamKind::Choice(&Source::NAMES), default: 0.0,
                help: "What moves." }
            Target5 { id: "s5dst", name: "Slot 5 target", group: Group::Modulation, kind: ParamKind::Choice(&Destination::NAMES), default: 0.0,
                help: "What it moves, for each note by itself." }
            Depth5 { id: "s5amt", name: "Slot 5 depth", group: Group::Modulation, kind: linear(-1.0, 1.0, Unit::Percent), default: 0.0,
                help: "How far: 100 % is the whole way of a knob, 12 semitones of pitch, 24 dB of volume, one side of the stereo picture." }
            Source6 { id: "s6src", name: "Slot 6 source", group: Group::Modulation, kind: ParamKind::Choice(&Source::NAMES), default: 0.0,
                help: "What moves." }
            Target6 { id: "s6dst", name: "Slot 6 target", group: Group::Modulation, kind: ParamKind::Choice(&Destination::NAMES), default: 0.0,
                help: "What it moves, for each note by itself." }
            Depth6 { id: "s6amt", name: "Slot 6 depth", group: Group::Modulation, kind: linear(-1.0, 1.0, Unit::Percent), default: 0.0,
                help: "How far: 100 % is the whole way of a knob, 12 semitones of pitch, 24 dB of volume, one side of the stereo picture." }
            Source7 { id: "s7src", name: "Slot 7 source", group: Group::Modulation, kind: ParamKind::Choice(&Source::NAMES), default: 0.0,
                help: "What moves." }
            Target7 { id: "s7dst", name: "Slot 7 target", group: Group::Modulation, kind: ParamKind::Choice(&Destination::NAMES), default: 0.0,
                help: "What it moves, for each note by itself." }
            Depth7 { id: "s7amt", name: "Slot 7 depth", group: Group::Modulation, kind: linear(-1.0, 1.0, Unit::Percent), default: 0.0,
                help: "How far: 100 % is the whole way of a knob, 12 semitones of pitch, 24 dB of volume, one side of the stereo picture." }
            Source8 { id: "s8src", name: "Slot 8 source", group: Group::Modulation, kind: ParamKind::Choice(&Source::NAMES), default: 0.0,
                help: "What moves." }
            Target8 { id: "s8dst", name: "Slot 8 target", group: Group::Modulation, kind: ParamKind::Choice(&Destination::NAMES), default: 0.0,
                help: "What it moves, for each note by itself." }
            Depth8 { id: "s8amt", name: "Slot 8 depth", group: Group::Modulation, kind: linear(-1.0, 1.0, Unit::Percent), default: 0.0,
                help: "How far: 100 % is the whole way of a knob, 12 semitones of pitch, 24 dB of volume, one side of the stereo picture." }
        }
    };
}
