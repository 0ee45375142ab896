import { flagsText } from "../actions/account_flags.js";
import { switchRefusal } from "../actions/change_plan.js";
import { element, explainDisabled } from "../dom.js";
import { accountName, clipped, formatLatency, formatStatus, formatTime } from "../formatting.js";
import { text, tokenText } from "../language/catalogue.js";
import { isHeldNow } from "./rows.js";
import { hasShift, keepText } from "./selection.js";
import { strip } from "./strip.js";
import { adviceOf, toneOf } from "./vocabulary.js";

/**
 * @import { Flag } from "../actions/account_flags.js"
 * @import { ColumnId } from "./columns.js"
 * @import { Row } from "./rows.js"
 * @import { Vocabulary } from "./vocabulary.js"
 * @typedef {"good" | "caution" | "neutral" | "bad" | "accent" | "none"} Tone
 */

/**
 * Callbacks of a row.
 *
 * @typedef {object} RowHandlers
 * @property {(id: number, selected: boolean, isRange: boolean) => void} onSelect
 * @property {(id: number) => void} onExpand
 * @property {(id: number, disabled: boolean) => void} onSwitch
 * @property {(id: number) => void} onDelete
 * @property {(id: number, flag: Flag, on: boolean) => void} onFlag
 * @property {(row: Row) => HTMLElement | null} offer
 * @property {(row: Row) => Promise<string>} readHold reason that the change of an account is on hold
 */

/** @typedef {{expanded: boolean, selected: boolean, current: boolean, index: number, recent: string[]}} RowState */

/**
 * Build the line of a row.
 *
 * @param {Row} row
 * @param {RowState} state
 * @param {Vocabulary} vocabulary
 * @param {RowHandlers} handlers
 * @returns {HTMLElement}
 */
