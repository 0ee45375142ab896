import { tokenText } from "../../language/catalogue.js";
import type { ServiceName } from "./services.js";

const COLORS: Record<ServiceName, string> = {
  telegram: "#1d7fb8",
  slack: "#4a154b",
  discord: "#4650c7",
  feishu: "#0a7a4b",
  dingtalk: "#0b62c4",
  wecom: "#0a7a3c",
  email: "#5b6472",
  webhook: "#334155",
  other: "#5b6472",
};

/** First letter of a service in its color; its name stands beside it. */
export function ServiceGlyph({ name }: { name: ServiceName }) {
  return (
    <span class="glyph" style={{ background: COLORS[name] }} aria-hidden="true">
      {tokenText("channel_services", name).slice(0, 1)}
    </span>
  );
}
