import { loadCatalogue } from "./language/catalogue.js";
import { Shell } from "./shell/shell.js";
import { applyTheme, storedTheme } from "./shell/theme.js";

// frame/frame_check.js has shown the reason where the page cannot work
if (document.documentElement.dataset.frame !== "refused") {
  applyTheme(storedTheme());
  await loadCatalogue();
  await new Shell().start();
}
