//! The tables, as numbered steps: a newer howcome continues where an older one stopped. Times are milliseconds since 1970.

use super::database::{Database, StoreError, values};

/// Each step is run in this order, and can be run again. Steps are added, never changed.
const STEPS: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS jobs (
        id TEXT PRIMARY KEY, owner TEXT NOT NULL, question TEXT NOT NULL, title TEXT NOT NULL, request TEXT NOT NULL,
        status TEXT NOT NULL, ending TEXT, problem TEXT, created BIGINT NOT NULL, started BIGINT, ended BIGINT,
        node TEXT, lease BIGINT, attempts BIGINT NOT NULL, cancelled BIGINT NOT NULL, parent TEXT, step BIGINT,
        bytes BIGINT NOT NULL, cpu BIGINT NOT NULL, retry_key TEXT, UNIQUE (owner, retry_key))",
    "CREATE INDEX IF NOT EXISTS jobs_by_status ON jobs (status, created)",
    "CREATE INDEX IF NOT EXISTS jobs_by_owner ON jobs (owner, created)",
    "CREATE INDEX IF NOT EXISTS jobs_by_parent ON jobs (parent)",
    "CREATE TABLE IF NOT EXISTS accounts (name TEXT PRIMARY KEY, token TEXT NOT NULL UNIQUE, created BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS sessions (hash TEXT PRIMARY KEY, account TEXT NOT NULL, expires BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS shares (hash TEXT PRIMARY KEY, job TEXT NOT NULL, created BIGINT NOT NULL, expires BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS feedback (
        job TEXT NOT NULL, author TEXT NOT NULL, verdict TEXT NOT NULL, comment TEXT NOT NULL, created BIGINT NOT NULL,
        PRIMARY KEY (job, author))",
];

pub(super) async fn migrate(database: &dyn Database) -> Result<(), StoreError> {
    database.query("CREATE TABLE IF NOT EXISTS schema_steps (step BIGINT PRIMARY KEY)", Vec::new()).await?;
    let known = "SELECT COUNT(*) FROM schema_steps";
    let done = database.query(known, Vec::new()).await?.first_mut().map_or(0, |row| row.integer());
    if done > STEPS.len() as i64 {
        return Err(StoreError("it was written by a newer version of howcome".to_owned()));
    }
    for (step, sql) in (1i64..).zip(STEPS).skip(usize::try_from(done).unwrap_or(0)) {
        // Of several nodes that start at the same time, the one that comes second can be refused once.
        if database.query(sql, Vec::new()).await.is_err() {
            database.query(sql, Vec::new()).await?;
        }
        let done = "INSERT INTO schema_steps (step) VALUES ($1) ON CONFLICT DO NOTHING";
        database.query(done, values![step]).await?;
    }
    Ok(())
}
