//! Linear algebra for rigid bodies: vectors and matrices of dimension three.

/// A vector in three dimensions.
pub type Vec3 = [f64; 3];

/// A matrix in row-major order.
pub type Mat3 = [[f64; 3]; 3];

/// Scalar product.
#[inline]
pub fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Vector product.
#[inline]
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// `a + s b`.
#[inline]
pub fn add_scaled(a: Vec3, s: f64, b: Vec3) -> Vec3 {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

/// `a + b`.
#[inline]
pub fn add(a: Vec3, b: Vec3) -> Vec3 {
    add_scaled(a, 1.0, b)
}

/// `a - b`.
#[inline]
pub fn sub(a: Vec3, b: Vec3) -> Vec3 {
    add_scaled(a, -1.0, b)
}

/// `s a`.
#[inline]
pub fn scale(s: f64, a: Vec3) -> Vec3 {
    [s * a[0], s * a[1], s * a[2]]
}

/// Length.
#[inline]
pub fn norm(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

/// Matrix times vector.
#[inline]
pub fn mul(m: &Mat3, a: Vec3) -> Vec3 {
    [dot(m[0], a), dot(m[1], a), dot(m[2], a)]
}

/// Transposed matrix times vector.
#[inline]
pub fn mul_transposed(m: &Mat3, a: Vec3) -> Vec3 {
    add_scaled(add_scaled(scale(a[0], m[0]), a[1], m[1]), a[2], m[2])
}
