/** Shapes of the service's answers, generated from its OpenAPI description, and its constants. */

export type * from "../../../_generated_types.js";
export {
  ACTIVE_STATES,
  CSRF_HEADER,
  EVENT_TYPES,
  IDENTIFIERS,
  LANGUAGES,
  MODES_BY_SOURCE,
  OUTCOMES,
  SCHEDULE_LIMITS,
  SETTING_LIMITS,
  TOPICS,
  VERDICTS,
} from "../../../static/_generated_constants.js";
