//! Rows that cover every pair of levels of every two factors.

use crate::storm::next;

/// Candidate rows per accepted row.
const TRIES: usize = 4;

/// A covering array of strength two.
pub struct Covering {
    levels: Vec<usize>,
    rows: Vec<Vec<usize>>,
    /// For each two factors, the pairs of levels that are not covered yet.
    open: Vec<Vec<bool>>,
}

impl Covering {
    /// Greedy: each row takes the levels that cover most new pairs.
    pub fn new(levels: &[usize]) -> Self {
        let count = levels.len();
        let open = (0..count * count)
            .map(|at| vec![at / count < at % count; levels[at / count] * levels[at % count]]);
        let mut covering = Self { levels: levels.to_vec(), rows: Vec::new(), open: open.collect() };
        let mut state = 1;
        while let Some(first) = covering.first_open() {
            let rows: Vec<_> = (0..TRIES).map(|_| covering.row(first, &mut state)).collect();
            let best =
                rows.into_iter().max_by_key(|row| covering.gain(row)).expect("some were tried");
            covering.take(best);
        }
        covering
    }

    /// The rows.
    pub fn rows(&self) -> &[Vec<usize>] {
        &self.rows
    }

    /// Number of pairs of levels.
    pub fn pairs(&self) -> usize {
        (0..self.levels.len())
            .flat_map(|a| (0..a).map(move |b| (a, b)))
            .map(|(a, b)| self.levels[a] * self.levels[b])
            .sum()
    }

    /// Number of pairs in no row, counted from the rows themselves.
    pub fn missing(&self) -> usize {
        let mut missing = 0;
        for a in 0..self.levels.len() {
            for b in 0..a {
                let mut met = vec![false; self.levels[a] * self.levels[b]];
                self.rows.iter().for_each(|row| met[row[a] * self.levels[b] + row[b]] = true);
                missing += met.iter().filter(|met| !**met).count();
            }
        }
        missing
    }

    fn is_open(&self, (a, x): (usize, usize), (b, y): (usize, usize)) -> bool {
        let ((a, x), (b, y)) = if a < b { ((a, x), (b, y)) } else { ((b, y), (a, x)) };
        self.open[a * self.levels.len() + b][x * self.levels[b] + y]
    }

    fn first_open(&self) -> Option<[(usize, usize); 2]> {
        let count = self.levels.len();
        self.open.iter().enumerate().find_map(|(at, open)| {
            let (a, b) = (at / count, at % count);
            open.iter()
                .position(|open| *open)
                .map(|pair| [(a, pair / self.levels[b]), (b, pair % self.levels[b])])
        })
    }

    fn row(&self, first: [(usize, usize); 2], state: &mut u64) -> Vec<usize> {
        let mut chosen: Vec<(usize, usize)> = first.to_vec();
        let mut order: Vec<usize> =
            (0..self.levels.len()).filter(|f| first.iter().all(|(taken, _)| taken != f)).collect();
        for n in (1..order.len()).rev() {
            order.swap(n, next(state) as usize % (n + 1));
        }
        for factor in order {
            let start = next(state) as usize;
            let levels =
                (0..self.levels[factor]).map(|level| (level + start) % self.levels[factor]);
            let gain = |level: usize| {
                chosen.iter().filter(|other| self.is_open((factor, level), **other)).count()
            };
            let best = levels.max_by_key(|level| gain(*level)).expect("a factor has levels");
            chosen.push((factor, best));
        }
        chosen.sort_unstable();
        chosen.into_iter().map(|(_, level)| level).collect()
    }

    fn gain(&self, row: &[usize]) -> usize {
        let pairs = (0..row.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        pairs.filter(|&(a, b)| self.is_open((a, row[a]), (b, row[b]))).count()
    }

    fn take(&mut self, row: Vec<usize>) {
        let count = self.levels.len();
        for b in 0..count {
            for a in 0..b {
                self.open[a * count + b][row[a] * self.levels[b] + row[b]] = false;
            }
        }
        self.rows.push(row);
    }
}
