//! What readers say about a diagnosis.

use super::Store;
use super::database::{StoreError, values};
use crate::clock::now;

/// What one reader says.
#[derive(Clone, Debug)]
pub(crate) struct Feedback {
    /// The name of an account; empty where there are no accounts.
    pub(crate) author: String,
    /// `right`, `wrong` or `unsure`.
    pub(crate) verdict: String,
    pub(crate) comment: String,
}

impl Store {
    /// Stores it. A reader who changes their mind replaces what they said.
    pub(crate) async fn give_feedback(&self, job: &str, feedback: Feedback) -> Result<(), StoreError> {
        let Feedback { author, verdict, comment } = feedback;
        let sql = "INSERT INTO feedback (job, author, verdict, comment, created) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (job, author) DO UPDATE SET verdict = EXCLUDED.verdict, comment = EXCLUDED.comment, \
             created = EXCLUDED.created";
        self.database.query(sql, values![job, author, verdict, comment, now()]).await.map(drop)
    }

    pub(crate) async fn feedback_on(&self, job: &str) -> Result<Vec<Feedback>, StoreError> {
        let sql = "SELECT author, verdict, comment FROM feedback WHERE job = $1 ORDER BY created";
        let rows = self.database.query(sql, values![job]).await?;
        let read = |mut row: super::database::SqlRow| Feedback {
            author: row.text(),
            verdict: row.text(),
            comment: row.text(),
        };
        Ok(rows.into_iter().map(read).collect())
    }
}
