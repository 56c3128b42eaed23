//! A list of fixed size, so that a state needs no heap.

/// A list of fixed size. Pushing onto a full one is refused, never a panic.
#[derive(Clone, Copy, Debug)]
pub struct Stack<T, const N: usize> {
    items: [T; N],
    len: u8,
}

impl<T: Copy, const N: usize> Stack<T, N> {
    pub(crate) const fn new(filler: T) -> Self {
        Stack { items: [filler; N], len: 0 }
    }

    #[must_use]
    pub(crate) fn push(&mut self, item: T) -> bool {
        let free = usize::from(self.len) < N;
        if free {
            self.items[usize::from(self.len)] = item;
            self.len += 1;
        }
        free
    }

    /// Pushes where room was made sure of beforehand.
    pub(crate) fn put(&mut self, item: T) {
        let pushed = self.push(item);
        debug_assert!(pushed, "a stack of {N} overflowed");
    }

    pub(crate) fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        Some(self.items[usize::from(self.len)])
    }

    pub(crate) fn drop_last(&mut self) {
        self.len = self.len.saturating_sub(1);
    }

    pub(crate) fn remove(&mut self, index: usize) -> T {
        let item = self.items[index];
        self.items.copy_within(index + 1..usize::from(self.len), index);
        self.len -= 1;
        item
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len as u8);
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }
}

impl<T, const N: usize> std::ops::Deref for Stack<T, N> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.items[..usize::from(self.len)]
    }
}

impl<T, const N: usize> std::ops::DerefMut for Stack<T, N> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..usize::from(self.len)]
    }
}

impl<T: PartialEq, const N: usize> PartialEq for Stack<T, N> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}
impl<T: Eq, const N: usize> Eq for Stack<T, N> {}
