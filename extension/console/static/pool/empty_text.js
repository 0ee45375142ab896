/**
 * Explain why the table shows no account of the pool.
 *
 * @param {Pick<import("./pool_model.js").PoolModel, "failed" | "statistics">} pool
 * @param {Pick<import("../settings/fields.js").Settings, "accountSource" | "targetType" | "providerFilter">} settings
 */
export function emptyText({ failed, statistics }, { accountSource, targetType, providerFilter }) {
  if (failed) return "The pool could not be read. Refresh reads it again.";
  if (!statistics) return "Reading the pool…";
  if (targetType !== "all" || providerFilter) {
    return "No account of this source matches the family and the provider filter.";
  }
  return accountSource === "api_key"
    ? "The gateway's configuration holds no API keys." : "The gateway has no OAuth files.";
}
