import { element } from "../../dom.js";
import { text } from "../../language/catalogue.js";
import { foldButton } from "../../layout/fold.js";

/** @import { Key } from "../../language/catalogue.js" */

/**
 * Build the parts of the inspection page, empty: the views fill them.
 *
 * @returns {HTMLElement[]}
 */
export function layout() {
  return [scopePanel(), runPanel(), followUpPanel(), resultsPanel(), sidePanel()];
}

function sidePanel() {
  return element("aside", {
    class: "side-panel", attributes: { id: "side-panel", "aria-labelledby": "side-heading", hidden: true },
  });
}

function scopePanel() {
  const counts = /** @type {const} */ (["total", "enabled", "disabled"]);
  return element("section", {
    class: "panel scope", data: { folded: "" }, attributes: { "aria-labelledby": "scope-heading" },
  },
    element("h1", { class: "visually-hidden", text: text("pages.inspection"), attributes: { id: "scope-heading" } }),
    element("fieldset", { class: "segments", attributes: { id: "source-switch" } },
      element("legend", { text: text("scope.source") }),
      sourceChoice("oauth", "scope.oauth"), sourceChoice("api_key", "scope.api_key")),
    foldButton("scope", text("fold.scope")),
    element("div", { class: "field folds" },
      element("label", { attributes: { for: "family", id: "family-label" } }),
      element("select", { attributes: { id: "family" } })),
    element("div", { class: "field grow folds", attributes: { id: "provider-filter-field" } },
      element("label", { text: text("scope.filter"), attributes: { for: "provider-filter" } }),
      searchField("provider-filter", "scope.filter_hint")),
    element("dl", {
      class: "capsule folds",
      attributes: { id: "capsule", "aria-label": text("scope.statistics"), "aria-live": "polite" },
    },
    ...counts.map((name) => element("div", {},
      element("dt", { text: text(`scope.${name}`) }), element("dd", { text: "–", data: { count: name } }))),
    element("div", { attributes: { id: "left-out", hidden: true } },
      element("dt", { text: text("scope.unsupported") }), element("dd", { text: "–" }))),
    button("refresh", "scope.refresh", "plain"));
}

/**
 * @param {string} value
 * @param {Key} key
 */
function sourceChoice(value, key) {
  return element("label", {},
    element("input", { attributes: { type: "radio", name: "accountSource", value } }),
    element("span", { text: text(key) }));
}

function runPanel() {
  return element("section", {
    class: "panel run", data: { folded: "" }, attributes: { "aria-labelledby": "run-heading" },
  },
    element("div", { class: "run-line" },
      element("h2", { text: text("run.heading"), attributes: { id: "run-heading" } }),
      // Before the state, so that no command appears where the start was.
      element("div", { class: "buttons" },
        button("finish", "run.finish", "plain", { hidden: true }),
        button("stop", "run.stop", "danger", { hidden: true }),
        button("resume", "run.resume", "plain", { hidden: true }),
        button("pause", "run.pause", "plain", { hidden: true })),
      element("p", { class: "run-state", attributes: { id: "run-state" } }),
      button("show-held", "run.show_held", "link", { hidden: true }),
      foldButton("run", text("fold.run")),
      button("start", "run.start", "primary")),
    element("div", { class: "progress", attributes: { id: "progress", hidden: true } },
      element("progress", { attributes: { id: "progress-bar", max: 1, value: 0, "aria-label": text("run.progress") } }),
      element("p", { attributes: { id: "progress-text" } }),
      element("p", { class: "quiet", attributes: { id: "progress-pace" } }),
      element("a", { attributes: { id: "failing", hidden: true } }),
      element("p", { class: "visually-hidden", attributes: { id: "progress-spoken", role: "status" } })),
    element("p", { class: "cost folds", attributes: { id: "cost", role: "status" } }),
    element("details", { class: "settings folds", attributes: { id: "settings" } },
      element("summary", {}, `${text("run.settings")} `,
        element("span", { class: "quiet", attributes: { id: "settings-summary" } })),
      element("form", { attributes: { id: "settings-form", novalidate: true } })));
}

function followUpPanel() {
  return element("section", {
    class: "panel follow-up", attributes: { "aria-labelledby": "follow-up-heading", id: "follow-up", hidden: true },
  },
  element("details", {},
    element("summary", {},
      element("h2", { text: text("follow_up.heading"), attributes: { id: "follow-up-heading" } }), " ",
      element("span", { class: "quiet", attributes: { id: "follow-up-summary" } })),
    element("div", { class: "drawer" })));
}

function resultsPanel() {
  return element("section", {
    class: "panel results", data: { folded: "" }, attributes: { "aria-labelledby": "results-heading" },
  },
    element("div", { class: "results-line" },
      element("h2", { attributes: { id: "results-heading", tabindex: -1 } }, `${text("results.heading")} `,
        element("span", { class: "quiet", attributes: { id: "count" } })),
      foldButton("results", text("fold.results")),
      element("div", { class: "field inline folds" },
        element("label", { text: text("results.show"), attributes: { for: "history" } }),
        element("select", { attributes: { id: "history" } })),
      element("div", { class: "field inline grow" },
        element("label", { text: text("results.search"), attributes: { for: "search" } }),
        searchField("search", "results.search_hint")),
      element("div", {
        class: "filters folds", attributes: { id: "filters", role: "group", "aria-label": text("filter.label") },
      }),
      element("div", { class: "table-tools folds", attributes: { id: "table-tools" } })),
    element("div", {
      class: "chips", attributes: { id: "verdicts", role: "group", "aria-label": text("results.by_status") },
    }),
    bulkBar(),
    element("table", { attributes: { id: "results", "aria-labelledby": "results-heading" } },
      element("thead"), element("tbody")),
    element("p", { class: "empty", attributes: { id: "empty", hidden: true } }),
    element("details", { class: "legend", attributes: { id: "legend" } },
      element("summary", { text: text("results.legend") }), element("dl")));
}

function bulkBar() {
  return element("div", { class: "bulk", attributes: { id: "bulk", role: "group", "aria-label": text("bulk.label") } },
    element("p", { text: text("bulk.nothing"), attributes: { id: "selected", role: "status" } }),
    element("div", { class: "changes" },
      button("disable-selected", "bulk.disable", "plain small", { disabled: true }),
      button("enable-selected", "bulk.enable", "plain small", { disabled: true }),
      button("delete-selected", "bulk.delete", "plain small danger-text", {
        "aria-disabled": "true", "aria-describedby": "delete-reason",
      })),
    element("p", { class: "quiet", attributes: { id: "delete-reason" } }));
}

/**
 * @param {string} id
 * @param {Key} hint
 */
function searchField(id, hint) {
  return element("input", {
    attributes: { id, type: "search", maxlength: 200, spellcheck: "false", placeholder: text(hint) },
  });
}

/**
 * @param {string} id
 * @param {Key} key
 * @param {string} look
 * @param {Record<string, string | boolean>} [attributes]
 */
function button(id, key, look, attributes = {}) {
  return element("button", { class: look, text: text(key), attributes: { id, type: "button", ...attributes } });
}