export function rowNode(row, state, vocabulary, handlers) {
  return element("tr", {
    class: state.current ? "current" : "", data: { account: String(row.id), verdict: row.verdict },
    attributes: { "aria-rowindex": state.index + 2, "aria-selected": String(state.selected) },
    on: { click: (event) => { if (isOnRow(event)) handlers.onExpand(row.id); } },
  },
  selectCell(row, state, handlers), nameCell(row, state, handlers),
  pillCell("verdict", vocabulary.verdict(row.verdict), row.verdict ? toneOf(row.verdict) : "none",
    vocabulary.meaning(row.verdict)),
  pillCell("action", ...adviceOf(row, isHeldNow(row))),
  stateCell(row, handlers),
  cell("reason", withoutLabel(row.reason, vocabulary.verdict(row.verdict)) || "–", row.reason),
  cell("status", String(row.status || "–"), formatStatus(row.status)),
  cell("latencyMs", formatLatency(row.latencyMs)), cell("at", formatTime(row.result?.at)),
  element("td", { class: "recent" }, strip(state.recent, vocabulary)),
  cell("family", vocabulary.family(row.family)), cell("baseUrl", row.baseUrl.replace(/^https?:\/\//, "") || "–"),
    cell("place", row.place || "–"),
  changeCell(row, handlers));
}

/**
 * Return whether a click is on the row itself: on none of its controls or their cells, and not the end of a selection
 * of text.
 *
 * @param {Event} event
 */
function isOnRow({ target }) {
  const isOnControl = target instanceof Element && target.closest("button, .select, .change");
  return !isOnControl && (document.getSelection()?.isCollapsed ?? true);
}

/**
 * Full name of the account of a row, clipped.
 *
 * @param {Row} row
 */
export function fullName(row) {
  return clipped(accountName(row.account ?? { id: row.id, displayName: row.name, keyHint: row.keyHint }));
}

/**
 * Text of the state of an account, as a token.
 *
 * @param {boolean | null} enabled
 */
export function stateToken(enabled) {
  return enabled === null ? "unknown" : enabled ? "enabled" : "disabled";
}

/**
 * Leave out the status at the head of a reason, which the row shows already.
 *
 * @param {string} reason
 * @param {string} label of the status
 */
export function withoutLabel(reason, label) {
  const rest = [": ", "："].map((mark) => `${label}${mark}`).find((head) => label && reason.startsWith(head));
  if (!rest) return reason;
  const [first = "", ...others] = reason.slice(rest.length);
  return first.toLocaleUpperCase() + others.join("");
}

/**
 * @param {ColumnId} column
 * @param {string} content
 * @param {string} [whole] shown by a pointer that rests on it
 */
function cell(column, content, whole = content) {
  return element("td", {
    class: column, data: { label: text(`columns.${column}`) }, attributes: { title: clipped(whole) },
  }, element("bdi", { text: clipped(content) }));
}

/**
 * @param {ColumnId} column
 * @param {string} content
 * @param {Tone} tone
 * @param {string} [meaning]
 */
function pillCell(column, content, tone, meaning) {
  return element("td", {
    class: column, data: { label: text(`columns.${column}`) }, attributes: { title: meaning || undefined },
  },
    element("span", { class: "pill", text: content, data: { tone } }));
}

/**
 * State of an account with its marks. The reason that it is on hold is asked for when a pointer comes to it: the list
 * of accounts does not carry it.
 *
 * @param {Row} row
 * @param {Pick<RowHandlers, "readHold">} handlers
 */
function stateCell(row, { readHold }) {
  const { enabled, account, onHold } = row;
  const [token, isHeld] = [stateToken(enabled), isHeldNow(row)];
  const held = isHeld ? text("state.on_hold") : onHold && text("state.was_on_hold");
  const marks = [held, flagsText(account)].filter(Boolean).join(", ");
  const node = element("td", {
    class: "enabled", data: { label: text("columns.enabled") }, attributes: { title: marks },
  },
    element("span", { class: "state", text: tokenText("state", token), data: { state: token } }),
    ...(marks ? [element("span", { class: "marks", text: marks })] : []));
  if (isHeld) {
    const explain = () => {
      if (node.title !== marks) return;
      readHold(row).then((reason) => { if (reason) node.title = `${marks}\n${reason}`; }, () => {});
    };
    node.addEventListener("pointerenter", explain);
  }
  return node;
}

/**
 * @param {Row} row
 * @param {RowState} state
 * @param {RowHandlers} handlers
 */
function selectCell(row, { selected }, { onSelect }) {
  const said = text("table.select", { name: fullName(row) });
  const box = element("input", {
    data: { control: `select-${row.id}` },
    attributes: { type: "checkbox", "aria-label": said, disabled: !row.account },
    on: { click: (event) => { box.focus(); onSelect(row.id, box.checked, hasShift(event)); } },
  });
  box.checked = selected;
  return element("td", { class: "select", on: { mousedown: keepText } }, element("label", {}, box));
}

/**
 * @param {Row} row
 * @param {RowState} state
 * @param {RowHandlers} handlers
 */
function nameCell(row, { expanded }, { onExpand }) {
  const name = clipped(row.name);
  const second = clipped(row.keyHint || row.account?.fileName || (row.place ? "" : `#${row.id}`));
  const button = element("button", {
    class: "expand", data: { control: `expand-${row.id}` },
    attributes: {
      type: "button", "aria-expanded": String(expanded), title: name,
      "aria-label": text("table.evidence", { name: fullName(row) }),
    },
    on: { click: () => onExpand(row.id) },
  }, element("bdi", { class: "account-name", text: name }));
  const kind = row.keyHint ? "key-hint" : "file-name";
  const hint = second === name || !second ? [] : [element("bdi", {
    class: `quiet mono ${kind}`, text: second,
    attributes: { title: row.keyHint && row.place ? `${second}, ${clipped(row.place)}` : second },
  })];
  const place = row.place && clipped(row.place) !== second ? [element("span", {
    class: "quiet mono place-hint", attributes: { title: clipped(row.place) },
  }, element("bdi", { text: clipped(row.place) }))] : [];
  return element("th", { class: "name", attributes: { scope: "row" } }, element("div", {}, button, ...hint, ...place));
}

/**
 * @param {Row} row
 * @param {RowHandlers} handlers
 */
function changeCell(row, handlers) {
  return element("td", { class: "change" }, switchButton(row, handlers));
}

/**
 * Button that enables or disables the account of a row.
 *
 * @param {Row} row
 * @param {Pick<RowHandlers, "onSwitch">} handlers
 */
export function switchButton(row, { onSwitch }) {
  const enabled = row.enabled !== false;
  const change = rowButton(row, enabled ? "disable" : "enable", "switch", () => onSwitch(row.id, enabled));
  change.classList.toggle("wanted", !row.onHold && row.action === (enabled ? "disable" : "enable"));
  explainDisabled(change, row.account ? switchRefusal(row.account) : text("table.gone"));
  return change;
}

/**
 * Button that deletes the file of a row; disabled with the reason where that is not possible.
 *
 * @param {Row} row
 * @param {Pick<RowHandlers, "onDelete">} handlers
 */
export function deleteButton(row, { onDelete }) {
  const remove = rowButton(row, "delete", "delete", () => onDelete(row.id));
  remove.classList.add("danger-text");
  const refusal = row.account?.deletable ? "" : text("bulk.keys_kept");
  explainDisabled(remove, row.account ? refusal : text("table.gone"));
  return remove;
}

/**
 * @param {Row} row
 * @param {"disable" | "enable" | "delete"} verb
 * @param {string} control
 * @param {() => void} act
 */
function rowButton(row, verb, control, act) {
  const said = text(`bulk.${verb}`);
  const button = element("button", {
    class: "plain small", text: said, data: { control: `${control}-${row.id}` },
    attributes: { type: "button", "aria-label": `${said} ${fullName(row)}` },
    on: { click: () => { if (button.getAttribute("aria-disabled") !== "true") act(); } },
  });
  return button;
}
