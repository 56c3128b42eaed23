//! JSON for messages, written quickly: everybody at a table is sent a long one at every move, and most of it are short
//! keys and small numbers.
//!
//! Invariant: the same text as of `serde_json`, which also does what is rare. Keys of types are written as they are:
//! none of ours needs escaping.

use serde::Serialize;
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::Error;

type Result<T = ()> = std::result::Result<T, Error>;

/// Adds the text of a value.
pub fn write<T: Serialize>(value: &T, to: &mut Vec<u8>) -> Result {
    let mut out = Out(std::mem::take(to));
    let written = value.serialize(&mut out);
    *to = out.0;
    written
}

struct Out(Vec<u8>);

impl Out {
    /// A word of the program's own.
    fn word(&mut self, word: &str) {
        self.0.push(b'"');
        self.0.extend_from_slice(word.as_bytes());
        self.0.push(b'"');
    }

    fn number(&mut self, mut n: u64) {
        if n < 10 {
            return self.0.push(b'0' + n as u8);
        }
        let mut digits = [0; 20];
        let mut at = digits.len();
        while n > 0 {
            at -= 1;
            digits[at] = b'0' + (n % 10) as u8;
            n /= 10;
        }
        self.0.extend_from_slice(&digits[at..]);
    }

    fn open<'a>(&'a mut self, bracket: u8, close: &'static [u8]) -> Parts<'a> {
        self.0.push(bracket);
        Parts { out: self, first: true, close }
    }

    /// `{"variant":`, for what is closed with one more bracket.
    fn variant(&mut self, variant: &str) {
        self.0.push(b'{');
        self.word(variant);
        self.0.push(b':');
    }
}

/// A list or an object that is being written.
struct Parts<'a> {
    out: &'a mut Out,
    first: bool,
    close: &'static [u8],
}

impl Parts<'_> {
    fn comma(&mut self) {
        if !std::mem::replace(&mut self.first, false) {
            self.out.0.push(b',');
        }
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
        self.comma();
        value.serialize(&mut *self.out)
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result {
        let before: &[u8] = if std::mem::replace(&mut self.first, false) { b"\"" } else { b",\"" };
        self.out.0.extend_from_slice(before);
        self.out.0.extend_from_slice(key.as_bytes());
        self.out.0.extend_from_slice(b"\":");
        value.serialize(&mut *self.out)
    }

    fn close(self) -> Result {
        self.out.0.extend_from_slice(self.close);
        Ok(())
    }
}

macro_rules! numbers {
    ($($name:ident $type:ty),*) => {$(
        fn $name(self, n: $type) -> Result {
            self.number(n.into());
            Ok(())
        }
    )*};
}

macro_rules! signed {
    ($($name:ident $type:ty),*) => {$(
        fn $name(self, n: $type) -> Result {
            if n < 0 {
                self.0.push(b'-');
            }
            self.number(n.unsigned_abs().into());
            Ok(())
        }
    )*};
}

impl<'a> Serializer for &'a mut Out {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Parts<'a>;
    type SerializeTuple = Parts<'a>;
    type SerializeTupleStruct = Parts<'a>;
    type SerializeTupleVariant = Parts<'a>;
    type SerializeMap = Parts<'a>;
    type SerializeStruct = Parts<'a>;
    type SerializeStructVariant = Parts<'a>;

    numbers! { serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64 }
    signed! { serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64 }

    fn serialize_str(self, text: &str) -> Result {
        // Without a way out in the middle, so that many letters are looked at in one go.
        let special = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
        if text.bytes().fold(false, |any, byte| any | special(byte)) {
            return serde_json::to_writer(&mut self.0, text);
        }
        self.word(text);
        Ok(())
    }

