import { loadCatalogue } from "./language/catalogue.js";
import { keepPresses } from "./layout/kept_press.js";
import { Shell } from "./shell/shell.js";
import { applyTheme, storedTheme } from "./shell/theme.js";

// frame/frame_check.js has shown the reason where the page cannot work
if (document.documentElement.dataset.frame !== "refused") {
  applyTheme(storedTheme());
  keepPresses();
  await loadCatalogue();
  await new Shell().start();
}
