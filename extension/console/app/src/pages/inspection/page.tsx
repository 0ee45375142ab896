import { useSignal } from "@preact/signals";
import { Download, Play, RefreshCw, X } from "lucide";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { accountName } from "../../accounts/account_name.js";
import type { Source } from "../../connection/api.js";
import { store, stored } from "../../connection/browser_store.js";
import { explained } from "../../connection/problem.js";
import { saveFile } from "../../connection/save_file.js";
import { loadRest, text, tokenText } from "../../language/catalogue.js";
import { formatAge, formatCount, formatTime } from "../../language/formats.js";
import { Button } from "../../parts/button.js";
import { EmptyText } from "../../parts/empty_text.js";
import { lazy } from "../../parts/lazy.js";
import { Menu } from "../../parts/menu.js";
import { Segmented } from "../../parts/segmented.js";
import { Skeleton } from "../../parts/skeleton.js";
import { DataTable } from "../../parts/table/data_table.js";
import { Head, HeadSearch } from "../../shell/head.js";
import { useServices } from "../../shell/services.js";
import { switchSource } from "../../run_settings/stored_settings.js";
import { SOURCES } from "../../run_settings/fields.js";
import { AccountsModel, type Shown } from "./accounts_model.js";
import { accountColumns } from "./columns.js";
import { FilterRow, HealthBar } from "./filters.js";
import { KeyHelp, useKeys } from "./keyboard.js";
import { PlanLine } from "./plan_line.js";
import type { Filters } from "./query.js";
import type { Account, Row } from "./rows.js";
import { SelectionBar } from "./selection_bar.js";
import {
  filtersOf,
  numberOf,
  scopeOf,
  searchOf,
  settingsFor,
  tabScope,
  TABS,
  unusableValues,
  type Tab,
} from "./view_query.js";

const details = async () => (await Promise.all([import("./details.js"), loadRest()]))[0];
const AccountDrawer = lazy(async () => (await details()).AccountDrawer);
const ChangeDialog = lazy(async () => (await details()).ChangeDialog);
const RunDrawer = lazy(async () => (await details()).RunDrawer);
const SignInDialog = lazy(async () => (await details()).SignInDialog);
const TAB_KEY = "poolkeeper.accounts.tab";
const LONGEST_VALUE = 40;

/**
 * Accounts of both sources. The address holds the accounts in view (`source`, `family`, `provider`), the filters, the
 * order, the run whose results are shown, and what is open: `account` with `tab`, or `check`.
 */
export default function AccountsPage() {
  const services = useServices();
  const { router } = services;
  const model = useMemo(() => new AccountsModel(services), []);
  const isHelpOpen = useSignal(false);
  useEffect(() => {
    restoreTab(model, services.router);
    leaveOutUnusable(services, model.families);
    return model.connect();
  }, []);
  useKeys(model, isHelpOpen);
  const get = (name: string) => router.get(name);
  const filters = filtersOf(get, scopeOf(get, model.families));
  const shown = model.shown.value;
  const account = numberOf(router.get("account"));
  const opened = account === null ? undefined : (shown?.rows.find(({ id }) => id === account) ?? model.rowOf(account));
  const close = () => router.set({ account: "", tab: "", check: "" }, { push: true });
  const isDrawn = shown !== null;
  useEffect(() => {
    // Once the rows are there: what opens from them works when the service is away.
    if (isDrawn) void details().catch(() => {});
  }, [isDrawn]);
  const isChecking = Boolean(router.get("check"));
  const sizes = model.pool.extent.value.isWhole ? shown?.counts.sources : undefined;
  const isSettled = Boolean(filters.scope.source || sizes);
  // Before the next press: what is started is what the drawer shows.
  useLayoutEffect(() => {
    if (isChecking && isSettled) settleSource(model, filters, sizes);
  }, [isChecking, isSettled]);
  return (
    <>
      <AccountsHead model={model} filters={filters} shown={shown} />
      <div class="body accounts">
        <Missing model={model} account={account} isFound={opened !== undefined} />
        {shown && (
          <PlanLine model={model} filters={filters} counts={shown.counts} isWhole={model.pool.extent.value.isWhole} />
        )}
        <RunInView model={model} />
        <AccountCard model={model} filters={filters} shown={shown} />
      </div>
      {shown && <SelectionBar model={model} rows={shown.rows} />}
      {opened && !isChecking && <AccountDrawer key={opened.id} row={opened} model={model} onClose={close} />}
      {isChecking && <RunDrawer model={model} isSettled={isSettled} onClose={close} />}
      {model.changes.stage.value && <ChangeDialog changes={model.changes} />}
      {model.signIns.turn.value && <SignInDialog signIns={model.signIns} />}
      <KeyHelp isOpen={isHelpOpen} />
    </>
  );
}

