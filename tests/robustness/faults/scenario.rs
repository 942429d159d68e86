//! The scenarios: gesture, settings and time at which a fault is injected into a voice.

pub const RATE_HZ: f64 = 48_000.0;
pub const BLOCK: usize = 128;

/// Settings as texts, and samples since the note.
pub struct Scenario {
    pub name: &'static str,
    pub settings: &'static [(&'static str, &'static str)],
    pub samples: usize,
}

impl Scenario {
    /// Whether to run it: all are, unless `ICTUS_FAULTS` names one.
    pub fn is_tried(&self) -> bool {
        std::env::var("ICTUS_FAULTS").map_or(true, |wanted| wanted == "all" || wanted == self.name)
    }
}

pub const SCENARIOS: [Scenario; 9] = [
    Scenario {
        name: "blow",
        settings: &[
            ("hard", "0%"),
            ("air", "30%"),
            ("lforat", "5"),
            ("s1src", "LFO"),
            ("s1dst", "Pitch"),
            ("s1amt", "10%"),
        ],
        samples: 40,
    },
    Scenario { name: "ringing", settings: &[], samples: 3000 },
    Scenario {
        name: "two-way blow",
        settings: &[("coupl", "Two-way"), ("hard", "0%")],
        samples: 40,
    },
    Scenario {
        name: "bounce",
        settings: &[("gest", "Bounce"), ("height", "0.002")],
        samples: 4000,
    },
    Scenario {
        name: "two-way bounce",
        settings: &[("gest", "Bounce"), ("coupl", "Two-way"), ("height", "0.002")],
        samples: 4000,
    },
    Scenario { name: "roll", settings: &[("gest", "Roll"), ("air", "30%")], samples: 4000 },
    Scenario {
        name: "scrape",
        settings: &[
            ("gest", "Scrape"),
            ("s1src", "Envelope"),
            ("s1dst", "Volume"),
            ("s1amt", "50%"),
        ],
        samples: 4000,
    },
    Scenario { name: "tumble", settings: &[("gest", "Tumble"), ("height", "0.01")], samples: 6000 },
    Scenario {
        name: "row",
        settings: &[("gest", "Chain"), ("balls", "7"), ("swing", "Single shot"), ("hard", "20%")],
        samples: 300,
    },
];
