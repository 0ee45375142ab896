/**
 * Explain why the table shows no account of the pool.
 *
 * @param {Pick<import("./pool_model.js").PoolModel, "failed" | "statistics">} pool
 * @param {Pick<import("../settings/fields.js").Settings, "accountSource" | "targetType" | "providerFilter">} settings
 */
export function emptyText({ failed, statistics }, { accountSource, targetType, providerFilter }) {
  if (failed) return "The pool could not be read. Select Refresh to try again.";
  if (!statistics) return "Loading the pool…";
  if (targetType !== "all" || providerFilter) {
    return "No account matches the filters above.";
  }
  return accountSource === "api_key"
    ? "The gateway has no API keys." : "The gateway has no OAuth files.";
}
