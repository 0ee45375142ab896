import { readFileSync } from "node:fs";

import { useCatalogue } from "../../extension/console/static/language/catalogue.js";

/** Put the English catalogue into use. */
export function speakEnglish() {
  useCatalogue("en", JSON.parse(readFileSync(new URL("../../extension/texts/en.json", import.meta.url), "utf-8")));
}
