//! What a candidate costs.
pub(crate) fn measure() -> anyhow::Result<()> {
    Ok(())
}
