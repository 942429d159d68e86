//! Sets of contacts.

/// Contacts of a row, one bit each.
pub type Set = u32;

/// The contacts of a set, in order.
pub fn members(set: Set) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let first = (left != 0).then(|| left.trailing_zeros() as usize)?;
        left &= left - 1;
        Some(first)
    })
}

/// First and last of each run of contacts in a set.
pub fn runs(set: Set) -> impl Iterator<Item = (usize, usize)> {
    let mut left = set;
    std::iter::from_fn(move || {
        let first = (left != 0).then(|| left.trailing_zeros())?;
        let end = first + (left >> first).trailing_ones();
        left &= !((1 << end) - 1);
        Some((first as usize, end as usize - 1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_visited_in_order_and_in_runs() {
        let set = 0b1100_0111_0000_0001;
        assert_eq!(members(set).collect::<Vec<_>>(), [0, 8, 9, 10, 14, 15]);
        assert_eq!(runs(set).collect::<Vec<_>>(), [(0, 0), (8, 10), (14, 15)]);
        assert_eq!((members(0).count(), runs(0).count()), (0, 0));
    }
}
