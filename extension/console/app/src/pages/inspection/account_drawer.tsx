import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { accountName } from "../../accounts/account_name.js";
import { accountAddress } from "../../accounts/address.js";
import { statusText, toneOf } from "../../accounts/status.js";
import { outcomeText, outcomeTone } from "../../actions/outcome.js";
import { text, tokenText } from "../../language/catalogue.js";
import { clipped, formatActor, formatLatency, formatStatus, formatTime } from "../../language/formats.js";
import { reasonsText } from "../../language/reasons.js";
import { Button } from "../../parts/button.js";
import { Content } from "../../parts/content.js";
import { Drawer, DrawerPart } from "../../parts/drawer.js";
import { Facts } from "../../parts/facts.js";
import { Segmented } from "../../parts/segmented.js";
import { Badge, Status, StatusDot } from "../../parts/status.js";
import { PanelLink } from "../../shell/panel_link.js";
import { useReading } from "../../shell/reading.js";
import { useServices } from "../../shell/services.js";
import type { AccountsModel } from "./accounts_model.js";
import { NextStep, SwitchCell } from "./columns.js";
import { EntryDialog } from "./entry_dialog.js";
import { EvidenceView } from "./evidence_view.js";
import { switchRefusal, type Account, type Row } from "./rows.js";
import { UsageView } from "./usage_view.js";
import { DRAWER_TABS } from "./view_query.js";
import { assign } from "../../parts/assign.js";

const RESULTS = 100;
const ACTIONS = 50;
const LONGEST_FACT = 400;

/** One account: evidence, history, usage and configuration, each with its own address. */
export function AccountDrawer({ row, model, onClose }: { row: Row; model: AccountsModel; onClose: () => void }) {
  const { router, notices } = useServices();
  const tab = DRAWER_TABS.find((name) => name === router.get("tab")) ?? "evidence";
  const { account, result } = row;
  useEffect(() => {
    if (result && !result.attempts) void notices.attempt("evidence", () => model.pool.readEvidence(result));
    model.recent.want(row.id, result?.at ?? 0);
  }, [result?.seq, result?.attempts === undefined]);
  const copy = async () => {
    const address = new URL(accountAddress(row.id), window.location.href).href;
    await navigator.clipboard.writeText(address);
    notices.show("copied", { text: text("accounts.copied"), isToast: true });
  };
  const head = (
    <>
      <div class="row">
        <Badge tone={row.tone}>
          <StatusDot tone={row.tone} />
          {statusText(row.status)}
        </Badge>
        <bdi class="quiet grow cut">{clipped(row.host)}</bdi>
        <NextStep row={row} model={model} />
        <SwitchCell row={row} model={model} />
      </div>
      <Segmented
        label={text("accounts.parts")}
        value={tab}
        segments={DRAWER_TABS.map((value) => ({ value, label: text(`accounts.tab_${value}`) }))}
        onChange={(value) => router.set({ tab: value === "evidence" ? "" : value })}
      />
    </>
  );
  const foot = (
    <>
      {account?.deletable && (
        <Button tone="dead" onPress={() => model.change([{ verb: "delete", accounts: [account] }])}>
          {text("bulk.delete")}
        </Button>
      )}
      <span class="grow" />
      {account?.deletable && model.canSignIn && (
        <Button onPress={() => model.signIns.start([account])}>{text("relogin.again")}</Button>
      )}
      <Button onPress={copy}>{text("accounts.copy_link")}</Button>
    </>
  );
  return (
    <Drawer title={<Title row={row} />} head={head} foot={foot} onClose={onClose}>
      {tab === "evidence" && <EvidenceView row={row} model={model} />}
      {tab === "history" && <History id={row.id} />}
      {tab === "usage" && <UsageView row={row} />}
      {tab === "configuration" && <Configuration account={account} model={model} />}
    </Drawer>
  );
}

function Title({ row }: { row: Row }) {
  return (
    <span class="named">
      <bdi>{clipped(row.name)}</bdi>
      {row.tail && <bdi class="mono quiet">{clipped(row.tail)}</bdi>}
    </span>
  );
}

