/**
 * Columns of the table, in order. Columns without `sortable` cannot be sorted by.
 *
 * @typedef {"name" | "family" | "baseUrl" | "enabled" | "verdict" | "action" | "reason" | "status" |
 *     "latencyMs"} DataColumn
 * @typedef {{id: DataColumn | "select" | "change", label: string, sortable?: boolean}} Column
 */

/** @type {Column[]} */
export const COLUMNS = [
  { id: "select", label: "Select" },
  { id: "name", label: "Account", sortable: true },
  { id: "family", label: "Family", sortable: true },
  { id: "baseUrl", label: "Base URL", sortable: true },
  { id: "enabled", label: "State", sortable: true },
  { id: "verdict", label: "Status", sortable: true },
  { id: "action", label: "Recommended", sortable: true },
  { id: "reason", label: "Reason", sortable: true },
  { id: "status", label: "HTTP", sortable: true },
  { id: "latencyMs", label: "Latency", sortable: true },
  { id: "change", label: "Actions" },
];
