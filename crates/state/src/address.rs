//! Where something is in the memory of a traced process.

use std::fmt;
use std::ops::{Add, Sub};

/// An address of a traced process, its load address included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub u64);

impl Address {
    /// Registers are read and written like memory that begins here. No process has an address as high.
    pub const REGISTERS: Self = Self(0xffff_8000_0000_0000);

    /// Where a register of the innermost frame is, by its number in DWARF.
    #[must_use]
    pub fn of_register(number: u16) -> Self {
        Self::REGISTERS + u64::from(number) * 8
    }

    /// The number of the register at this address, if there is one.
    #[must_use]
    pub fn register(self) -> Option<u16> {
        let distance = self.0.checked_sub(Self::REGISTERS.0)?;
        u16::try_from(distance / 8).ok()
    }

    /// Whether it is the null pointer.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.0 == 0
    }
}

impl Add<u64> for Address {
    type Output = Self;

    fn add(self, distance: u64) -> Self {
        Self(self.0.wrapping_add(distance))
    }
}

impl Sub<u64> for Address {
    type Output = Self;

    fn sub(self, distance: u64) -> Self {
        Self(self.0.wrapping_sub(distance))
    }
}

impl Sub for Address {
    type Output = u64;

    fn sub(self, other: Self) -> u64 {
        self.0.wrapping_sub(other.0)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}
