import { comparisonOf, conditionOf, NO_FILTERS } from "../../extension/console/static/table/query.js";

/**
 * Answers of the service as the tests need them: complete by their types, with the fields under test given.
 *
 * @import { ResultView, RunView } from "../../extension/console/_generated_types.js"
 * @import { Account } from "../../extension/console/static/table/rows.js"
 * @import { Settings } from "../../extension/console/static/settings/fields.js"
 */

/**
 * @param {Partial<Account>} [given]
 * @returns {Account}
 */
export function account(given = {}) {
  return {
    id: 1, accountSource: "api_key", family: "compat", displayName: "relay", keyHint: "", place: "",
    provider: "compatible-relay", label: "",
    compatName: "", baseUrl: "https://relay.example", fileName: "", enabled: true, runtimeOnly: false, listed: true,
    probeable: true, entries: 1, switch: "entry", switchReason: "", switchReasons: [],
    deletable: false,
    disabledBy: null, lastResult: null, neverProbe: false, managed: false, protected: false, onHold: false, ...given,
  };
}

/**
 * @param {Partial<ResultView>} [given]
 * @returns {ResultView}
 */
export function result(given = {}) {
  return {
    seq: 1, run: 1, account: 1, accountSource: "api_key", family: "compat", displayName: "relay",
    keyHint: "", place: "", provider: "compatible-relay", baseUrl: "https://relay.example", enabled: true,
    verdict: "healthy", action: "keep",
    reason: "Answered.", status: 200, latencyMs: 12, attempts: [], preview: "", headers: {}, at: 0, windows: [],
    resetsAt: null, reasons: [], ...given,
  };
}

/**
 * @param {Partial<RunView>} [given]
 * @returns {RunView}
 */
export function run(given = {}) {
  return {
    id: 1, state: "running", accountSource: "api_key", targetType: "all", settings: {}, total: 10, done: 0,
    verdicts: {}, recommendations: { keep: 0, enable: 0, disable: 0, delete: 0 }, startedAt: 0, finishedAt: null,
    startedBy: "page", reason: "", reasons: [], gatewaySecondsPerCall: null, schedule: null, onHold: 0, stillOnHold: 0,
    notCarriedOut: 0, ...given,
  };
}

/**
 * @param {Partial<Settings>} [given]
 * @returns {Settings}
 */
export function settings(given = {}) {
  return {
    accountSource: "oauth", targetType: "all", apiKeyFamily: "all", providerFilter: "", probeModel: "",
    probePromptMode: "fixed", modelsPath: "auto", autoActionMode: "none",
    realtimeAutoActions: { disable: true, enable: true, delete: false }, decisionPolicy: "first_phase", onQuota: "keep",
    onServerError: "keep", workers: 32, timeoutSeconds: 15, retries: 1, hostLimit: 0, sampleSize: 0,
    evidenceFirst: false, evidenceChecks: true, checkDepth: "connectivity", shortWindowPercent: 100,
    longWindowPercent: 100, brake: true, brakeShare: 0.5,
    brakeMinimum: 20, disableLimit: 0.5, disableMinimum: 20, keepAtLeast: 0,
    familyDefaultAddress: false, previewCharacters: 280, ...given,
  };
}

/**
 * @param {import("../../extension/console/static/table/query.js").Row[]} rows
 * @param {Partial<import("../../extension/console/static/table/query.js").Filters>} filters
 * @param {number} [now]
 */
export const filterRows = (rows, filters, now = 0) => rows.filter(conditionOf({ ...NO_FILTERS, ...filters }, now));

/**
 * @param {import("../../extension/console/static/table/query.js").Row[]} rows
 * @param {import("../../extension/console/static/table/query.js").Order} order
 * @param {string[]} verdicts
 */
export const sortRows = (rows, order, verdicts) => [...rows].sort(comparisonOf(order, verdicts));
