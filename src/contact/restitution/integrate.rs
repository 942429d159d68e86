//! Motion under a spring and a linear damper, to any accuracy, until the force is gone.
//!
//! Dormand–Prince 5(4) with step control. Near onset x^n has no smooth derivatives, and only the
//! control knows how small the first steps must be; after them a contact takes about one step per
//! sub-step.

/// Acceleration into the surface as a function of compression and velocity; not positive while the
/// force pushes.
pub trait Pull: Fn(f64, f64) -> f64 {}
impl<T: Fn(f64, f64) -> f64> Pull for T {}

/// Most sub-steps of one call. Onset takes about thirty at 1e-10; the bound is for what nobody has
/// thought of.
pub const MAX_STRIDES: u32 = 2_000;

/// Most looks for the moment of release: some more than the 44 halvings that would narrow a stride
/// to the 1e-13 which ends it. The search's own steps are quicker but near a force that hardly
/// falls.
const MAX_LOOKS: u32 = 60;

/// Where a mass is, and how far it dares to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// Compression.
    pub x: f64,
    /// Its rate.
    pub v: f64,
    /// The next stride.
    pub stride: f64,
}

/// One trial step.
struct IntegratorStep {
    x: f64,
    v: f64,
    error_x: f64,
    error_v: f64,
}

impl Walk {
    /// At onset, with a first stride that the control will mend.
    pub fn onset(v_in: f64, stride: f64) -> Self {
        Self { x: 0.0, v: v_in, stride }
    }

    /// Walk for `duration`, or until the force is gone on the way out; returns the time of that.
    ///
    /// `tolerance` is the error of velocity allowed per stride; that of x is held to tolerance
    /// times stride. Settled: the bound on strides was not needed.
    pub fn advance(&mut self, pull: &impl Pull, duration: f64, tolerance: f64) -> ReleaseState {
        let mut now = 0.0;
        for _ in 0..MAX_STRIDES {
            let left = duration - now;
            let last = self.stride >= left * (1.0 - 1e-12);
            let h = if last { left } else { self.stride };
            let trial = stride(pull, self.x, self.v, h);
            let error = (trial.error_x.abs() / h).max(trial.error_v.abs()) / tolerance;
            // Fifth root, with room to spare; a stride of no consequence is taken as it is.
            let grow = if error > 0.0 { (0.9 * error.powf(-0.2)).clamp(0.1, 5.0) } else { 5.0 };
            if error > 1.0 && h > 1e-9 * duration {
                self.stride = h * grow;
                continue;
            }
            if trial.v < 0.0 && pull(trial.x, trial.v) >= 0.0 {
                let length = self.release_within(pull, h);
                let end = stride(pull, self.x, self.v, length);
                (self.x, self.v) = (end.x, end.v);
                return ReleaseState { released_after: Some(now + length), settled: true };
            }
            (self.x, self.v) = (trial.x, trial.v);
            // The last stride is short by accident: it says little about the next.
            self.stride = if last { self.stride.max(h * grow) } else { h * grow };
            if last {
                return ReleaseState { released_after: None, settled: true };
            }
            now += h;
        }
        ReleaseState { released_after: None, settled: false }
    }

    /// Length of the stride that ends at zero force, by the Illinois form of regula falsi. The
    /// velocity is stationary there, so that what error is left in the length shows in v only by
    /// its square.
    fn release_within(&self, pull: &impl Pull, h: f64) -> f64 {
        let force = |length: f64| {
            let end = stride(pull, self.x, self.v, length);
            // Before the turn the force may be small but not gone.
            if end.v < 0.0 { -pull(end.x, end.v) } else { pull(end.x, end.v).abs() }
        };
        let (mut low, mut high) = (0.0, h);
        let (mut above, mut below) = (-pull(self.x, self.v), force(h));
        let mut side = 0;
        for _ in 0..MAX_LOOKS {
            if high - low <= 1e-13 * h || above <= 0.0 {
                break;
            }
            let mut middle = (low * below - high * above) / (below - above);
            if !(middle > low && middle < high) {
                middle = 0.5 * (low + high);
            }
            let value = force(middle);
            if value == 0.0 {
                return middle;
            }
            if value > 0.0 {
                (low, above) = (middle, value);
                below *= if side == 1 { 0.5 } else { 1.0 };
                side = 1;
            } else {
                (high, below) = (middle, value);
                above *= if side == -1 { 0.5 } else { 1.0 };
                side = -1;
            }
        }
        high
    }
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReleaseState {
    /// Time at which the force was gone, if it was.
    pub released_after: Option<f64>,
    /// The control stayed within its bound.
    pub settled: bool,
}

/// One step of Dormand and Prince's 5(4) pair.
#[inline]
fn stride(pull: &impl Pull, x: f64, v: f64, h: f64) -> IntegratorStep {
    let a1 = pull(x, v);
    let v2 = v + h * (a1 / 5.0);
    let a2 = pull(x + h * (v / 5.0), v2);
    let v3 = v + h * (3.0 / 40.0 * a1 + 9.0 / 40.0 * a2);
    let a3 = pull(x + h * (3.0 / 40.0 * v + 9.0 / 40.0 * v2), v3);
    let v4 = v + h * (44.0 / 45.0 * a1 - 56.0 / 15.0 * a2 + 32.0 / 9.0 * a3);
    let a4 = pull(x + h * (44.0 / 45.0 * v - 56.0 / 15.0 * v2 + 32.0 / 9.0 * v3), v4);
    const F: [f64; 4] = [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0];
    let v5 = v + h * (F[0] * a1 + F[1] * a2 + F[2] * a3 + F[3] * a4);
    let a5 = pull(x + h * (F[0] * v + F[1] * v2 + F[2] * v3 + F[3] * v4), v5);
    const S: [f64; 5] =
        [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0];
    let v6 = v + h * (S[0] * a1 + S[1] * a2 + S[2] * a3 + S[3] * a4 + S[4] * a5);
    let a6 = pull(x + h * (S[0] * v + S[1] * v2 + S[2] * v3 + S[3] * v4 + S[4] * v5), v6);
    const B: [f64; 5] =
        [35.0 / 384.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0];
    let end_x = x + h * (B[0] * v + B[1] * v3 + B[2] * v4 + B[3] * v5 + B[4] * v6);
    let end_v = v + h * (B[0] * a1 + B[1] * a3 + B[2] * a4 + B[3] * a5 + B[4] * a6);
    let a7 = pull(end_x, end_v);
    const E: [f64; 6] = [
        71.0 / 57600.0,
        -71.0 / 16695.0,
        71.0 / 1920.0,
        -17253.0 / 339200.0,
        22.0 / 525.0,
        -1.0 / 40.0,
    ];
    IntegratorStep {
        x: end_x,
        v: end_v,
        error_x: h * (E[0] * v + E[1] * v3 + E[2] * v4 + E[3] * v5 + E[4] * v6 + E[5] * end_v),
        error_v: h * (E[0] * a1 + E[1] * a3 + E[2] * a4 + E[3] * a5 + E[4] * a6 + E[5] * a7),
    }
}
