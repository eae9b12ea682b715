//! Histories in which anything may happen anywhere.

use super::noise::Noise;
use super::plan::{Plan, Region};

impl Plan {
    /// A history that follows from a seed; `None` where nothing before the cause can be built.
    pub fn any(seed: u64) -> Option<Self> {
        let mut noise = Noise::new(seed.wrapping_mul(1000));
        let revisions = 12 + noise.below(60);
        let anywhere = |noise: &mut Noise| 1 + noise.below(revisions as u64 - 2);
        let mut plan = Self { seed, ..Self::new(revisions, anywhere(&mut noise), 0) };
        plan.cause = (noise.below(6) > 0).then(|| anywhere(&mut noise));
        plan.broken = (0..noise.below(6)).map(|_| noise.below(revisions as u64 - 1)).collect();
        plan.broken.sort_unstable();
        plan.broken.dedup();
        if noise.below(3) == 0 {
            let region = if noise.below(2) == 0 { Region::Near } else { Region::Around };
            plan.region = Some((anywhere(&mut noise), region));
        }
        match noise.below(5) {
            0 => plan.driver = true,
            1 | 2 => plan.second_feature = Some(anywhere(&mut noise)),
            _ => {}
        }
        if let Some(cause) = plan.cause {
            plan.builds_before(cause)?;
            let later = (revisions - cause) as u64;
            plan.merged = noise.below(5) == 0;
            plan.cause_rewritten =
                (noise.below(3) == 0).then(|| cause + 1 + noise.below(later)).filter(|at| *at < revisions);
        }
        Some(plan)
    }
}
