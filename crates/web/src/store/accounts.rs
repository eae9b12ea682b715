//! Accounts and the sessions of browsers. Only hashes of secrets are stored.

use super::Store;
use super::database::{StoreError, values};
use crate::clock::now;
use crate::secret::Secret;

/// An account.
#[derive(Clone, Debug)]
pub(crate) struct UserAccount {
    pub(crate) name: String,
    pub(crate) created: i64,
}

impl Store {
    /// Makes an account, or gives an existing one another token.
    pub(crate) async fn set_token(&self, name: &str, token: &Secret) -> Result<(), StoreError> {
        let sql = "INSERT INTO accounts (name, token, created) VALUES ($1, $2, $3) \
             ON CONFLICT (name) DO UPDATE SET token = EXCLUDED.token";
        self.database.query(sql, values![name, token.hash(), now()]).await.map(drop)
    }

    /// Removes an account, and with it its sessions. Its jobs stay.
    pub(crate) async fn remove_account(&self, name: &str) -> Result<bool, StoreError> {
        self.database.query("DELETE FROM sessions WHERE account = $1", values![name]).await?;
        let sql = "DELETE FROM accounts WHERE name = $1 RETURNING name";
        Ok(!self.database.query(sql, values![name]).await?.is_empty())
    }

    pub(crate) async fn accounts(&self) -> Result<Vec<UserAccount>, StoreError> {
        let rows =
            self.database.query("SELECT name, created FROM accounts ORDER BY name", Vec::new()).await?;
        Ok(rows.into_iter().map(|mut row| UserAccount { name: row.text(), created: row.integer() }).collect())
    }

    /// Whose token this is.
    pub(crate) async fn owner_of_token(&self, token: &Secret) -> Result<Option<String>, StoreError> {
        let sql = "SELECT name FROM accounts WHERE token = $1";
        let rows = self.database.query(sql, values![token.hash()]).await?;
        Ok(rows.into_iter().next().map(|mut row| row.text()))
    }

    pub(crate) async fn begin_session(
        &self,
        account: &str,
        secret: &Secret,
        expires: i64,
    ) -> Result<(), StoreError> {
        self.database.query("DELETE FROM sessions WHERE expires < $1", values![now()]).await?;
        let sql = "INSERT INTO sessions (hash, account, expires) VALUES ($1, $2, $3)";
        self.database.query(sql, values![secret.hash(), account, expires]).await.map(drop)
    }

    pub(crate) async fn owner_of_session(&self, secret: &Secret) -> Result<Option<String>, StoreError> {
        let sql = "SELECT account FROM sessions WHERE hash = $1 AND expires > $2";
        let rows = self.database.query(sql, values![secret.hash(), now()]).await?;
        Ok(rows.into_iter().next().map(|mut row| row.text()))
    }

    pub(crate) async fn end_session(&self, secret: &Secret) -> Result<(), StoreError> {
        self.database.query("DELETE FROM sessions WHERE hash = $1", values![secret.hash()]).await.map(drop)
    }
}
