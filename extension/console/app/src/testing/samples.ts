/** Answers of the service as tests need them: complete by their types, with the fields under test in place. */

import type {
  ActionView,
  BatchView,
  PlannedView,
  PlanView,
  ResultView,
  RunView,
  SlimAccountView,
} from "../connection/api.js";
import type { Settings } from "../run_settings/fields.js";

export type SampleAccount = Omit<SlimAccountView, "lastResult"> & { lastResult: ResultView | null };

export function account(fields: Partial<SampleAccount> = {}): SampleAccount {
  return {
    id: 1,
    accountSource: "api_key",
    family: "compat",
    displayName: "relay",
    keyHint: "",
    place: "",
    provider: "compatible-relay",
    label: "",
    compatName: "",
    baseUrl: "https://relay.example",
    fileName: "",
    enabled: true,
    runtimeOnly: false,
    listed: true,
    probeable: true,
    entries: 1,
    switch: "entry",
    switchReason: "",
    switchReasons: [],
    deletable: false,
    disabledBy: null,
    lastResult: null,
    neverProbe: false,
    managed: false,
    protected: false,
    onHold: false,
    ...fields,
  };
}

export function result(fields: Partial<ResultView> = {}): ResultView {
  return {
    seq: 1,
    run: 1,
    account: 1,
    accountSource: "api_key",
    family: "compat",
    displayName: "relay",
    keyHint: "",
    place: "",
    provider: "compatible-relay",
    baseUrl: "https://relay.example",
    enabled: true,
    verdict: "healthy",
    action: "keep",
    reason: "Answered.",
    reasons: [],
    status: 200,
    latencyMs: 12,
    attempts: [],
    preview: "",
    headers: {},
    at: 0,
    evidenceAt: 0,
    windows: [],
    resetsAt: null,
    ...fields,
  };
}

export function run(fields: Partial<RunView> = {}): RunView {
  return {
    id: 1,
    state: "running",
    accountSource: "api_key",
    targetType: "all",
    settings: {},
    total: 10,
    done: 0,
    verdicts: {},
    recommendations: { keep: 0, enable: 0, disable: 0, delete: 0 },
    startedAt: 0,
    finishedAt: null,
    startedBy: "page",
    reason: "",
    reasons: [],
    gatewaySecondsPerCall: null,
    schedule: null,
    onHold: 0,
    stillOnHold: 0,
    notCarriedOut: 0,
    ...fields,
  };
}

export function settings(fields: Partial<Settings> = {}): Settings {
  return {
    accountSource: "oauth",
    targetType: "all",
    apiKeyFamily: "all",
    providerFilter: "",
    probeModel: "",
    probePromptMode: "fixed",
    modelsPath: "auto",
    autoActionMode: "none",
    realtimeAutoActions: { disable: true, enable: true, delete: false },
    decisionPolicy: "first_phase",
    onQuota: "keep",
    onServerError: "keep",
    workers: 32,
    timeoutSeconds: 15,
    retries: 1,
    hostLimit: 0,
    sampleSize: 0,
    evidenceFirst: false,
    evidenceChecks: true,
    checkDepth: "connectivity",
    shortWindowPercent: 100,
    longWindowPercent: 100,
    brake: true,
    brakeShare: 0.5,
    brakeMinimum: 20,
    disableLimit: 0.5,
    disableMinimum: 20,
    keepAtLeast: 0,
    familyDefaultAddress: false,
    previewCharacters: 280,
    ...fields,
  };
}

export function planned(id: number, fields: Partial<PlannedView> = {}): PlannedView {
  return {
    account: id,
    displayName: `relay-${id}`,
    keyHint: "",
    place: "",
    action: "disable",
    reason: "",
    reasons: [],
    against: "",
    host: "relay.example",
    code: "",
    params: {},
    ...fields,
  };
}

export function plan(fields: Partial<PlanView> = {}): PlanView {
  return { applied: [], held: [], refused: [], already: [], notEnabled: [], losses: [], ...fields };
}

export function batch(fields: Partial<BatchView> = {}): BatchView {
  return {
    id: 7,
    run: null,
    cause: "request",
    actor: "page",
    actorKind: "person",
    state: "done",
    reason: "",
    reasons: [],
    total: 1,
    done: 1,
    planned: { change: 1, onHold: 0, refused: 0, already: 0, notEnabled: 0 },
    outcomes: { applied: 1 },
    at: 0,
    endedAt: 0,
    ...fields,
  };
}

export function action(fields: Partial<ActionView> = {}): ActionView {
  return {
    id: 1,
    account: 1,
    displayName: "relay",
    keyHint: "",
    place: "",
    action: "disable",
    outcome: "applied",
    text: "Disabled (verified).",
    texts: [],
    actor: "page",
    reason: "",
    reasons: [],
    at: 0,
    before: {},
    run: null,
    actorKind: "person",
    cause: "request",
    undoes: null,
    batch: 7,
    ...fields,
  };
}