/** Results of the account in any run, and the changes made to it. */
function History({ id }: { id: number }) {
  const key = String(id);
  const results = useReading(
    async (client) => (await client.get("pool/recent", { account: id, limit: RESULTS })).accounts.at(0)?.results ?? [],
    { key, on: ["run.state"] },
  );
  const actions = useReading((client) => client.get("pool/actions", { account: id, limit: ACTIONS }), {
    key,
    on: ["action"],
  });
  return (
    <>
      <DrawerPart title={text("accounts.checks")}>
        <Content reading={results}>
          {(list) =>
            list.length ? (
              <table class="plain">
                <thead>
                  <tr>
                    {(["run", "time", "status", "http", "latency"] as const).map((name) => (
                      <th key={name} scope="col">
                        {text(`history.${name}`)}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {list.map(({ run, at, verdict, status, latencyMs }) => (
                    <tr key={run}>
                      <td>{run}</td>
                      <td>{formatTime(at)}</td>
                      <td>
                        <Status tone={toneOf(verdict)}>{statusText(verdict)}</Status>
                      </td>
                      <td>{formatStatus(status)}</td>
                      <td>{formatLatency(latencyMs)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            ) : (
              <p class="quiet">{text("side.no_history")}</p>
            )
          }
        </Content>
      </DrawerPart>
      <DrawerPart title={text("accounts.changes")}>
        <Content reading={actions}>
          {({ actions: list }) => (
            <ul class="stack tight">
              {!list.length && <li class="quiet">{text("log.none")}</li>}
              {list.map(({ id: number, action, outcome, at, actor, reason, reasons, text: written, texts }) => (
                <li key={number}>
                  <Status tone={outcomeTone(outcome)}>{outcomeText(outcome)}</Status> {tokenText("action", action)} ·{" "}
                  {formatTime(at)} · {formatActor(actor)}
                  <p class="quiet">
                    {[reasonsText(reasons, reason), reasonsText(texts, written)].filter(Boolean).join(" · ")}
                  </p>
                </li>
              ))}
            </ul>
          )}
        </Content>
      </DrawerPart>
    </>
  );
}

const FLAGS = ["neverProbe", "managed", "protected"] as const;

/** Where the account stands and how runs treat it. */
function Configuration({ account, model }: { account: Account | null; model: AccountsModel }) {
  const isEditing = useSignal(false);
  if (!account) return <p>{text("evidence.gone")}</p>;
  return (
    <>
      <Facts rows={factsOf(account).map(([name, value]) => [name, clipped(value, LONGEST_FACT)])} />
      <div class="choices">
        {FLAGS.map((flag) => (
          <label key={flag}>
            <input
              type="checkbox"
              aria-label={`${text(`flag.${flag}`)}: ${accountName(account)}`}
              checked={account[flag]}
              onChange={({ currentTarget }) => model.setFlag(account.id, flag, currentTarget.checked)}
            />
            <span>
              {text(`flag.${flag}`)}
              <small>{text(`flag_hint.${flag}`)}</small>
            </span>
          </label>
        ))}
      </div>
      <p class="row">
        {account.accountSource === "api_key" && model.canEdit && (
          <Button onPress={() => assign(isEditing, true)}>{text("entry.edit")}</Button>
        )}
        <PanelLink />
      </p>
      {isEditing.value && <EntryDialog account={account.id} onClose={() => assign(isEditing, false)} />}
    </>
  );
}

function factsOf(account: Account): [string, string][] {
  const facts: [string, string][] = [
    [text("fact.key"), account.keyHint],
    [text("fact.place"), account.place === account.fileName ? "" : account.place],
    [text("fact.provider"), account.provider],
    [text("fact.label"), account.label],
    [text("fact.instance"), account.compatName],
    [text("fact.file"), account.fileName],
    [text("fact.base_url"), account.baseUrl],
    [text("fact.entries"), account.entries > 1 ? text("fact.entry_count", { n: account.entries }) : ""],
    [text("fact.no_switch"), switchRefusal(account)],
    [text("fact.no_delete"), account.deletable ? "" : text("bulk.keys_kept")],
    [text("fact.disabled_by"), disabledByText(account)],
  ];
  return facts.filter(([, value]) => value);
}

/** Phrase the action that disabled an account: actor, time and reason; empty without one. */
function disabledByText({ disabledBy }: Account): string {
  if (!disabledBy) return "";
  const parts = { actor: formatActor(disabledBy.actor), time: formatTime(disabledBy.at) };
  const reason = reasonsText(disabledBy.reasons, disabledBy.reason);
  return reason ? text("fact.disabled_why", { ...parts, reason }) : text("fact.disabled_at", parts);
}
