//! Changes that leave everything as it is: notes that come, go and change.

/// Numbers that look random and are the same each time (splitmix64).
#[derive(Clone, Debug)]
pub struct Noise {
    state: u64,
    last: u32,
}

/// The places for notes that stand in one hunk with the line of the cause.
pub const BESIDE_THE_CAUSE: [usize; 2] = [6, 7];

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self { state: seed, last: 100 }
    }

    /// Changes some of the notes; the ones beside the cause only if wanted.
    pub fn change(&mut self, notes: &mut [u32; 16], beside_the_cause: bool) {
        for _ in 0..1 + self.below(4) {
            let place = self.below(16);
            if !BESIDE_THE_CAUSE.contains(&place) {
                let goes = notes[place] != 0 && self.below(3) == 0;
                notes[place] = if goes { 0 } else { self.number() };
            }
        }
        if beside_the_cause {
            BESIDE_THE_CAUSE.into_iter().for_each(|place| notes[place] = self.number());
        }
    }

    fn number(&mut self) -> u32 {
        self.last += 1;
        self.last
    }

    pub fn below(&mut self, end: u64) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % end) as usize
    }
}
