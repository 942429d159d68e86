//! Licence expressions: `MIT OR (Apache-2.0 WITH LLVM-exception AND ISC)`.
//!
//! The SPDX grammar without its `+`; `/`, which old crates write for OR, counts as one.

/// Whether what is allowed is enough to use something under this expression. Nonsense is not.
pub fn is_satisfied(expression: &str, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<_> = spaced.split_whitespace().collect();
    let mut rest = &words[..];
    alternatives(&mut rest, is_allowed) == Some(true) && rest.is_empty()
}

fn alternatives(rest: &mut &[&str], is_allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut good = together(rest, is_allowed)?;
    while let ["OR", after @ ..] = *rest {
        *rest = after;
        // Not short: the words must be read in any case.
        good |= together(rest, is_allowed)?;
    }
    Some(good)
}

fn together(rest: &mut &[&str], is_allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut good = one(rest, is_allowed)?;
    while let ["AND", after @ ..] = *rest {
        *rest = after;
        good &= one(rest, is_allowed)?;
    }
    Some(good)
}

fn one(rest: &mut &[&str], is_allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    match *rest {
        ["(", after @ ..] => {
            *rest = after;
            let good = alternatives(rest, is_allowed)?;
            let [")", after @ ..] = *rest else { return None };
            *rest = after;
            Some(good)
        }
        [licence, "WITH", exception, after @ ..] => {
            *rest = after;
            Some(is_allowed(&format!("{licence} WITH {exception}")))
        }
        [licence, after @ ..] if !matches!(*licence, "AND" | "OR" | ")") => {
            *rest = after;
            Some(is_allowed(licence))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn satisfied(expression: &str) -> bool {
        let allowed = ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"];
        is_satisfied(expression, &|licence| allowed.contains(&licence))
    }

    #[test]
    fn one_of_several_is_enough_and_of_all_each_is_needed() {
        assert!(
            satisfied("MIT") && satisfied("GPL-3.0 OR MIT") && satisfied("MIT/Apache-2.0") && satisfied("MIT AND Zlib")
        );
        assert!(satisfied("(GPL-3.0 OR MIT) AND Zlib") && satisfied("GPL-3.0 OR MIT AND Zlib"));
        assert!(!satisfied("GPL-3.0") && !satisfied("MIT AND GPL-3.0") && !satisfied("(MIT OR Zlib) AND GPL-3.0"));
    }

    #[test]
    fn an_exception_belongs_to_its_licence() {
        assert!(satisfied("Apache-2.0 WITH LLVM-exception"));
        assert!(!satisfied("Apache-2.0") && !satisfied("MIT WITH LLVM-exception"));
    }

    #[test]
    fn nonsense_allows_nothing() {
        for nonsense in ["", "MIT OR", "(MIT", "MIT)", "OR MIT", "MIT MIT"] {
            assert!(!satisfied(nonsense), "{nonsense:?}");
        }
    }
}
