import { pageAddress } from "../shell/pages.js";

/** Return the address of the list of accounts with a query, such as `{ source: "oauth", verdict: "revoked" }`. */
export function accountsAddress(query: Record<string, string | number | boolean> = {}): string {
  return pageAddress("inspection", query);
}

/** Return the address that opens one account. */
export function accountAddress(id: number): string {
  return accountsAddress({ account: id });
}
