import { loadCatalogue } from "./language/catalogue.js";
import { Shell } from "./shell/shell.js";
import { applyTheme, storedTheme } from "./shell/theme.js";

applyTheme(storedTheme());
await loadCatalogue();
await new Shell().start();
