//! The little that the queries need of a database.
//!
//! Both databases read `$1`, `ON CONFLICT` and `RETURNING`, and all columns are texts or integers. So each query is written
//! once. Parameters are named in the order in which they first appear, because SQLite numbers them so.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// A value of a column or of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SqlValue {
    Text(String),
    Integer(i64),
    Null,
}

impl From<&str> for SqlValue {
    fn from(text: &str) -> Self {
        SqlValue::Text(text.to_owned())
    }
}

impl From<String> for SqlValue {
    fn from(text: String) -> Self {
        SqlValue::Text(text)
    }
}

impl From<i64> for SqlValue {
    fn from(number: i64) -> Self {
        SqlValue::Integer(number)
    }
}

impl<T: Into<SqlValue>> From<Option<T>> for SqlValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(SqlValue::Null, Into::into)
    }
}

/// One row of a result.
#[derive(Debug)]
pub(crate) struct SqlRow(pub(crate) std::vec::IntoIter<SqlValue>);

impl SqlRow {
    /// The next column as a text; empty if it is null.
    pub(crate) fn text(&mut self) -> String {
        self.optional_text().unwrap_or_default()
    }

    pub(crate) fn optional_text(&mut self) -> Option<String> {
        match self.0.next() {
            Some(SqlValue::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The next column as a number; 0 if it is null.
    pub(crate) fn integer(&mut self) -> i64 {
        self.optional_integer().unwrap_or_default()
    }

    pub(crate) fn optional_integer(&mut self) -> Option<i64> {
        match self.0.next() {
            Some(SqlValue::Integer(number)) => Some(number),
            _ => None,
        }
    }
}

/// The rows of a query, as soon as they are there.
pub(crate) type Rows<'a> = Pin<Box<dyn Future<Output = Result<Vec<SqlRow>, StoreError>> + Send + 'a>>;

/// A database.
pub(crate) trait Database: Send + Sync {
    /// Runs one statement.
    fn query(&self, sql: &'static str, values: Vec<SqlValue>) -> Rows<'_>;
}

/// Why the database did not answer.
#[derive(Debug)]
pub struct StoreError(pub(crate) String);

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the database: {}", self.0)
    }
}

impl std::error::Error for StoreError {}

/// `values![a, b]` are the parameters of a query.
macro_rules! values {
    ($($value:expr),* $(,)?) => { vec![$($crate::store::database::SqlValue::from($value)),*] };
}
pub(crate) use values;
