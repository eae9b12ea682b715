//! Addresses that were given away.

use super::Store;
use super::database::{StoreError, values};
use crate::clock::now;
use crate::secret::Secret;

/// An address that works until it expires. The address itself is not stored.
#[derive(Clone, Debug)]
pub(crate) struct Share {
    pub(crate) expires: i64,
}

impl Store {
    pub(crate) async fn share(&self, job: &str, secret: &Secret, expires: i64) -> Result<(), StoreError> {
        let sql = "INSERT INTO shares (hash, job, created, expires) VALUES ($1, $2, $3, $4)";
        self.database.query(sql, values![secret.hash(), job, now(), expires]).await.map(drop)
    }

    pub(crate) async fn shares_of(&self, job: &str) -> Result<Vec<Share>, StoreError> {
        let sql = "SELECT expires FROM shares WHERE job = $1 AND expires > $2 ORDER BY created";
        let rows = self.database.query(sql, values![job, now()]).await?;
        Ok(rows.into_iter().map(|mut row| Share { expires: row.integer() }).collect())
    }

    /// The job that an address leads to.
    pub(crate) async fn shared_job(&self, secret: &Secret) -> Result<Option<String>, StoreError> {
        let sql = "SELECT job FROM shares WHERE hash = $1 AND expires > $2";
        let rows = self.database.query(sql, values![secret.hash(), now()]).await?;
        Ok(rows.into_iter().next().map(|mut row| row.text()))
    }

    /// Makes all addresses of a job invalid.
    pub(crate) async fn unshare(&self, job: &str) -> Result<(), StoreError> {
        self.database.query("DELETE FROM shares WHERE job = $1", values![job]).await.map(drop)
    }

    pub(crate) async fn drop_expired_shares(&self) -> Result<(), StoreError> {
        self.database.query("DELETE FROM shares WHERE expires < $1", values![now()]).await.map(drop)
    }
}
