/** Shapes of the service's answers, generated from its OpenAPI description, and its constants. */

export type * from "../../../_generated_types.js";
export {
  ACTIVE_STATES,
  CSRF_HEADER,
  DISABLED_REASONS,
  EVENT_TYPES,
  IDENTIFIERS,
  LANGUAGES,
  MODES_BY_SOURCE,
  OLD_RESULT_MS,
  OUTCOMES,
  RECOMMENDATIONS,
  RESUMABLE_STATES,
  SCHEDULE_LIMITS,
  SETTING_LIMITS,
  TOPICS,
  VENDORS,
  VERDICTS,
  WITHHELD_PREVIEW,
} from "../../../static/_generated_constants.js";
