//! Whole numbers as bytes, for results that travel: seven bits a byte, and runs of zeros counted.
//!
//! Invariant: reading takes any bytes, never panics, and allocates only what it is asked for.

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[derive(Default)]
pub struct Writer {
    bytes: Vec<u8>,
    zeros: u64,
}

impl Writer {
    pub fn put(&mut self, number: u64) {
        if number == 0 {
            self.zeros += 1;
            return;
        }
        self.end_zeros();
        self.write(number);
    }

    /// Small numbers of either sign are short.
    pub fn put_signed(&mut self, number: i64) {
        self.put(((number << 1) ^ (number >> 63)) as u64);
    }

    pub fn finish(mut self) -> Vec<u8> {
        self.end_zeros();
        self.bytes
    }

    fn end_zeros(&mut self) {
        let zeros = std::mem::take(&mut self.zeros);
        if zeros > 0 {
            self.bytes.push(0);
            self.write(zeros);
        }
    }

    fn write(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }
}

pub struct Reader<'a> {
    bytes: &'a [u8],
    zeros: u64,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, zeros: 0 }
    }

    pub fn get(&mut self) -> Option<u64> {
        if self.zeros == 0 {
            match self.read()? {
                0 => self.zeros = self.read().filter(|run| *run > 0)?,
                number => return Some(number),
            }
        }
        self.zeros -= 1;
        Some(0)
    }

    pub fn get_signed(&mut self) -> Option<i64> {
        let number = self.get()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// Everything has been read.
    pub fn is_at_end(&self) -> bool {
        self.bytes.is_empty() && self.zeros == 0
    }

    fn read(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let all = [0, 0, 0, 1, 127, 128, 0, u64::MAX, 0, 300, 0, 0];
        let signed = [0, -1, 1, i64::MIN, i64::MAX, -64, 0];
        let mut writer = Writer::default();
        all.iter().for_each(|number| writer.put(*number));
        signed.iter().for_each(|number| writer.put_signed(*number));
        let bytes = writer.finish();
        let mut reader = Reader::new(&bytes);
        assert!(all.iter().all(|number| reader.get() == Some(*number)));
        assert!(signed.iter().all(|number| reader.get_signed() == Some(*number)));
        assert!(reader.is_at_end() && reader.get().is_none());
        let mut zeros = Writer::default();
        (0..10_000).for_each(|_| zeros.put(0));
        assert_eq!(zeros.finish().len(), 3);
    }

    #[test]
    fn nonsense_ends_the_reading() {
        for nonsense in [&[0x80][..], &[0xff; 12], &[0], &[0, 0]] {
            assert_eq!(Reader::new(nonsense).get(), None, "{nonsense:?}");
        }
    }
}
