//! What can be wrong with a tree.

use crate::report::Severity;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckFault {}

impl CheckFault {
    pub fn severity(&self) -> Severity {
        Severity::Error
    }
    pub fn reason(&self) -> Option<String> {
        None
    }
    pub fn suggestion(&self) -> Option<String> {
        None
    }
}
