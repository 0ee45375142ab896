import { text } from "../language/catalogue.js";

/**
 * Explain why the table shows no account of the pool.
 *
 * @param {Pick<import("./pool_model.js").PoolModel, "failed" | "statistics">} pool
 * @param {Pick<import("../settings/fields.js").Settings, "accountSource" | "targetType" | "providerFilter">} settings
 */
export function emptyText({ failed, statistics }, { accountSource, targetType, providerFilter }) {
  if (failed) return text("empty.failed");
  if (!statistics) return text("empty.loading");
  if (targetType !== "all" || providerFilter) {
    return text("empty.no_match");
  }
  return text(`empty.${accountSource}`);
}
