/**
 * Contract between the shell and a page.
 *
 * @typedef {object} PageContext
 * @property {import("../connection/client.js").Client} client reads and changes of the API
 * @property {typeof import("../language/catalogue.js").text} text texts of the language in use
 * @property {typeof import("../formatting.js")} format numbers, times and names, by `Intl`
 * @property {(page: string, query?: Record<string, string | number>) => Promise<void>} navigate goes to another page
 * @property {(tag: string | null) => Promise<void>} changeLanguage shows all in a language; null follows the browser
 * @property {import("./query_state.js").QueryState} query state of the page in its address
 * @property {import("./source_choice.js").SourceChoice} source account source in view, shared by all pages
 * @property {import("./live.js").Live} live events of the service
 * @property {import("../notices.js").Notices} notices messages above the page
 * @property {import("../settings/settings_store.js").SettingsStore} store settings of the next run
 * @property {import("../table/vocabulary.js").Vocabulary} vocabulary labels of statuses and families
 * @property {import("../../_generated_types.js").GatewayView} gateway the gateway behind the service
 * @property {import("../../_generated_types.js").ConfigAnswer} config settings of the service
 */

export {};