    fn serialize_bool(self, yes: bool) -> Result {
        self.0.extend_from_slice(if yes { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_f32(self, n: f32) -> Result {
        serde_json::to_writer(&mut self.0, &n)
    }

    fn serialize_f64(self, n: f64) -> Result {
        serde_json::to_writer(&mut self.0, &n)
    }

    fn serialize_char(self, letter: char) -> Result {
        serde_json::to_writer(&mut self.0, &letter)
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result {
        serde_json::to_writer(&mut self.0, bytes)
    }

    fn serialize_unit(self) -> Result {
        self.0.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_none(self) -> Result {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result {
        value.serialize(self)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result {
        self.word(variant);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result {
        self.variant(variant);
        value.serialize(&mut *self)?;
        self.0.push(b'}');
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'a>> {
        Ok(self.open(b'[', b"]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'a>> {
        Ok(self.open(b'[', b"]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>> {
        Ok(self.open(b'[', b"]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>> {
        self.variant(variant);
        Ok(self.open(b'[', b"]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'a>> {
        Ok(self.open(b'{', b"}"))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>> {
        Ok(self.open(b'{', b"}"))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>> {
        self.variant(variant);
        Ok(self.open(b'{', b"}}"))
    }
}

macro_rules! items {
    ($($trait:ident $add:ident),*) => {$(
        impl $trait for Parts<'_> {
            type Ok = ();
            type Error = Error;

            fn $add<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
                self.item(value)
            }

            fn end(self) -> Result {
                self.close()
            }
        }
    )*};
}

items! {
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field
}

macro_rules! fields {
    ($($trait:ident),*) => {$(
        impl $trait for Parts<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result {
                self.field(key, value)
            }

            fn end(self) -> Result {
                self.close()
            }
        }
    )*};
}

fields! { SerializeStruct, SerializeStructVariant }

impl SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result {
        self.comma();
        let at = self.out.0.len();
        key.serialize(&mut *self.out)?;
        match self.out.0.get(at) {
            Some(b'"') => Ok(()),
            _ => Err(serde::ser::Error::custom("a key that is no text")),
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
        self.out.0.push(b':');
        value.serialize(&mut *self.out)
    }

    fn end(self) -> Result {
        self.close()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[derive(Serialize)]
    struct Unit;

    #[derive(Serialize)]
    struct Pair(u8, i64);

    #[derive(Serialize)]
    #[serde(tag = "type", rename_all = "snake_case")]
    enum Tagged {
        NoMore,
        Boxed(Box<Fields>),
    }

    #[derive(Serialize)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    enum What {
        Nothing,
        Named { a: Option<u8>, b: Vec<Kind> },
    }

    #[derive(Serialize)]
    enum Kind {
        Plain,
        One(f64),
        Two(i8, char),
        Named { x: u64, y: f32 },
    }

    #[derive(Serialize)]
    struct Fields {
        #[serde(flatten)]
        what: What,
        words: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        left_out: Option<u8>,
        yes: bool,
        map: BTreeMap<String, Pair>,
        unit: (Unit, (), Option<u8>),
    }

    #[test]
    fn it_is_the_text_of_serde_json() {
        let kinds = || {
            let named = Kind::Named { x: u64::MAX, y: -0.5 };
            vec![Kind::Plain, Kind::One(0.61), Kind::Two(i8::MIN, '"'), named]
        };
        let fields = |what| Fields {
            what,
            words: "\"Ünïcode\" \\ and\tall\u{1}, 🐉 and a longer plain end of it".into(),
            left_out: None,
            yes: true,
            map: [("a \" b".into(), Pair(10, i64::MIN)), ("".into(), Pair(0, 1_234_567))].into(),
            unit: (Unit, (), Some(255)),
        };
        for what in
            [What::Nothing, What::Named { a: None, b: kinds() }, What::Named { a: Some(9), b: kinds() }]
        {
            let value = [Tagged::NoMore, Tagged::Boxed(Box::new(fields(what)))];
            let mut text = b"before ".to_vec();
            write(&value, &mut text).unwrap();
            let expected = format!("before {}", serde_json::to_string(&value).unwrap());
            assert_eq!(String::from_utf8(text).unwrap(), expected);
        }
        assert!(write(&BTreeMap::from([(1, 2)]), &mut Vec::new()).is_err(), "keys are texts");
    }
}
