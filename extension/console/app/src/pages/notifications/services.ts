/** Services that get messages, each with fields of its own instead of an address to be composed by hand. Pure. */

export interface ServiceField {
  name: string;
  /** A secret is not completed by the browser. */
  isSecret?: boolean;
  isOptional?: boolean;
  placeholder?: string;
}

export interface Service {
  kind: "apprise" | "json";
  /** Schemes of stored addresses that are this service's. */
  schemes: readonly string[];
  fields: readonly ServiceField[];
  /** Return the address that the service stores, or the name of the field that has the wrong shape. */
  address: (values: Values) => Composed;
}

export type Values = Readonly<Record<string, string>>;
export type Composed = { address: string } | { wrong: string };

const WEBHOOK_URL: ServiceField = { name: "webhook_url", isSecret: true };
const SLACK = /^https:\/\/hooks\.slack\.com\/services\/(\w+\/\w+\/\w+)\/?$/;
const DISCORD = /^https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/(\d+\/[\w-]+)\/?$/;
const FEISHU = /^https:\/\/open\.feishu\.cn\/open-apis\/bot\/v2\/hook\/([\w-]+)\/?$/;
const DINGTALK = /^https:\/\/oapi\.dingtalk\.com\/robot\/send\?access_token=(\w+)$/;
const WECOM = /^https:\/\/qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send\?key=([\w-]+)$/;
const BOT_TOKEN = /^\d+:[\w-]+$/;
const CHAT = /^(?:-?\d+|@\w+)$/;
const SERVER = /^[\w.-]+(?::\d+)?$/;

/** Services in the order of the form. */
export const SERVICES = {
  telegram: {
    kind: "apprise",
    schemes: ["tgram"],
    fields: [
      { name: "bot_token", isSecret: true, placeholder: "7012345678:AAF…" },
      { name: "chat_id", placeholder: "-1001234567890" },
    ],
    address: ({ bot_token: token, chat_id: chat }) => {
      if (!BOT_TOKEN.test(token)) return { wrong: "bot_token" };
      return CHAT.test(chat) ? { address: `tgram://${token}/${chat}/` } : { wrong: "chat_id" };
    },
  },
  slack: { kind: "apprise", schemes: ["slack"], fields: [WEBHOOK_URL], address: byUrl("slack", SLACK) },
  discord: { kind: "apprise", schemes: ["discord"], fields: [WEBHOOK_URL], address: byUrl("discord", DISCORD) },
  feishu: { kind: "apprise", schemes: ["feishu"], fields: [WEBHOOK_URL], address: byUrl("feishu", FEISHU) },
  dingtalk: {
    kind: "apprise",
    schemes: ["dingtalk"],
    fields: [WEBHOOK_URL, { name: "signing_secret", isSecret: true, isOptional: true, placeholder: "SEC…" }],
    address: ({ webhook_url: url, signing_secret: secret }) => {
      const token = DINGTALK.exec(url)?.[1];
      if (!token) return { wrong: "webhook_url" };
      return { address: `dingtalk://${secret ? `${secret}@` : ""}${token}/` };
    },
  },
  wecom: { kind: "apprise", schemes: ["wecombot"], fields: [WEBHOOK_URL], address: byUrl("wecombot", WECOM) },
  email: {
    kind: "apprise",
    schemes: ["mailto", "mailtos"],
    fields: [
      { name: "mail_server", placeholder: "smtp.example.com" },
      { name: "mail_user", placeholder: "ops@example.com" },
      { name: "mail_password", isSecret: true },
      { name: "mail_to", isOptional: true },
    ],
    address: mailAddress,
  },
  webhook: {
    kind: "json",
    schemes: ["http", "https"],
    fields: [WEBHOOK_URL],
    address: ({ webhook_url: address }) => ({ address }),
  },
  other: {
    kind: "apprise",
    schemes: [],
    fields: [{ name: "apprise_url", isSecret: true, placeholder: "ntfy://…" }],
    address: ({ apprise_url: address }) => ({ address }),
  },
} as const satisfies Record<string, Service>;

export type ServiceName = keyof typeof SERVICES;

export const SERVICE_NAMES = Object.keys(SERVICES) as ServiceName[];

export function serviceRow(name: ServiceName): Service {
  return SERVICES[name];
}

/** Return the service of a stored channel by kind and scheme. */
export function serviceOf({ kind, scheme }: { kind: string; scheme: string }): ServiceName {
  if (kind === "json") return "webhook";
  return SERVICE_NAMES.find((name) => name !== "webhook" && serviceRow(name).schemes.includes(scheme)) ?? "other";
}

/** Compose an address; the name of an empty field that is needed comes back as wrong. */
export function composed(name: ServiceName, values: Values): Composed {
  const { fields, address } = serviceRow(name);
  const trimmed = Object.fromEntries(fields.map((field) => [field.name, (values[field.name] ?? "").trim()]));
  const missing = fields.find((field) => !field.isOptional && !trimmed[field.name]);
  return missing ? { wrong: missing.name } : address(trimmed);
}

function byUrl(scheme: string, shape: RegExp) {
  return ({ webhook_url: url }: Values): Composed => {
    const path = shape.exec(url)?.[1];
    return path ? { address: `${scheme}://${path}/` } : { wrong: "webhook_url" };
  };
}

function mailAddress(values: Values): Composed {
  const { mail_server: server, mail_user: user, mail_password: password } = values;
  if (!SERVER.test(server)) return { wrong: "mail_server" };
  if (!user.includes("@")) return { wrong: "mail_user" };
  const host = server.replace(/:\d+$/, "");
  const mode = server.endsWith(":465") ? "ssl" : "starttls";
  const query = new URLSearchParams({ smtp: host, mode, from: user, to: values.mail_to || user });
  return { address: `mailtos://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${server}?${query}` };
}
