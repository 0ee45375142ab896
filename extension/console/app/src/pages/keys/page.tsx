import { Plus } from "lucide";
import { LEAST, formatShort } from "../../language/amounts.js";
import { text } from "../../language/catalogue.js";
import { formatAge, formatCount, formatTime, UNKNOWN } from "../../language/formats.js";
import { Button } from "../../parts/button.js";
import { Content } from "../../parts/content.js";
import { EmptyText } from "../../parts/empty_text.js";
import { Status } from "../../parts/status.js";
import type { Column } from "../../parts/table/columns.js";
import { DataTable } from "../../parts/table/data_table.js";
import { Head, HeadSearch } from "../../shell/head.js";
import { pageAddress } from "../../shell/pages.js";
import { useReading } from "../../shell/reading.js";
import { useServices } from "../../shell/services.js";
import { useNow } from "../../shell/use_now.js";
import { BudgetDrawer } from "./budget_drawer.js";
import { BudgetsCard } from "./budgets_card.js";
import { ChangesCard } from "./changes_card.js";
import { CreateDrawer } from "./create_drawer.js";
import { KeyDrawer } from "./drawer.js";
import { rowsOf, shortOf, spendText, titleOf, type KeyRow } from "./model.js";
import { readKeys } from "./read_keys.js";

/**
 * Client keys with name, spend and last use. The address holds `search`, `sort`, and what is open: `edit`, a
 * fingerprint, `new` for a name, `create` for a key, or `budget`.
 */
export default function KeysPage() {
  const { router } = useServices();
  const now = useNow();
  const search = router.get("search").slice(0, 200);
  const reading = useReading((client) => readKeys(client, Date.now()), { on: ["alias", "client_key", "price"] });
  const keys = reading.value.value;
  const edit = router.get("edit");
  const clientKeys = keys?.clientKeys;
  const open = (fingerprint: string) => router.set({ edit: fingerprint }, { push: true });
  return (
    <>
      <Head title={text("pages.keys")}>
        <HeadSearch label={text("keys.find")} value={search} onSearch={(words) => router.set({ search: words })} />
        <span class="grow" />
        <Button onPress={() => open("new")}>{text("keys.name_key")}</Button>
        {clientKeys?.supported && (
          <Button kind="primary" icon={Plus} onPress={() => open("create")}>
            {text("keys.create")}
          </Button>
        )}
      </Head>
      <div class="body">
        {clientKeys?.supported && !clientKeys.keys.length && <p class="problem">{text("keys.open_to_all")}</p>}
        <section class="card" aria-label={text("pages.keys")}>
          <Content reading={reading}>
            {(value) => (
              <DataTable
                label={text("pages.keys")}
                rows={rowsOf(value, search)}
                columns={keyColumns(now, value.isPartial, open)}
                idOf={({ fingerprint }) => fingerprint}
                nameOf={titleOf}
                order={{ written: router.get("sort"), change: (sort) => router.set({ sort }) }}
                onOpen={({ fingerprint }) => open(fingerprint)}
                isCurrent={({ fingerprint }) => fingerprint === edit}
                empty={<EmptyText title={text(search ? "console.nothing_matches" : "keys.empty")} />}
              />
            )}
          </Content>
        </section>
        <p class="quiet">
          {text("keys.hint")} {clientKeys?.supported === false && text("keys.elsewhere")}
        </p>
        {keys && <BudgetsCard budgets={keys.budgets} onAdd={() => open("budget")} />}
        {keys && <ChangesCard clientKeys={keys.clientKeys} aliases={keys.aliases} />}
      </div>
      <OpenDrawer edit={edit} rows={keys ? rowsOf(keys) : []} refresh={reading.refresh} />
    </>
  );
}

