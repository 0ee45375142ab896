/**
 * Columns of the table, in order. Columns without `sortable` cannot be sorted by, those without `optional` not
 * hidden; `away` ones are hidden at first.
 *
 * @typedef {"name" | "family" | "baseUrl" | "enabled" | "verdict" | "action" | "reason" | "status" |
 *     "latencyMs" | "at"} DataColumn
 * @typedef {DataColumn | "select" | "recent" | "place" | "change"} ColumnId
 * @typedef {{id: ColumnId, sortable?: boolean, optional?: boolean, away?: boolean}} Column
 */

const STORAGE_KEY = "poolkeeper.columns";

/** @type {Column[]} */
export const COLUMNS = [
  { id: "select" },
  { id: "name", sortable: true },
  { id: "verdict", sortable: true },
  { id: "action", sortable: true, optional: true },
  { id: "enabled", sortable: true },
  { id: "reason", sortable: true, optional: true },
  { id: "status", sortable: true, optional: true },
  { id: "latencyMs", sortable: true, optional: true },
  { id: "at", sortable: true, optional: true, away: true },
  { id: "recent", optional: true },
  { id: "family", sortable: true, optional: true },
  { id: "baseUrl", sortable: true, optional: true },
  { id: "place", optional: true, away: true },
  { id: "change" },
];

/** Return the ids of the columns that this browser hides. */
export function hiddenColumns() {
  const optional = COLUMNS.filter((column) => column.optional);
  const atFirst = optional.filter(({ away }) => away).map(({ id }) => id);
  try {
    const stored = JSON.parse(window.localStorage.getItem(STORAGE_KEY) ?? "null");
    if (!Array.isArray(stored)) return new Set(atFirst);
    return new Set(optional.map(({ id }) => id).filter((id) => stored.includes(id)));
  } catch {
    return new Set(atFirst);
  }
}

/** @param {Set<string>} hidden */
export function hideColumns(hidden) {
  try {
    window.localStorage.setItem(STORAGE_KEY, JSON.stringify([...hidden]));
  } catch {
    // The choice lasts as long as the page.
  }
}
