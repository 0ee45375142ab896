import { needsKey } from "../connection/management_key.js";
import { text } from "../language/catalogue.js";
import { panelAddress } from "./panel_address.js";
import { useServices } from "./services.js";

/** Link to the panel of the gateway, where it has one. */
export function PanelLink() {
  const panel = panelAddress(useServices().config.settings, needsKey(), window.location.href);
  return panel ? (
    <a class="link" href={panel} target="_blank" rel="noreferrer">
      {text("settings.panel")}
    </a>
  ) : null;
}
