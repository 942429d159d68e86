//! The equations of one interval, with everything known taken out.
//!
//! Unknown are the normal impulses of active compressing points and the tangential ones of rolling
//! points; a sliding point's friction follows from its normal impulse, an expanding point's normal
//! impulse is given. Each unknown is weighed so that the least norm of what is left is the least
//! norm of all impulses.

use super::least_squares::{Factor, ROUNDING};
use super::{Contacts, MAX_POINTS, MAX_ROWS, Phase, Rows};

/// What a point does in the tangent plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Friction {
    /// It has no impulse, or no friction.
    None,
    /// It slides in this direction.
    Sliding([f64; 2]),
    /// It does not slide.
    Rolling,
    /// It is about to slide in this direction.
    Impending([f64; 2]),
}

impl Friction {
    /// Direction of slip; zero where friction does not oppose one.
    #[inline]
    pub fn direction(&self) -> [f64; 2] {
        match *self {
            Self::Sliding(s) | Self::Impending(s) => s,
            _ => [0.0; 2],
        }
    }
}

/// One unknown: a combination of rows that grows together.
#[derive(Clone, Copy)]
struct Unknown {
    /// The row of velocity that it is to bring to zero.
    row: usize,
    /// Point whose friction follows this normal impulse.
    tied: Option<usize>,
    weight: f64,
}

/// The reduced system of an interval, set up again for every active set.
pub struct Reduced {
    unknowns: [Unknown; MAX_ROWS],
    size: usize,
    factor: Factor,
    friction: [Friction; MAX_POINTS],
    /// Impulses that are known beforehand.
    known: Rows,
}

impl Reduced {
    /// Room for one.
    pub const fn new() -> Self {
        Self {
            unknowns: [Unknown { row: 0, tied: None, weight: 1.0 }; MAX_ROWS],
            size: 0,
            factor: Factor::new(),
            friction: [Friction::None; MAX_POINTS],
            known: [0.0; MAX_ROWS],
        }
    }

    /// Set up and factorise.
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

    /// Impulses that bring the chosen velocities to zero from `v`.
    pub fn impulses(&self, contacts: &Contacts, v: &Rows) -> Rows {
        let mut b = [0.0; MAX_ROWS];
        for (value, unknown) in b.iter_mut().zip(&self.unknowns[..self.size]) {
            *value = -v[unknown.row] - contacts.response(unknown.row, &self.known);
        }
        self.complete(contacts, b, self.known)
    }

    /// What a change of some impulses (`direct`) makes of the others while the chosen velocities
    /// stay as they are.
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
