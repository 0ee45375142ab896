import type { Client } from "../../connection/client.js";
import type { Prices } from "./model.js";

const LIMIT = 100;
const USED_MODELS = 8;
const MONTH_MS = 30 * 24 * 3_600_000;
const LONGEST_SEARCH = 200;

/** Read own prices with those of the lists that match; without a search those of the models in use lately. */
export async function readPrices(client: Client, search: string, now: number): Promise<Prices> {
  const answer = await client.get("../model-prices", { search, limit: LIMIT });
  if (search) return { answer, found: answer.found, unpriced: [] };
  const { groups } = await client.get("../usage/summary", {
    start: now - MONTH_MS,
    end: now,
    by: "model",
    limit: USED_MODELS,
  });
  const models = groups.map(({ name }) => name).filter((name) => name.trim());
  const quotes = await Promise.all(models.map((model) => quotesOf(client, model)));
  const own = new Set(answer.prices.map(({ model }) => model));
  return {
    answer,
    found: quotes.flat(),
    unpriced: models.filter((model, index) => !quotes[index].length && !own.has(model)),
  };
}

async function quotesOf(client: Client, model: string) {
  const query = { search: model.slice(0, LONGEST_SEARCH), limit: LIMIT };
  const { found } = await client.get("../model-prices", query);
  return found.filter((quote) => quote.model === model);
}
