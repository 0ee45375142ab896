import { text } from "../language/catalogue.js";

/**
 * Explain why the table shows no account of the pool.
 *
 * @param {Pick<import("./pool_model.js").PoolModel, "failed" | "statistics" | "late" | "partial">} pool
 * @param {Pick<import("../settings/fields.js").Settings, "accountSource" | "targetType" | "providerFilter">} settings
 */
export function emptyText({ failed, statistics, late, partial }, { accountSource, targetType, providerFilter }) {
  if (late) return text("overview.waiting");
  if (failed) return text("empty.failed");
  if (!statistics || partial) return text("empty.loading");
  if (targetType !== "all" || providerFilter) {
    return text("empty.no_match");
  }
  return text(`empty.${accountSource}`);
}