function AccountsHead({ model, filters, shown }: { model: AccountsModel; filters: Filters; shown: Shown | null }) {
  const { router } = useServices();
  const { extent } = model.pool;
  const tab: Tab = filters.scope.source || "all";
  const { isWhole, readAt } = extent.value;
  const counts = shown?.counts;
  const sizes: Record<Tab, number | undefined> = {
    all: isWhole && counts ? counts.sources.api_key + counts.sources.oauth : (extent.value.total ?? undefined),
    api_key: isWhole ? counts?.sources.api_key : undefined,
    oauth: isWhole ? counts?.sources.oauth : undefined,
  };
  const isShown = (words: string) =>
    [...model.pool.accounts.peek().values()].some((each) => accountText(each).includes(words));
  return (
    <Head title={text("pages.inspection")}>
      <Segmented<Tab>
        label={text("scope.source")}
        value={tab}
        segments={TABS.map((value) => ({ value, label: text(`accounts.tab_${value}`), count: sizes[value] }))}
        onChange={(value) => chooseTab(model, router, value)}
      />
      <HeadSearch
        label={text("accounts.search")}
        value={filters.search}
        onSearch={(words) => router.set({ q: searchOf(words, isShown) })}
      />
      <span class="grow" />
      {counts && isWhole && <Capsule counts={counts} />}
      <Button kind="ghost" icon={RefreshCw} label={text("scope.refresh")} onPress={() => model.reload()} />
      <span class="visually-hidden">{text("scope.read_at", { time: formatTime(readAt) })}</span>
      <ExportMenu model={model} />
      <Button
        kind="primary"
        icon={Play}
        isDisabled={Boolean(model.runs.active)}
        onPress={() => router.set({ check: "true", account: "", tab: "" }, { push: true })}
      >
        {text("accounts.check_now")}
      </Button>
    </Head>
  );
}

/** Statistics of the accounts in view: total, enabled, disabled. */
function Capsule({ counts }: { counts: Shown["counts"] }) {
  const values = { total: counts.total, enabled: counts.enabled, disabled: counts.disabled };
  return (
    <dl class="capsule" aria-label={text("scope.statistics")}>
      {(["total", "enabled", "disabled"] as const).map((name) => (
        <div key={name}>
          <dt>{text(`scope.${name}`)}</dt>
          <dd>{formatCount(values[name])}</dd>
        </div>
      ))}
    </dl>
  );
}

function ExportMenu({ model }: { model: AccountsModel }) {
  const { client, notices } = useServices();
  const run = model.runInView.value?.run ?? model.runs.list.value.at(0);
  if (!run) return null;
  const items = (["csv", "jsonl"] as const).map((format) => ({
    label: text("report.file", { run: String(run.id), format: format.toUpperCase() }),
    act: () =>
      notices.attempt("export", async () => saveFile(await client.file("inspections/export", { run: run.id, format }))),
  }));
  return <Menu label={text("report.export")} icon={Download} items={items} />;
}

function AccountCard({ model, filters, shown }: { model: AccountsModel; filters: Filters; shown: Shown | null }) {
  const { router } = useServices();
  const { extent, problem } = model.pool;
  const open = ({ id }: Row) => router.set({ account: id, tab: "", check: "" }, { push: true });
  const failure = problem.value;
  const { isWhole } = extent.value;
  if (!shown) {
    return (
      <section class="card" aria-label={text("results.heading")}>
        {failure ? (
          <EmptyText title={explained(failure).message} hint={explained(failure).hint} isProblem>
            <Button onPress={() => model.reload()}>{text("shell.retry")}</Button>
          </EmptyText>
        ) : (
          <Skeleton rows={12} />
        )}
        {model.pool.isLate.value && <p class="padded quiet">{text("overview.waiting")}</p>}
      </section>
    );
  }
  return (
    <section class="card" aria-label={text("results.heading")}>
      <div class="filters">
        <HealthBar counts={shown.counts} isWhole={isWhole} />
        <FilterRow model={model} filters={filters} counts={shown.counts} isWhole={isWhole} />
      </div>
      <DataTable
        label={text("results.heading")}
        rows={shown.rows}
        isOrdered
        columns={accountColumns(model)}
        idOf={({ id }) => String(id)}
        nameOf={({ account, name }) => (account ? accountName(account) : name)}
        order={{ written: router.get("sort"), change: (sort) => router.set({ sort }) }}
        selection={model.selection}
        onOpen={open}
        isCurrent={({ id }) => String(id) === router.get("account")}
        isQuiet={({ enabled }) => enabled === false}
        empty={<EmptyText title={emptyText(model, filters, shown)} />}
      />
    </section>
  );
}

