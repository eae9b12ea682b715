//! PostgreSQL: for several nodes.

use super::database::{Database, Rows, SqlRow, SqlValue, StoreError};
use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod};
use tokio_postgres::NoTls;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

/// A few connections, made when they are needed and again after the server was away.
pub(crate) struct Postgres {
    pool: Pool,
}

impl Postgres {
    pub(crate) fn connect(url: &str) -> Result<Self, StoreError> {
        // A message about the address must not repeat the password in it.
        let config = url
            .parse::<tokio_postgres::Config>()
            .map_err(|_| StoreError("the address of the database cannot be read".to_owned()))?;
        let manager = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = Manager::from_config(config, NoTls, manager);
        let pool = Pool::builder(manager).max_size(8).build();
        Ok(Self { pool: pool.map_err(|error| StoreError(error.to_string()))? })
    }
}

impl Database for Postgres {
    fn query(&self, sql: &'static str, values: Vec<SqlValue>) -> Rows<'_> {
        Box::pin(async move {
            let client = self.pool.get().await.map_err(|error| StoreError(error.to_string()))?;
            let statement = client.prepare_cached(sql).await?;
            let parameters: Vec<&(dyn ToSql + Sync)> =
                values.iter().map(|value| value as &(dyn ToSql + Sync)).collect();
            let rows = client.query(&statement, &parameters).await?;
            rows.iter().map(read).collect()
        })
    }
}

fn read(row: &tokio_postgres::Row) -> Result<SqlRow, StoreError> {
    let mut values = Vec::with_capacity(row.len());
    for (column, about) in row.columns().iter().enumerate() {
        values.push(match *about.type_() {
            Type::INT8 => row.try_get::<_, Option<i64>>(column)?.into(),
            Type::INT4 => row.try_get::<_, Option<i32>>(column)?.map(i64::from).into(),
            _ => row.try_get::<_, Option<String>>(column)?.into(),
        });
    }
    Ok(SqlRow(values.into_iter()))
}

impl ToSql for SqlValue {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            SqlValue::Text(text) => text.to_sql(ty, out),
            SqlValue::Integer(number) if *ty == Type::INT4 => i32::try_from(*number)?.to_sql(ty, out),
            SqlValue::Integer(number) => number.to_sql(ty, out),
            SqlValue::Null => Ok(IsNull::Yes),
        }
    }

    fn accepts(ty: &Type) -> bool {
        matches!(*ty, Type::TEXT | Type::VARCHAR | Type::INT8 | Type::INT4 | Type::UNKNOWN)
    }

    to_sql_checked!();
}

impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        let message =
            error.as_db_error().map_or_else(|| error.to_string(), |error| error.message().to_owned());
        StoreError(message)
    }
}
