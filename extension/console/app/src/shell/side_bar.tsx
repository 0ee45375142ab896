import { Ellipsis, LogOut, Pause, Play, Search, Server } from "lucide";
import { text, tokenText } from "../language/catalogue.js";
import { formatCount } from "../language/formats.js";
import { Icon } from "../parts/icon.js";
import { Menu, type MenuItem } from "../parts/menu.js";
import { openPalette } from "./palette.js";
import { offeredPages, pageRow, PHONE_PAGES, type PageName } from "./pages.js";
import { choosePool, type Fleet } from "../session/fleet.js";
import { LanguageMenu, ThemeMenu } from "./preferences.js";
import { useServices } from "./services.js";

const GROUPS = ["", "pool", "traffic", "automation", "fleet"] as const;

/** Links to all pages in groups, with their counts; state, theme and language at its foot. */
export function SideBar() {
  const services = useServices();
  const offered = offeredPages(services);
  const groups = GROUPS.filter((group) => offered.some((name) => pageRow(name).group === group));
  return (
    <header class="side-bar">
      <p class="brand">
        <img src="static/icon.svg" width="24" height="24" alt="" />
        Poolkeeper
      </p>
      <PoolSwitcher />
      <button type="button" class="search-button" onClick={openPalette}>
        <Icon of={Search} />
        {text("console.find_anything")}
        <kbd>{navigator.platform.startsWith("Mac") ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      <nav aria-label={text("shell.pages")}>
        {groups.map((group) => (
          <div key={group}>
            {group && <p class="group">{text(`console.group_${group}`)}</p>}
            <PageLinks names={offered.filter((name) => pageRow(name).group === group)} />
          </div>
        ))}
      </nav>
      <div class="side-foot">
        <PageLinks names={["settings"]} />
        <State />
        <div class="row">
          <ThemeMenu />
          <LanguageMenu change={services.changeLanguage} />
          <span class="grow" />
          <SessionMenu />
        </div>
      </div>
    </header>
  );
}

/** Gateways of a fleet as a choice of the one that the pages are about. */
function poolItems(fleet: Fleet | null): MenuItem[] {
  if (!fleet?.pool) return [];
  return fleet.gateways.value
    .filter(({ enabled }) => enabled)
    .map(({ name, problem }) => ({
      label: name,
      isChecked: name === fleet.pool,
      isDisabled: problem !== "",
      act: () => choosePool(name),
    }));
}

function PoolSwitcher() {
  const { fleet } = useServices();
  const items = poolItems(fleet);
  if (!fleet || !items.length) return null;
  return (
    <div class="row" role="group" aria-label={text("fleet.gateway")}>
      <Menu label={fleet.pool} icon={Server} items={items} isLabelShown />
    </div>
  );
}

function PageLinks({ names }: { names: readonly PageName[] }) {
  return (
    <ul>
      {names.map((name) => (
        <li key={name}>
          <PageLink name={name} />
        </li>
      ))}
    </ul>
  );
}

function PageLink({ name }: { name: PageName }) {
  const { router, counts } = useServices();
  const count = counts.value[name];
  return (
    <a href={name} class="page-link" aria-current={router.page.value === name ? "page" : undefined}>
      <Icon of={pageRow(name).icon} />
      <span>{text(`pages.${name}`)}</span>
      {count && count.n > 0 && <span class={count.isUrgent ? "count urgent" : "count"}>{formatCount(count.n)}</span>}
    </a>
  );
}

/** Whether events arrive, and the gateway behind the service. */
function State() {
  const { live, info } = useServices();
  const sign = live.sign.value;
  const isWell = sign === "live" || sign === "polling";
  return (
    <div class="state">
      <p role="status" class="live" data-state={isWell ? "live" : "lost"}>
        <span class="dot" data-tone={isWell ? "good" : "wait"} />
        {sign && tokenText("live", sign)}
      </p>
      <p class="quiet">
        {info.gateway.name} {info.gateway.version}
      </p>
    </div>
  );
}

function SessionMenu() {
  const { automation, signOut } = useServices();
  const state = automation.state.value;
  const turn: MenuItem = {
    label: text(state?.paused ? "automation.resume" : "automation.pause"),
    icon: state?.paused ? Play : Pause,
    act: () => automation.turn(),
  };
  const items = [...(state ? [turn] : []), { label: text("sign_in.out"), icon: LogOut, act: signOut }];
  return <Menu label={text("console.more")} icon={Ellipsis} items={items} />;
}

/** Bar at the foot of a phone: four pages, and a menu of the others. */
export function BottomBar() {
  const services = useServices();
  const { router } = services;
  const others = offeredPages(services).filter((name) => !PHONE_PAGES.includes(name));
  const items = others.map((name) => ({
    label: text(`pages.${name}`),
    icon: pageRow(name).icon,
    isCurrent: router.page.value === name,
    act: () => router.go(name),
  }));
  return (
    <nav class="bottom-bar" aria-label={text("shell.pages")}>
      {PHONE_PAGES.map((name) => (
        <a key={name} href={name} aria-current={router.page.value === name ? "page" : undefined}>
          <Icon of={pageRow(name).icon} />
          {text(`pages.${name}`)}
        </a>
      ))}
      <Menu
        label={text("console.more")}
        icon={Ellipsis}
        items={[...items, ...poolItems(services.fleet)]}
        isLabelShown
      />
    </nav>
  );
}