function emptyText(model: AccountsModel, { scope }: Filters, { counts }: Shown): string {
  if (!model.pool.extent.peek().isWhole) return text("empty.loading");
  if (counts.total) return text("results.no_match");
  if (model.runInView.peek()) return text("results.run_empty");
  if (scope.family !== "all" || scope.provider) return text("empty.no_match");
  return scope.source ? text(`empty.${scope.source}`) : text("accounts.empty");
}

/** Which run the list shows, with the way back to the newest results. */
function RunInView({ model }: { model: AccountsModel }) {
  const { router } = useServices();
  const run = model.runInView.value?.run;
  if (!run) return null;
  const label = text("results.run", {
    run: String(run.id),
    time: formatTime(run.startedAt),
    source: text(`scope.${run.accountSource}`),
    state: tokenText("run_state", run.state),
  });
  return (
    <p class="row">
      <span title={formatAge(Date.now() - run.startedAt)}>{label}</span>
      <Button size="small" icon={X} onPress={() => router.set({ run: "" }, { push: true })}>
        {text("results.pool")}
      </Button>
    </p>
  );
}

/** Entries that cannot be checked, and an account of the address that is not there. */
function Missing({ model, account, isFound }: { model: AccountsModel; account: number | null; isFound: boolean }) {
  const { notices, router } = useServices();
  const { isWhole, skipped } = model.pool.extent.value;
  useEffect(() => {
    if (!skipped.length) {
      notices.clear("skipped");
      return;
    }
    notices.show("skipped", {
      level: "warning",
      text: text("scope.unsupported_entries", { n: skipped.length }),
      details: skipped.map(({ name, reason }) => `${name}: ${reason}`),
    });
  }, [skipped.length]);
  const isMissing = account !== null && isWhole && !isFound;
  const lastOpen = useRef<number | null>(null);
  useEffect(() => {
    if (isFound) lastOpen.current = account;
    if (isMissing && lastOpen.current === account) {
      // It was open when it went.
      router.set({ account: "", tab: "" });
      return;
    }
    if (!isMissing) {
      notices.clear("linked-account");
      return;
    }
    notices.show("linked-account", {
      level: "warning",
      text: text("results.account_unknown", { account: String(account) }),
      action: { label: text("results.forget"), act: () => router.set({ account: "" }) },
    });
  }, [isMissing, isFound, account]);
  return null;
}

type Router = ReturnType<typeof useServices>["router"];

/** Show the accounts of a source as they were last chosen there; the next run checks them as well. */
function chooseTab(model: AccountsModel, router: Router, tab: Tab, { push = true } = {}): void {
  store(TAB_KEY, tab);
  const settings = model.settings.current.peek();
  const scope = tabScope(tab, settings);
  model.settings.replace(settingsFor(settings, scope));
  const { source, family, provider } = scope;
  router.set({ source, family: family === "all" ? "" : family, provider }, { push });
}

/** A run checks the accounts in view; where both sources are, those of one that has accounts. */
function settleSource(model: AccountsModel, { scope }: Filters, sizes?: Record<Source, number>): void {
  const settings = model.settings.current.peek();
  const filled = SOURCES.find((source) => sizes?.[source]);
  if (!scope.source && !sizes?.[settings.accountSource] && filled) {
    model.settings.replace(switchSource(settings, filled));
  } else model.settings.replace(settingsFor(settings, scope));
}

/** Open on the source that was chosen last, unless the address names something. */
function restoreTab(model: AccountsModel, router: Router): void {
  if (router.query.peek().size) return;
  const choice = stored(TAB_KEY);
  const tab = TABS.find((name) => name === choice);
  if (tab) chooseTab(model, router, tab, { push: false });
}

function leaveOutUnusable({ router, notices }: ReturnType<typeof useServices>, families: readonly string[]): void {
  const odd = unusableValues((name) => router.query.peek().get(name) ?? "", families);
  if (!odd.length) return;
  const values = odd.map(([name, value]) => `${name}=${value.slice(0, LONGEST_VALUE)}`).join(", ");
  notices.show("link", { level: "warning", text: text("shell.link_values", { values }) });
  router.set(Object.fromEntries(odd.map(([name]) => [name, ""])));
}

function accountText({ displayName, fileName, baseUrl, place, label, provider }: Account): string {
  return [displayName, fileName, baseUrl, place, label, provider].join(" ").toLowerCase();
}
