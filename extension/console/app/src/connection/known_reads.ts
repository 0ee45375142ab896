/** Reads that the service answers from the gateway, and error codes of a gateway that does not answer. */
export const FROM_GATEWAY = ["pool", "pool/overview"];
export const SILENT = ["gateway_unavailable", "gateway_timed_out"];

/** Read of the events themselves, in place of the stream. */
export const EVENTS = "inspections/events";

/** Paths that are posted to without changing anything. */
export const QUESTIONS = ["pool/plan", "inspections/cost"];
