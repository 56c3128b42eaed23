//! What Python gives, as the rest wants it. Invariant: nothing is rounded, and a message says what was given.

use numpy::{
    PyArray1, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::Failure;

/// The number from which chance follows.
pub struct Number(pub u64);

impl<'py> FromPyObject<'_, 'py> for Number {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Number> {
        given.extract().map(Number).map_err(|error| {
            if !error.is_instance_of::<PyOverflowError>(given.py()) {
                return error;
            }
            Failure::Wrong(format!("the seed is {}: seeds are 0 to 2**64 - 1", &*given)).into()
        })
    }
}

/// One word or several; one may have commas.
#[derive(FromPyObject)]
pub enum Words {
    One(String),
    Many(Vec<String>),
}

impl From<Words> for Vec<String> {
    fn from(words: Words) -> Vec<String> {
        match words {
            Words::One(line) => line.split(',').filter(|word| !word.is_empty()).map(String::from).collect(),
            Words::Many(words) => words,
        }
    }
}

/// One action for each game: an array or a list of whole numbers.
pub fn actions<'py>(given: &Bound<'py, PyAny>, games: usize) -> PyResult<PyReadonlyArray1<'py, i64>> {
    if let Ok(actions) = given.cast::<PyArray1<i64>>()
        && actions.len() == games
        && actions.is_contiguous()
    {
        return Ok(actions.try_readonly()?);
    }
    let py = given.py();
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (given,))?;
    let array = array.cast::<PyUntypedArray>()?;
    let is_whole = matches!(array.dtype().kind(), b'i' | b'u');
    if !is_whole || array.shape() != [games] {
        let (dtype, shape) = (array.dtype(), array.getattr("shape")?);
        return Err(Failure::Wrong(format!(
            "actions are {games} whole numbers, one for each game; these are {dtype} of shape {shape}"
        ))
        .into());
    }
    let dtype = PyDict::new(py);
    dtype.set_item("dtype", numpy::dtype::<i64>(py))?;
    let whole = numpy.call_method("ascontiguousarray", (array,), Some(&dtype))?;
    Ok(whole.cast::<PyArray1<i64>>()?.try_readonly()?)
}
