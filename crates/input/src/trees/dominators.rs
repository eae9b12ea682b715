//! Dominators: what is used only by way of something else. After Cooper, Harvey and Kennedy, "A simple, fast dominance
//! algorithm" (2001).

/// For each item the one that all uses of it come from, if there is a single one.
pub(crate) struct Dominators {
    /// Those that an item alone is the reason for, itself included; in an order in which each comes after them.
    pub(crate) dominated: Vec<Vec<usize>>,
    /// All items, each after those that it dominates.
    pub(crate) order: Vec<usize>,
}

impl Dominators {
    /// Of items that use each other. Items that nobody uses are there for their own sake.
    pub(crate) fn of(uses: &[Vec<usize>]) -> Self {
        let count = uses.len();
        let root = count;
        let Walk { postorder, is_start } = Walk::over(uses);
        let mut number = vec![0; count + 1];
        postorder.iter().enumerate().for_each(|(at, item)| number[*item] = at);
        number[root] = count;
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (item, used) in uses.iter().enumerate() {
            used.iter().for_each(|used| users[*used].push(item));
        }
        let mut above: Vec<Option<usize>> = vec![None; count + 1];
        above[root] = Some(root);
        let mut changed = true;
        while changed {
            changed = false;
            for item in postorder.iter().rev().copied() {
                let known = users[item].iter().copied().filter(|user| above[*user].is_some());
                let nearest = known.reduce(|a, b| common(a, b, &above, &number));
                let found = nearest.filter(|_| !is_start[item]).unwrap_or(root);
                changed |= above[item].replace(found) != Some(found);
            }
        }
        let mut dominated: Vec<Vec<usize>> = vec![Vec::new(); count];
        for item in &postorder {
            dominated[*item].push(*item);
            if let Some(above) = above[*item].filter(|above| *above != root) {
                let below = dominated[*item].clone();
                dominated[above].extend(below);
            }
        }
        Self { dominated, order: postorder }
    }
}

/// The nearest dominator of both.
fn common(mut a: usize, mut b: usize, above: &[Option<usize>], number: &[usize]) -> usize {
    while a != b {
        let lower = if number[a] < number[b] { &mut a } else { &mut b };
        *lower = above[*lower].unwrap_or(above.len() - 1);
    }
    a
}

/// A walk from those that nobody uses to all that they use.
struct Walk {
    /// All items, each after those that it uses, as far as there is no circle.
    postorder: Vec<usize>,
    /// Whether the walk began there: nobody uses the item, or only a circle that it is in.
    is_start: Vec<bool>,
}

impl Walk {
    fn over(uses: &[Vec<usize>]) -> Self {
        let count = uses.len();
        let mut is_used = vec![false; count];
        uses.iter().flatten().for_each(|used| is_used[*used] = true);
        let unused = (0..count).filter(|item| !is_used[*item]);
        let (mut seen, mut is_start) = (vec![false; count], vec![false; count]);
        let mut postorder = Vec::with_capacity(count);
        for start in unused.chain((0..count).rev()) {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            is_start[start] = true;
            let mut open = vec![(start, 0)];
            while let Some((item, next)) = open.last_mut() {
                match uses[*item].get(*next).copied() {
                    Some(used) => {
                        *next += 1;
                        if !std::mem::replace(&mut seen[used], true) {
                            open.push((used, 0));
                        }
                    }
                    None => {
                        postorder.push(*item);
                        open.pop();
                    }
                }
            }
        }
        Self { postorder, is_start }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_use_belongs_to_neither() {
        // 3 uses 1 and 2, 4 uses 2, 1 uses 0.
        let found = Dominators::of(&[vec![], vec![0], vec![], vec![1, 2], vec![2]]);
        let mut of_three = found.dominated[3].clone();
        of_three.sort_unstable();
        assert_eq!(of_three, [0, 1, 3]);
        assert_eq!(found.dominated[2], [2]);
    }

    #[test]
    fn circles_have_dominators_too() {
        let found = Dominators::of(&[vec![1], vec![0], vec![0]]);
        let mut of_two = found.dominated[2].clone();
        of_two.sort_unstable();
        assert_eq!(of_two, [0, 1, 2]);
        assert_eq!(Dominators::of(&[vec![1], vec![0]]).order.len(), 2);
    }
}
