import { render } from "preact";
import { loadCatalogue } from "./language/catalogue.js";
import { Session } from "./session/session.js";
import { Shell } from "./shell/shell.js";
import { startPatterns } from "./shell/patterns.js";
import { applyTheme, storedTheme } from "./shell/theme.js";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/parts.css";
import "./styles/listing.css";
import "./styles/chart.css";
import "./styles/forms.css";
import "./styles/floating.css";
import "./styles/table.css";
import "./styles/accounts.css";
import "./styles/usage.css";
import "./styles/overview.css";
import "./styles/media.css";

const place = document.getElementById("app");

async function start(): Promise<void> {
  applyTheme(storedTheme());
  startPatterns();
  await loadCatalogue();
  const session = new Session();
  if (place) render(<Shell session={session} />, place);
  await session.start();
}

void start();
