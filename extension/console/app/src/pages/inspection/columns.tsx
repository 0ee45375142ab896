import { signal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { accountName } from "../../accounts/account_name.js";
import { statusMeaning, statusText, toneOf } from "../../accounts/status.js";
import { text, tokenText } from "../../language/catalogue.js";
import { clipped, formatTime } from "../../language/formats.js";
import { Button } from "../../parts/button.js";
import { Meter } from "../../parts/meter.js";
import { Badge, Status } from "../../parts/status.js";
import { Switch } from "../../parts/switch.js";
import type { Column } from "../../parts/table/columns.js";
import { Ticks } from "../../parts/ticks.js";
import type { AccountsModel } from "./accounts_model.js";
import { quotaOf } from "./evidence.js";
import { flagsOf, isHeldNow, needsSignIn, nextChange, switchRefusal, type Row } from "./rows.js";
import { assign } from "../../parts/assign.js";

/** Beside the side bar there is room for the name and little more. */
const isNarrow = matching("(max-width: 1000px)");
const isWide = matching("(min-width: 1700px)");
const RECENT = 20;
const WINDOWS = 2;

function matching(query: string): ReadonlySignal<boolean> {
  const media = window.matchMedia(query);
  const matches = signal(media.matches);
  media.addEventListener("change", () => assign(matches, media.matches));
  return matches;
}

/** Return the columns: the evidence takes the room that the others leave, in a narrow window the name. */
export function accountColumns(model: AccountsModel): Column<Row>[] {
  const name = { id: "name", title: text("columns.name"), sortBy: ({ name: written }: Row) => written, cell: NameCell };
  const status: Column<Row> = {
    id: "verdict",
    title: text("columns.verdict"),
    width: 148,
    sortBy: ({ rank }) => rank,
    cell: StatusCell,
  };
  const isOn: Column<Row> = {
    id: "enabled",
    title: text("accounts.on"),
    width: 60,
    align: "end",
    sortBy: ({ enabled }) => (enabled ? 0 : 1),
    cell: (row) => <SwitchCell row={row} model={model} />,
  };
  const evidence: Column<Row> = {
    id: "status",
    title: text("accounts.evidence"),
    least: 200,
    sortBy: ({ httpStatus }) => httpStatus,
    cell: EvidenceCell,
  };
  if (isNarrow.value) {
    return [{ ...name, least: 130 }, { ...status, width: 128 }, { ...evidence, width: 200, rank: 1 }, isOn];
  }
  return [
    { ...name, width: isWide.value ? 380 : 240 },
    status,
    evidence,
    {
      id: "host",
      title: text("hold.host"),
      width: isWide.value ? 220 : 150,
      rank: 3,
      sortBy: ({ host }) => host,
      cell: HostCell,
    },
    {
      id: "recent",
      title: text("accounts.recent"),
      width: 118,
      rank: 2,
      cell: (row) => <RecentCell row={row} model={model} />,
    },
    { id: "quota", title: text("evidence.quota"), width: 112, rank: 1, cell: QuotaCell },
    {
      id: "action",
      title: text("accounts.next_step"),
      width: 104,
      sortBy: ({ action }) => action,
      cell: (row) => <NextStep row={row} model={model} />,
    },
    isOn,
  ];
}

function NameCell({ name, tail, place, account }: Row) {
  const flags = flagsOf(account);
  return (
    <span class="named">
      <b title={clipped(name)}>
        <bdi>{clipped(name)}</bdi>
      </b>
      {tail && (
        <bdi
          class="mono quiet cut"
          title={[tail, place]
            .filter(Boolean)
            .map((part) => clipped(part))
            .join(", ")}
        >
          {clipped(tail)}
        </bdi>
      )}
      {flags.length > 0 && <span class="quiet cut">{flags.join(", ")}</span>}
    </span>
  );
}

function StatusCell({ status, tone }: Row) {
  return (
    <Status tone={tone} title={statusMeaning(status) || undefined}>
      {statusText(status)}
    </Status>
  );
}

function EvidenceCell(row: Row) {
  return (
    <bdi class="mono evidence" title={clipped(row.reason, 400)}>
      {clipped(row.evidence)}
    </bdi>
  );
}

function HostCell({ host, baseUrl }: Row) {
  return (
    <bdi class="quiet" title={clipped(baseUrl || host)}>
      {clipped(host)}
    </bdi>
  );
}

/** Last results of an account, read when the row comes into sight. */
function RecentCell({ row, model }: { row: Row; model: AccountsModel }) {
  const newest = row.account?.lastResult?.at ?? 0;
  useEffect(() => model.recent.want(row.id, newest), [row.id, newest]);
  return <RecentTicks id={row.id} model={model} />;
}

export function RecentTicks({ id, model }: { id: number; model: AccountsModel }) {
  const results = model.recent.of(id).value?.slice(0, RECENT) ?? [];
  const [last] = results;
  if (!last) return null;
  const tones = results.map(({ verdict }) => toneOf(verdict)).reverse();
  const good = tones.filter((tone) => tone === "good").length;
  const title = text("table.recent", { good, n: results.length, last: statusText(last.verdict) });
  return <Ticks tones={tones} title={title} />;
}

function QuotaCell({ result }: Row) {
  const windows = quotaOf(result?.reasons ?? []).slice(0, WINDOWS);
  if (!windows.length) return null;
  const reset = result?.resetsAt ? ` · ${text("evidence.usable_from", { time: formatTime(result.resetsAt) })}` : "";
  return (
    <span class="quota">
      {windows.map(({ name, used }) => (
        <span key={name}>
          <Meter percent={used} title={`${name} ${used} %${reset}`} />
          {used} %
        </span>
      ))}
    </span>
  );
}

/** What comes next: the sign-in of a person, or the change that the last check recommends, as a button. */
export function NextStep({ row, model }: { row: Row; model: AccountsModel }) {
  if (row.onHold) {
    return <Badge tone="unknown">{tokenText("state", isHeldNow(row) ? "on_hold" : "was_on_hold")}</Badge>;
  }
  const verb = nextChange(row);
  const { account } = row;
  if (account && model.canSignIn && needsSignIn(row)) {
    return (
      <Button
        size="small"
        tone="you"
        label={`${text("relogin.again")} ${accountName(account)}`}
        onPress={() => model.signIns.start([account])}
      >
        {text("relogin.again")}
      </Button>
    );
  }
  if (!verb || !account) return null;
  return (
    <Button
      size="small"
      tone={verb === "enable" ? "good" : "dead"}
      label={`${text(`bulk.${verb}`)} ${accountName(account)}`}
      onPress={() => model.change([{ verb, accounts: [account] }], { isRecommended: true })}
    >
      {text(`bulk.${verb}`)}
    </Button>
  );
}

export function SwitchCell({ row, model }: { row: Row; model: AccountsModel }) {
  const { account } = row;
  const refusal = account ? switchRefusal(account) : text("table.gone");
  return (
    <span title={refusal || undefined}>
      <Switch
        label={text("accounts.is_enabled", { name: account ? accountName(account) : row.name })}
        isOn={row.enabled !== false}
        isDisabled={Boolean(refusal)}
        onTurn={(isOn) => account && model.change([{ verb: isOn ? "enable" : "disable", accounts: [account] }])}
      />
    </span>
  );
}