function OpenDrawer({ edit, ...props }: { edit: string; rows: readonly KeyRow[]; refresh: () => Promise<void> }) {
  const { router } = useServices();
  const { rows, refresh } = props;
  const onClose = () => router.set({ edit: "" }, { push: true });
  if (edit === "create") return <CreateDrawer refresh={refresh} onClose={onClose} />;
  if (edit === "budget") return <BudgetDrawer rows={rows} refresh={refresh} onClose={onClose} />;
  const row = rows.find(({ fingerprint }) => fingerprint === edit);
  return edit === "new" || row ? <KeyDrawer key={edit} row={row} refresh={refresh} onClose={onClose} /> : null;
}

function keyColumns(now: number, isPartial: boolean, open: (fingerprint: string) => void): Column<KeyRow>[] {
  const least = isPartial ? LEAST : "";
  return [
    { id: "name", title: text("keys.alias"), least: 150, sortBy: ({ name }) => name || null, cell: nameCell(open) },
    {
      id: "key",
      title: text("keys.key"),
      width: 140,
      rank: 2,
      cell: ({ hint, fingerprint }) => (
        <span class="mono" title={fingerprint}>
          {hint || shortOf(fingerprint)}
        </span>
      ),
    },
    {
      id: "state",
      title: text("keys.state"),
      width: 120,
      rank: 6,
      sortBy: ({ isAccepted }) => Number(isAccepted),
      cell: ({ isAccepted }) =>
        isAccepted === null ? UNKNOWN : <Status tone={isAccepted ? "good" : "unknown"}>{stateText(isAccepted)}</Status>,
    },
    {
      id: "last",
      title: text("keys.last_used"),
      width: 130,
      rank: 5,
      sortBy: ({ lastAt }) => lastAt,
      cell: ({ lastAt }) => <span title={formatTime(lastAt)}>{lastAt ? formatAge(now - lastAt) : UNKNOWN}</span>,
    },
    {
      id: "requests",
      title: text("usage.requests"),
      width: 100,
      rank: 4,
      align: "end",
      sortBy: ({ figures }) => figures?.requests ?? 0,
      cell: ({ fingerprint, figures }) => (
        <a class="link" href={pageAddress("requests", { client: fingerprint, period: "30d" })}>
          {least + formatCount(figures?.requests ?? 0)}
        </a>
      ),
    },
    {
      id: "failed",
      title: text("usage.failed"),
      width: 90,
      rank: 3,
      align: "end",
      sortBy: ({ figures }) => figures?.failed ?? 0,
      cell: ({ figures }) => least + formatCount(figures?.failed ?? 0),
    },
    {
      id: "tokens",
      title: text("usage.tokens"),
      width: 100,
      rank: 1,
      align: "end",
      sortBy: ({ figures }) => figures?.tokens.total ?? 0,
      cell: ({ figures }) => least + formatShort(figures?.tokens.total ?? 0),
    },
    {
      id: "spend",
      title: text("keys.spend"),
      width: 110,
      align: "end",
      sortBy: ({ figures }) => Number(figures?.usd ?? 0),
      cell: ({ figures }) => spendText(figures, isPartial),
    },
  ];
}

function stateText(isAccepted: boolean): string {
  return text(isAccepted ? "keys.accepted" : "keys.not_accepted");
}

/** Name of a key; on a phone, which has no room for their columns, its tail and state below. */
function nameCell(open: (fingerprint: string) => void) {
  return function NameCell({ name, hint, fingerprint, isAccepted }: KeyRow) {
    const tail = hint || shortOf(fingerprint);
    return (
      <span class="named">
        {name ? (
          <bdi>{name}</bdi>
        ) : (
          <Button size="small" tone="you" label={`${text("keys.give_name")} ${tail}`} onPress={() => open(fingerprint)}>
            {text("keys.give_name")}
          </Button>
        )}
        <bdi class="quiet cut phone-only">{isAccepted === null ? tail : `${tail} · ${stateText(isAccepted)}`}</bdi>
      </span>
    );
  };
}
