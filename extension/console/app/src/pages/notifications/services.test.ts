import { expect, test } from "vitest";
import { composed, SERVICE_NAMES, serviceOf, serviceRow, type ServiceName } from "./services.js";

const ADDRESSES: [ServiceName, Record<string, string>, string][] = [
  [
    "telegram",
    { bot_token: " 7012345678:AAF-x_1 ", chat_id: "-1001234567890" },
    "tgram://7012345678:AAF-x_1/-1001234567890/",
  ],
  ["telegram", { bot_token: "7012345678:AAF", chat_id: "@ops_channel" }, "tgram://7012345678:AAF/@ops_channel/"],
  ["slack", { webhook_url: "https://hooks.slack.com/services/T0/B1/x2" }, "slack://T0/B1/x2/"],
  ["discord", { webhook_url: "https://discord.com/api/webhooks/42/a-b_c" }, "discord://42/a-b_c/"],
  ["feishu", { webhook_url: "https://open.feishu.cn/open-apis/bot/v2/hook/1a-2b" }, "feishu://1a-2b/"],
  ["dingtalk", { webhook_url: "https://oapi.dingtalk.com/robot/send?access_token=ab1" }, "dingtalk://ab1/"],
  [
    "dingtalk",
    { webhook_url: "https://oapi.dingtalk.com/robot/send?access_token=ab1", signing_secret: "SEC9" },
    "dingtalk://SEC9@ab1/",
  ],
  ["wecom", { webhook_url: "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=1a-2b" }, "wecombot://1a-2b/"],
  [
    "email",
    { mail_server: "smtp.example.com:465", mail_user: "ops@example.com", mail_password: "p@ss/1" },
    "mailtos://ops%40example.com:p%40ss%2F1@smtp.example.com:465?smtp=smtp.example.com&mode=ssl&from=ops%40example.com&to=ops%40example.com",
  ],
  ["webhook", { webhook_url: "https://hooks.example/x" }, "https://hooks.example/x"],
  ["other", { apprise_url: "ntfy://topic" }, "ntfy://topic"],
];

test.each(ADDRESSES)("the fields of %s become an address", (name, values, address) => {
  expect(composed(name, values)).toEqual({ address });
});

test.each(SERVICE_NAMES)("the first empty field of %s is named", (name) => {
  expect(composed(name, {})).toEqual({ wrong: serviceRow(name).fields[0]?.name });
});

test.each([
  ["telegram", { bot_token: "no token", chat_id: "1" }, "bot_token"],
  ["telegram", { bot_token: "1:a", chat_id: "ops channel" }, "chat_id"],
  ["slack", { webhook_url: "https://hooks.example/services/a/b/c" }, "webhook_url"],
  ["email", { mail_server: "a b", mail_user: "u@x", mail_password: "p" }, "mail_server"],
] as [ServiceName, Record<string, string>, string][])("a wrong field of %s is named", (name, values, wrong) => {
  expect(composed(name, values)).toEqual({ wrong });
});

test.each([
  [{ kind: "json", scheme: "https" }, "webhook"],
  [{ kind: "apprise", scheme: "tgram" }, "telegram"],
  [{ kind: "apprise", scheme: "mailtos" }, "email"],
  [{ kind: "apprise", scheme: "https" }, "other"],
  [{ kind: "apprise", scheme: "ntfys" }, "other"],
])("a stored channel of %o is shown as %s", (channel, name) => {
  expect(serviceOf(channel)).toBe(name);
});
