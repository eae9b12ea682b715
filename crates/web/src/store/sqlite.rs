//! SQLite: one file, no set-up.

use super::database::{Database, Rows, SqlRow, SqlValue, StoreError};
use rusqlite::Connection;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// One connection: every query takes far less than a millisecond.
pub(crate) struct Sqlite {
    connection: Arc<Mutex<Connection>>,
}

impl Sqlite {
    pub(crate) fn open(path: &Path) -> Result<Self, StoreError> {
        let connection = Connection::open(path)?;
        // The files beside it get the same permissions.
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
            .map_err(|error| StoreError(error.to_string()))?;
        // Nothing that was acknowledged is lost, not even if the machine stops.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.busy_timeout(std::time::Duration::from_secs(10))?;
        Ok(Self { connection: Arc::new(Mutex::new(connection)) })
    }
}

impl Database for Sqlite {
    fn query(&self, sql: &'static str, values: Vec<SqlValue>) -> Rows<'_> {
        let connection = Arc::clone(&self.connection);
        let work = move || {
            let connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
            let mut statement = connection.prepare_cached(sql)?;
            let columns = statement.column_count();
            let mut rows = statement.query(rusqlite::params_from_iter(&values))?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                let values: Result<Vec<SqlValue>, rusqlite::Error> =
                    (0..columns).map(|column| Ok(read(row.get_ref(column)?))).collect();
                found.push(SqlRow(values?.into_iter()));
            }
            Ok(found)
        };
        Box::pin(async move {
            tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(StoreError(error.to_string())))
        })
    }
}

fn read(value: ValueRef<'_>) -> SqlValue {
    match value {
        ValueRef::Integer(number) => SqlValue::Integer(number),
        ValueRef::Text(text) => SqlValue::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => SqlValue::Null,
    }
}

impl ToSql for SqlValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            SqlValue::Text(text) => ValueRef::Text(text.as_bytes()),
            SqlValue::Integer(number) => ValueRef::Integer(*number),
            SqlValue::Null => ValueRef::Null,
        }))
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        StoreError(error.to_string())
    }
}
