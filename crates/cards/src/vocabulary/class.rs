//! What is kept for each treasure class, and sets of classes.

use std::ops::{Index, IndexMut};

use super::{Class, set_of};

/// One value for each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByClass<T>(pub [T; Class::COUNT]);

impl<T> ByClass<T> {
    pub fn from_fn(value: impl FnMut(Class) -> T) -> ByClass<T> {
        ByClass(Class::ALL.map(value))
    }

    pub fn iter(&self) -> impl Iterator<Item = (Class, &T)> {
        Class::ALL.into_iter().zip(&self.0)
    }

    pub fn map<U>(self, change: impl FnMut(T) -> U) -> ByClass<U> {
        ByClass(self.0.map(change))
    }
}

impl<T> Index<Class> for ByClass<T> {
    type Output = T;

    #[inline]
    fn index(&self, class: Class) -> &T {
        &self.0[class as usize]
    }
}

impl<T> IndexMut<Class> for ByClass<T> {
    #[inline]
    fn index_mut(&mut self, class: Class) -> &mut T {
        &mut self.0[class as usize]
    }
}

set_of!(Classes(u16) of Class);

impl Class {
    pub(super) const fn index(self) -> u32 {
        self as u32
    }

    /// A single letter, where space is tight.
    pub const fn letter(self) -> char {
        match self {
            Class::Cleric => 'C',
            Class::Fighter => 'F',
            Class::Mage => 'M',
            Class::Thief => 'T',
            Class::Explorer => 'E',
        }
    }
}

impl Classes {
    /// The classes of every game; the explorer is in play only with cards that have it.
    pub const CORE: Classes =
        Classes(0).with(Class::Cleric).with(Class::Fighter).with(Class::Mage).with(Class::Thief);

    pub const fn and(self, others: Classes) -> Classes {
        Classes(self.0 & others.0)
    }

    pub const fn or(self, others: Classes) -> Classes {
        Classes(self.0 | others.0)
    }

    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Class> + Clone {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let class = Class::ALL.get(left.trailing_zeros() as usize).copied()?;
            left &= left - 1;
            Some(class)
        })
    }
}
