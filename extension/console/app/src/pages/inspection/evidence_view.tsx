import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { WITHHELD_PREVIEW } from "../../connection/api.js";
import { text, tokenText } from "../../language/catalogue.js";
import { formatLatency, formatPercent, formatStatus, formatTime, UNKNOWN } from "../../language/formats.js";
import { windowWords } from "../../language/quota_windows.js";
import { holdText, problemText, reasonsText } from "../../language/reasons.js";
import { Button } from "../../parts/button.js";
import { DrawerPart } from "../../parts/drawer.js";
import { Facts } from "../../parts/facts.js";
import { Meter } from "../../parts/meter.js";
import { Badge } from "../../parts/status.js";
import { useServices } from "../../shell/services.js";
import type { AccountsModel } from "./accounts_model.js";
import { RecentTicks } from "./columns.js";
import type { Result, Row } from "./rows.js";

const FAILED = 300;

/** Why an account has its status: reason, hold, requests, answer and quota. */
export function EvidenceView({ row, model }: { row: Row; model: AccountsModel }) {
  const { result } = row;
  if (!result) {
    return (
      <DrawerPart title={text("evidence.reason")}>
        <p>{text("evidence.not_checked")}</p>
      </DrawerPart>
    );
  }
  const headers = Object.entries(result.headers ?? {});
  return (
    <>
      {row.account?.onHold && <Hold row={row} run={result.run} />}
      <DrawerPart title={text("evidence.reason")}>
        <p>{reasonLine(result)}</p>
        <Remedy row={row} model={model} />
      </DrawerPart>
      {result.windows && result.windows.length > 0 && <Quota result={result} />}
      <DrawerPart title={text("evidence.requests")}>
        <Requests result={result} />
      </DrawerPart>
      {result.preview && (
        <DrawerPart title={text("evidence.preview")}>
          <pre class="code">{result.preview === WITHHELD_PREVIEW ? text("evidence.withheld") : result.preview}</pre>
        </DrawerPart>
      )}
      {headers.length > 0 && (
        <DrawerPart title={text("evidence.headers")}>
          <Facts rows={headers} />
        </DrawerPart>
      )}
      <DrawerPart title={text("accounts.recent")}>
        <RecentTicks id={row.id} model={model} />
      </DrawerPart>
    </>
  );
}

function reasonLine({ reasons, reason, at, run }: Result): string {
  const told = reasonsText(reasons, reason);
  const ended = /[.!?。]$/.test(told) ? told : `${told}.`;
  return text("evidence.checked", { reason: ended, time: formatTime(at), run: String(run) });
}

/** Why the recommended change is on hold; asked for when the drawer opens, because the list does not carry it. */
function Hold({ row, run }: { row: Row; run: number }) {
  const { client } = useServices();
  const reason = useSignal("");
  useEffect(() => {
    const read = async () => {
      const { held } = await client.get("inspections/held", { run });
      const entry = held.find(({ account }) => account === row.id);
      reason.value = entry ? holdText(entry, entry.reason) : "";
    };
    read().catch(() => {});
  }, [row.id, run]);
  const words = { action: tokenText("action", row.action), reason: reason.value };
  return (
    <DrawerPart title={text("evidence.on_hold")}>
      <p>{text("evidence.hold_waits", words).trim()}</p>
      <p class="quiet">{text("evidence.hold_remedy")}</p>
    </DrawerPart>
  );
}

/** Offer to check a key without a base URL at its vendor's public one. */
function Remedy({ row, model }: { row: Row; model: AccountsModel }) {
  const { info, notices } = useServices();
  const isAddressed = info.families.some(({ token, publicAddress }) => token === row.family && publicAddress);
  const isNeeded = row.status === "no_base_url" && row.account?.baseUrl === "" && isAddressed;
  if (!isNeeded || model.settings.current.value.familyDefaultAddress) return null;
  return (
    <Button
      size="small"
      onPress={() => {
        model.settings.change({ familyDefaultAddress: true });
        notices.show("address", { text: text("results.vendor_address"), isToast: true });
      }}
    >
      {text("evidence.use_vendor")}
    </Button>
  );
}

function Requests({ result }: { result: Result }) {
  if (!result.attempts) return <p class="quiet">{text("evidence.loading")}</p>;
  if (!result.attempts.length) return <p class="quiet">{text("accounts.not_sent")}</p>;
  return (
    <ul class="stack tight">
      {result.attempts.map(({ method, url, status, latencyMs, problem }, index) => (
        <li key={index} class="request">
          <Badge tone={status && status < FAILED ? "good" : "dead"}>{formatStatus(status)}</Badge>
          <bdi class="mono grow">
            {method} {url}
          </bdi>
          <span class="quiet number">{formatLatency(latencyMs)}</span>
          {problem && <p class="quiet">{problemText(problem)}</p>}
        </li>
      ))}
    </ul>
  );
}

function Quota({ result }: { result: Result }) {
  return (
    <DrawerPart title={text("evidence.quota")}>
      <table class="plain">
        <thead>
          <tr>
            {(["window", "used", "threshold", "resets"] as const).map((name) => (
              <th key={name} scope="col">
                {text(`evidence.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(result.windows ?? []).map(({ name, pool, used, threshold, resetsAt }) => (
            <tr key={`${pool} ${name}`}>
              <td>{windowWords(`${pool} ${name}`.trim())}</td>
              <td>
                {used !== null && <Meter percent={used} title={formatPercent(used)} />}
                {formatPercent(used, text("evidence.unknown"))}
              </td>
              <td>{formatPercent(threshold, text("evidence.none"))}</td>
              <td>{resetsAt ? formatTime(resetsAt) : UNKNOWN}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {result.resetsAt && <p>{text("evidence.usable_from", { time: formatTime(result.resetsAt) })}</p>}
    </DrawerPart>
  );
}
