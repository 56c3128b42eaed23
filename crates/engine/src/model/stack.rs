//! A list of fixed size, so that a state needs no heap.

/// A list of fixed size. Pushing onto a full one is refused, never a panic. `clone_from` copies only
/// what is in use; what lies beyond it is never read.
#[derive(Debug)]
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

    /// Pushes where the caller has made sure there is room.
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

    pub(crate) fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        let mut kept = 0;
        for index in 0..usize::from(self.len) {
            if keep(&self.items[index]) {
                self.items[kept] = self.items[index];
                kept += 1;
            }
        }
        self.len = kept as u8;
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len as u8);
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }
}

impl<T: Copy, const N: usize> Clone for Stack<T, N> {
    fn clone(&self) -> Self {
        Stack { items: self.items, len: self.len }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        let used = usize::from(source.len);
        self.items[..used].copy_from_slice(&source.items[..used]);
        self.len = source.len;
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
