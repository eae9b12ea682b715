//! Accounts, for the command line.

use crate::secret::Secret;
use crate::server::{ServeError, open_store};
use crate::settings::ServeSettings;

/// Makes an account, or gives it another token. The token is shown once; only its hash is stored.
///
/// # Errors
/// If the database cannot be used.
pub async fn add_token(settings: &ServeSettings, name: &str) -> Result<Secret, ServeError> {
    let random = |source| ServeError::Io { what: "/dev/urandom".to_owned(), source };
    let token = Secret::new().map_err(random)?;
    open_store(settings).await?.set_token(name, &token).await?;
    Ok(token)
}

/// The names of all accounts, and when they were made, in milliseconds since 1970.
///
/// # Errors
/// If the database cannot be used.
pub async fn list_tokens(settings: &ServeSettings) -> Result<Vec<(String, i64)>, ServeError> {
    let accounts = open_store(settings).await?.accounts().await?;
    Ok(accounts.into_iter().map(|account| (account.name, account.created)).collect())
}

/// Removes an account. Returns whether there was one.
///
/// # Errors
/// If the database cannot be used.
pub async fn remove_token(settings: &ServeSettings, name: &str) -> Result<bool, ServeError> {
    Ok(open_store(settings).await?.remove_account(name).await?)
}
