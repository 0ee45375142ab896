import { flagsText } from "../actions/account_flags.js";
import { switchRefusal } from "../actions/change_plan.js";
import { element, explainDisabled } from "../dom.js";
import { accountName, formatLatency } from "../formatting.js";
import { COLUMNS } from "./columns.js";
import { evidenceOf } from "./evidence.js";
import { toneOf } from "./vocabulary.js";

/**
 * @import { Flag } from "../actions/account_flags.js"
 * @import { DataColumn } from "./columns.js"
 * @import { Row } from "./rows.js"
 * @import { Vocabulary } from "./vocabulary.js"
 * @typedef {"good" | "caution" | "neutral" | "bad" | "accent" | "none"} Tone
 */

/**
 * Callbacks of a row.
 *
 * @typedef {object} RowHandlers
 * @property {(id: number, selected: boolean) => void} onSelect
 * @property {(id: number) => void} onExpand
 * @property {(id: number, disabled: boolean) => void} onSwitch
 * @property {(id: number) => void} onDelete
 * @property {(id: number, flag: Flag, on: boolean) => void} onFlag
 * @property {(row: Row) => HTMLElement | null} offer
 */

/**
 * Build the nodes of a row: the line itself and, when expanded, its evidence.
 *
 * @param {Row} row
 * @param {{expanded: boolean, selected: boolean}} state
 * @param {Vocabulary} vocabulary
 * @param {RowHandlers} handlers
 * @returns {HTMLElement[]}
 */
export function rowNodes(row, state, vocabulary, handlers) {
  const cells = [
    selectCell(row, state, handlers), nameCell(row, state, handlers),
    cell("family", vocabulary.family(row.family)), addressCell(row), stateCell(row),
    pillCell("verdict", vocabulary.verdict(row.verdict), row.verdict ? toneOf(row.verdict) : "none"),
    pillCell("action", row.action || "–", row.action && row.action !== "keep" ? "accent" : "none"),
    cell("reason", row.reason || "–"), cell("status", String(row.status ?? "–")),
    cell("latencyMs", formatLatency(row.latencyMs)), buttonsCell(row, handlers),
  ];
  const line = element("tr", { data: { account: String(row.id), verdict: row.verdict } }, ...cells);
  if (!state.expanded) return [line];
  const evidence = element("td", { attributes: { colspan: COLUMNS.length } }, evidenceOf(row, handlers));
  return [line, element("tr", { class: "evidence-row", attributes: { id: evidenceId(row) } }, evidence)];
}

/** @param {Row} row */
function fullName(row) {
  return accountName(row.account ?? { id: row.id, displayName: row.name, keyHint: row.keyHint });
}

/** @param {Row} row */
function evidenceId(row) {
  return `evidence-${row.id}`;
}

/**
 * @param {DataColumn} column
 * @param {string} text
 */
function cell(column, text) {
  const label = COLUMNS.find(({ id }) => id === column)?.label ?? "";
  return element("td", { class: column, text, data: { label } });
}

/** @param {Row} row */
function addressCell({ baseUrl }) {
  const node = cell("baseUrl", "");
  node.append(element("div", { text: baseUrl.replace(/^https?:\/\//, "") || "–" }));
  node.title = baseUrl;
  return node;
}

/**
 * @param {DataColumn} column
 * @param {string} text
 * @param {Tone} tone
 */
function pillCell(column, text, tone) {
  const node = cell(column, "");
  node.append(element("span", { class: "pill", text, data: { tone } }));
  return node;
}

/** @param {Row} row */
function stateCell(row) {
  const text = row.enabled === null ? "unknown" : row.enabled ? "enabled" : "disabled";
  const node = cell("enabled", "");
  node.append(element("span", { class: "state", text, data: { state: text } }));
  return node;
}

/**
 * @param {Row} row
 * @param {{selected: boolean}} state
 * @param {RowHandlers} handlers
 */
function selectCell(row, { selected }, { onSelect }) {
  const box = element("input", {
    data: { control: `select-${row.id}` },
    attributes: { type: "checkbox", "aria-label": `Select ${fullName(row)}`, disabled: !row.account },
    on: { change: () => onSelect(row.id, box.checked) },
  });
  box.checked = selected;
  return element("td", { class: "select" }, box);
}

/**
 * @param {Row} row
 * @param {{expanded: boolean}} state
 * @param {RowHandlers} handlers
 */
function nameCell(row, { expanded }, { onExpand }) {
  const button = element("button", {
    class: "expand", data: { control: `expand-${row.id}` },
    attributes: {
      type: "button", "aria-expanded": String(expanded), "aria-label": `Evidence of ${fullName(row)}`,
      "aria-controls": expanded ? evidenceId(row) : undefined,
    },
    on: { click: () => onExpand(row.id) },
  });
  const names = element("div", {}, element("span", { class: "account-name", text: row.name }));
  const second = row.account?.fileName || `${row.provider.includes(row.name) ? "" : `${row.provider} `}#${row.id}`;
  if (second !== row.name) names.append(element("span", { class: "quiet", text: second }));
  const hints = [row.keyHint, row.place].filter(Boolean).join(" ");
  if (hints) names.append(element("span", { class: "quiet mono", text: hints }));
  const flags = flagsText(row.account);
  if (flags) names.append(element("span", { class: "quiet", text: flags }));
  return element("th", { class: "name", attributes: { scope: "row" } }, element("div", {}, button, names));
}

/**
 * @param {Row} row
 * @param {RowHandlers} handlers
 */
function buttonsCell(row, { onSwitch, onDelete }) {
  const enabled = row.enabled !== false;
  const verb = enabled ? "Disable" : "Enable";
  const change = rowButton(row, verb, "switch", () => onSwitch(row.id, enabled));
  const wanted = row.action === (enabled ? "disable" : "enable");
  change.classList.toggle("wanted", wanted);
  explainDisabled(change, row.account ? switchRefusal(row.account) : "The account is no longer in the pool.");
  const remove = rowButton(row, "Delete", "delete", () => onDelete(row.id));
  remove.classList.add("danger-text");
  const refusal = row.account?.deletable ? "" : row.account?.deleteReason || "This account cannot be deleted.";
  explainDisabled(remove, row.account ? refusal : "The account is no longer in the pool.");
  return element("td", { class: "change" }, element("div", { class: "buttons" }, change, remove));
}

/**
 * @param {Row} row
 * @param {string} verb
 * @param {string} control
 * @param {() => void} act
 */
function rowButton(row, verb, control, act) {
  const button = element("button", {
    class: "plain small", text: verb, data: { control: `${control}-${row.id}` },
    attributes: { type: "button", "aria-label": `${verb} ${fullName(row)}` },
    on: { click: () => { if (button.getAttribute("aria-disabled") !== "true") act(); } },
  });
  return button;
}
