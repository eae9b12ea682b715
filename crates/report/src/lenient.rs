//! Reads what is there of a record that another version may have written: what is missing or of another shape counts
//! as nothing.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A field, or nothing.
pub(crate) fn lenient<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: DeserializeOwned + Default,
    D: Deserializer<'de>,
{
    let value = Value::deserialize(deserializer)?;
    Ok(T::deserialize(value).unwrap_or_default())
}

/// A list, without those of its members that cannot be read.
pub(crate) fn lenient_list<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: DeserializeOwned,
    D: Deserializer<'de>,
{
    let value = Value::deserialize(deserializer)?;
    let members = value.as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(members.iter().filter_map(|member| T::deserialize(member).ok()).collect())
}

/// A number, or the list of what is to be counted.
pub(crate) fn how_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(value.as_u64().or_else(|| Some(value.as_array()?.len() as u64)).unwrap_or(0))
}
