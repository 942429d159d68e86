//! The order of names in a list: as one reads them, with numbers by their value.

/// What names are sorted by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Piece {
    /// Digits in a row, by their value.
    Number(u64),
    /// Letters between them, in lower case.
    Text(String),
}

/// A name in pieces. "Bottle" comes before "Bottle rack", and "Bell 2" before "Bell 10".
pub fn pieces(name: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for sign in name.trim().chars() {
        match (sign.to_digit(10), pieces.last_mut()) {
            (Some(digit), Some(Piece::Number(number))) => {
                *number = number.saturating_mul(10).saturating_add(u64::from(digit));
            }
            (Some(digit), _) => pieces.push(Piece::Number(u64::from(digit))),
            (None, Some(Piece::Text(text))) => text.extend(sign.to_lowercase()),
            (None, _) => pieces.push(Piece::Text(sign.to_lowercase().collect())),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_as_one_looks_for_them() {
        let wanted = [
            "2 stones",
            "10 stones",
            "Bell 2",
            "bell 10",
            "Bottle",
            "Bottle rack",
            "Bottle-rack",
            "bottles",
        ];
        let mut names = wanted;
        names.reverse();
        names.sort_by_cached_key(|name| pieces(name));
        assert_eq!(names, wanted);
    }
}
