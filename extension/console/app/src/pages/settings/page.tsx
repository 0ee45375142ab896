import { LogOut } from "lucide";
import { LANGUAGES } from "../../connection/api.js";
import { needsKey } from "../../connection/management_key.js";
import { storedLanguage, text, tokenText } from "../../language/catalogue.js";
import { clock, CLOCKS, storeClock } from "../../language/clock.js";
import { formatTime } from "../../language/formats.js";
import { Button } from "../../parts/button.js";
import { Card } from "../../parts/card.js";
import { Facts } from "../../parts/facts.js";
import { Field } from "../../parts/field.js";
import { Select } from "../../parts/select.js";
import { Switch } from "../../parts/switch.js";
import { Head } from "../../shell/head.js";
import { PanelLink } from "../../shell/panel_link.js";
import { hasPatterns, storePatterns } from "../../shell/patterns.js";
import { useReading } from "../../shell/reading.js";
import { useServices } from "../../shell/services.js";
import { storeTheme, theme, THEMES } from "../../shell/theme.js";
import { settingRows } from "./model.js";

/** Preferences of this browser, the session, the gateway, and the settings of the service, which its owner changes. */
export default function SettingsPage() {
  return (
    <>
      <Head title={text("pages.settings")} />
      <div class="body settings">
        <Preferences />
        <SessionCard />
        <About />
        <ServiceSettings />
      </div>
    </>
  );
}

function Preferences() {
  const { changeLanguage } = useServices();
  const languages = Object.entries(LANGUAGES);
  return (
    <Card title={text("settings.appearance")} note={text("settings.browser")}>
      <div class="padded stack">
        <div class="fields">
          <Field label={text("settings.theme")}>
            <Select
              value={theme.value}
              choices={THEMES.map((name) => [name, text(`settings.theme_${name}`)] as const)}
              onChoose={storeTheme}
            />
          </Field>
          <Field label={text("settings.language")}>
            <select
              value={storedLanguage() ?? ""}
              onChange={({ currentTarget }) => void changeLanguage(currentTarget.value || null)}
            >
              <option value="">{text("settings.language_browser")}</option>
              {languages.map(([tag, name]) => (
                <option key={tag} value={tag} lang={tag}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
          <Field label={text("settings.clock")} hint={formatTime(Date.now())}>
            <Select
              value={clock.value}
              choices={CLOCKS.map((name) => [name, text(`settings.clock_${name}`)] as const)}
              onChoose={storeClock}
            />
          </Field>
        </div>
        <div class="row">
          <Switch label={text("settings.patterns")} isOn={hasPatterns.value} onTurn={storePatterns} />
          <span>
            {text("settings.patterns")} <span class="quiet">{text("settings.patterns_hint")}</span>
          </span>
        </div>
      </div>
    </Card>
  );
}

function SessionCard() {
  const { signOut } = useServices();
  return (
    <Card
      title={text("settings.session")}
      controls={
        <Button size="small" icon={LogOut} onPress={signOut}>
          {text("sign_in.out")}
        </Button>
      }
    >
      <div class="padded">
        <p>{text(needsKey() ? "sign_in.help_keyed" : "sign_in.help")}</p>
        {!needsKey() && <SessionEnd />}
      </div>
    </Card>
  );
}

function SessionEnd() {
  const reading = useReading((client) => client.get("info/session"));
  const session = reading.value.value;
  return session && <p class="quiet">{text("settings.session_ends", { time: formatTime(session.expiresAt) })}</p>;
}

function About() {
  const { info } = useServices();
  const { name, version } = info.gateway;
  return (
    <Card title={text("settings.about")}>
      <dl class="facts padded">
        <dt>Poolkeeper</dt>
        <dd>{info.version}</dd>
        <dt>{text("settings.gateway")}</dt>
        <dd>
          {name} {version} <PanelLink />
        </dd>
      </dl>
    </Card>
  );
}

function ServiceSettings() {
  const { config } = useServices();
  return (
    <Card title={text("settings.service")} note={text("settings.service_hint")}>
      <Facts
        more="padded wide"
        rows={settingRows(config.settings).map(({ name, value }) => [
          <>
            {tokenText("service_setting", name, name)} <small class="mono">{name}</small>
          </>,
          value,
        ])}
      />
    </Card>
  );
}
