//! What the service remembers: jobs, accounts, shared addresses, feedback. One set of queries for two databases.
//!
//! | file | idea |
//! |---|---|
//! | `database` | the little that the queries need of a database |
//! | `sqlite`, `postgres` | the two databases |
//! | `schema` | the tables, as numbered steps |
//! | `job_row` | a job as it is stored |
//! | `jobs`, `claims` | submitting, listing and changing jobs; who works on which one |
//! | `accounts`, `shares`, `feedback` | tokens and sessions; addresses that were given away; what readers say |

mod accounts;
mod claims;
mod database;
mod feedback;
mod job_row;
mod jobs;
mod postgres;
mod schema;
mod shares;
mod sqlite;

pub use database::StoreError;
pub(crate) use feedback::Feedback;
pub(crate) use job_row::{JobEnd, JobRow, JobStatus, NewJob};

use database::Database;
use std::path::Path;
use std::sync::Arc;

/// All that is remembered.
#[derive(Clone)]
pub(crate) struct Store {
    database: Arc<dyn Database>,
}

impl Store {
    /// Opens a file, or makes it.
    pub(crate) async fn sqlite(path: &Path) -> Result<Self, StoreError> {
        Self::over(Arc::new(sqlite::Sqlite::open(path)?)).await
    }

    /// Connects to a PostgreSQL server that several nodes share.
    pub(crate) async fn postgres(url: &str) -> Result<Self, StoreError> {
        Self::over(Arc::new(postgres::Postgres::connect(url)?)).await
    }

    async fn over(database: Arc<dyn Database>) -> Result<Self, StoreError> {
        schema::migrate(&*database).await?;
        Ok(Self { database })
    }
}
