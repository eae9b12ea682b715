//! Dominators: which items are used only through another item. After Cooper, Harvey and Kennedy, "A simple, fast dominance
//! algorithm" (2001).

/// For each item, the items that are used only through it.
pub(crate) struct Dominators {
    /// All items. The items that an item dominates are right before it.
    pub(crate) order: Vec<usize>,
    /// For each item in this order, how many items it dominates, itself included.
    counts: Vec<usize>,
}

impl Dominators {
    /// The dominators of items that use each other. Items that nothing uses are the roots.
    pub(crate) fn of(uses: &[Vec<usize>]) -> Self {
        let count = uses.len();
        let root = count;
        let UseWalk { postorder, is_start } = UseWalk::over(uses);
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
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
        for item in &postorder {
            below[above[*item].unwrap_or(root)].push(*item);
        }
        Self::along(&below, root)
    }

    fn along(below: &[Vec<usize>], root: usize) -> Self {
        let (mut order, mut counts) = (Vec::new(), Vec::new());
        let mut open = vec![(root, 0, 0)];
        while let Some((item, next, first)) = open.last_mut() {
            match below[*item].get(*next).copied() {
                Some(child) => {
                    *next += 1;
                    open.push((child, 0, order.len()));
                }
                None => {
                    order.push(*item);
                    counts.push(order.len() - *first);
                    open.pop();
                }
            }
        }
        order.pop();
        counts.pop();
        Self { order, counts }
    }

    /// The items that the item at a place in the order dominates. The last one is the item itself.
    pub(crate) fn dominated(&self, place: usize) -> &[usize] {
        &self.order[place + 1 - self.counts[place]..=place]
    }
}

/// The nearest dominator that two items have in common.
fn common(mut a: usize, mut b: usize, above: &[Option<usize>], number: &[usize]) -> usize {
    while a != b {
        let lower = if number[a] < number[b] { &mut a } else { &mut b };
        *lower = above[*lower].unwrap_or(above.len() - 1);
    }
    a
}

/// A walk from the items that nothing uses to all items that they use.
struct UseWalk {
    /// All items, each after the items that it uses, except in circles.
    postorder: Vec<usize>,
    /// Whether the walk started there: nothing uses the item, or only items of its own circle.
    is_start: Vec<bool>,
}

impl UseWalk {
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

    fn dominated_by(found: &Dominators, item: usize) -> Vec<usize> {
        let place = found.order.iter().position(|ordered| *ordered == item).unwrap();
        let mut dominated = found.dominated(place).to_vec();
        dominated.sort_unstable();
        dominated
    }

    #[test]
    fn what_two_items_use_is_dominated_by_neither() {
        // 3 uses 1 and 2, 4 uses 2, 1 uses 0.
        let found = Dominators::of(&[vec![], vec![0], vec![], vec![1, 2], vec![2]]);
        assert_eq!(dominated_by(&found, 3), [0, 1, 3]);
        assert_eq!(dominated_by(&found, 2), [2]);
    }

    #[test]
    fn circles_have_dominators_too() {
        let found = Dominators::of(&[vec![1], vec![0], vec![0]]);
        assert_eq!(dominated_by(&found, 2), [0, 1, 2]);
        assert_eq!(Dominators::of(&[vec![1], vec![0]]).order.len(), 2);
    }
}
