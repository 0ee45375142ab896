import english from "../../../../texts/en.json";
import { useCatalogue } from "../language/catalogue.js";

/** Put the English catalogue into use, in a test. */
export function speakEnglish(): void {
  useCatalogue("en", english);
}
