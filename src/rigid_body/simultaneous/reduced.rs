//! The equations of one interval, reduced to the unknown impulses.
//!
//! The unknowns are the normal impulses of active compressing points and the tangential impulses of
//! rolling points. The friction of a sliding point follows from its normal impulse, and the normal
//! impulse of an expanding point is given. Each unknown has a weight, such that the least norm of
//! the reduced solution is the least norm of all impulses.

use super::least_squares::{Factor, ROUNDING};
use super::{Contacts, MAX_POINTS, MAX_ROWS, Phase, Rows};

/// Friction of a point in the tangent plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Friction {
    /// The point has no impulse or no friction.
    None,
    /// The point slides in this direction.
    Sliding([f64; 2]),
    /// The point does not slide.
    Rolling,
    /// The point is about to slide in this direction.
    Impending([f64; 2]),
}

impl Friction {
    /// Direction of slip; zero if there is no slip for friction to oppose.
    #[inline]
    pub fn direction(&self) -> [f64; 2] {
        match *self {
            Self::Sliding(s) | Self::Impending(s) => s,
            _ => [0.0; 2],
        }
    }
}

/// One unknown impulse, with the friction that is proportional to it.
#[derive(Clone, Copy)]
struct Unknown {
    /// Row whose velocity this unknown brings to zero.
    row: usize,
    /// Point whose friction is proportional to this normal impulse.
    tied: Option<usize>,
    weight: f64,
}

/// The reduced system of an interval, rebuilt for every active set.
pub struct Reduced {
    unknowns: [Unknown; MAX_ROWS],
    size: usize,
    factor: Factor,
    friction: [Friction; MAX_POINTS],
    /// Given impulses.
    known: Rows,
}

impl Reduced {
    /// An empty system.
    pub const fn new() -> Self {
        Self {
            unknowns: [Unknown { row: 0, tied: None, weight: 1.0 }; MAX_ROWS],
            size: 0,
            factor: Factor::new(),
            friction: [Friction::None; MAX_POINTS],
            known: [0.0; MAX_ROWS],
        }
    }

    /// Assembles and factorises the system.
    pub fn set(
        &mut self,
        contacts: &Contacts,
        phase: &[Phase; MAX_POINTS],
        active: &[bool; MAX_POINTS],
        friction: &[Friction; MAX_POINTS],
        give: &[f64; MAX_POINTS],
    ) {
        let Self { unknowns, known, .. } = self;
        let mut size = 0;
        let mut push = |unknown: Unknown| {
            unknowns[size] = unknown;
            size += 1;
        };
        *known = [0.0; MAX_ROWS];
        for k in 0..contacts.points {
            let rolling = friction[k] == Friction::Rolling;
            let z = 3 * k + 2;
            match phase[k] {
                Phase::Compressing if active[k] => {
                    let s = friction[k].direction();
                    let tied = (!rolling).then_some(k);
                    let weight = (1.0
                        + contacts.mu[k] * contacts.mu[k] * (s[0] * s[0] + s[1] * s[1]))
                        .sqrt();
                    push(Unknown { row: z, tied, weight });
                }
                Phase::Expanding => {
                    known[z] = give[k];
                    let s = friction[k].direction();
                    known[z - 2] = -contacts.mu[k] * s[0] * give[k];
                    known[z - 1] = -contacts.mu[k] * s[1] * give[k];
                }
                _ => continue,
            }
            if rolling {
                push(Unknown { row: z - 2, tied: None, weight: 1.0 });
                push(Unknown { row: z - 1, tied: None, weight: 1.0 });
            }
        }
        let unknowns = &self.unknowns[..size];
        self.factor.set(size, ROUNDING, |line, column| {
            let unknown = &unknowns[column];
            column_entry(&contacts.a[unknowns[line].row], unknown, friction, contacts)
                / unknown.weight
        });
        (self.size, self.friction) = (size, *friction);
    }

    /// Impulses that bring the constrained velocities from `v` to zero.
    pub fn impulses(&self, contacts: &Contacts, v: &Rows) -> Rows {
        let mut b = [0.0; MAX_ROWS];
        for (value, unknown) in b.iter_mut().zip(&self.unknowns[..self.size]) {
            *value = -v[unknown.row] - contacts.response(unknown.row, &self.known);
        }
        self.complete(contacts, b, self.known)
    }

    /// Total change of the impulses caused by the change `direct` of some of them, with the
    /// constrained velocities unchanged.
    pub fn follow(&self, contacts: &Contacts, direct: Rows) -> Rows {
        let mut b = [0.0; MAX_ROWS];
        for (value, unknown) in b.iter_mut().zip(&self.unknowns[..self.size]) {
            *value = -contacts.response(unknown.row, &direct);
        }
        self.complete(contacts, b, direct)
    }

    fn complete(&self, contacts: &Contacts, b: Rows, base: Rows) -> Rows {
        let x = self.factor.solve(b);
        let mut impulse = base;
        for (value, unknown) in x.iter().zip(&self.unknowns[..self.size]) {
            let pi = value / unknown.weight;
            impulse[unknown.row] += pi;
            if let Some(k) = unknown.tied {
                let s = self.friction[k].direction();
                impulse[3 * k] -= contacts.mu[k] * s[0] * pi;
                impulse[3 * k + 1] -= contacts.mu[k] * s[1] * pi;
            }
        }
        impulse
    }
}

#[inline]
fn column_entry(
    a: &Rows,
    unknown: &Unknown,
    friction: &[Friction; MAX_POINTS],
    contacts: &Contacts,
) -> f64 {
    match unknown.tied {
        None => a[unknown.row],
        Some(k) => {
            let s = friction[k].direction();
            a[3 * k + 2] - contacts.mu[k] * (s[0] * a[3 * k] + s[1] * a[3 * k + 1])
        }
    }
}
