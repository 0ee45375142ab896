/** Accounts of a run and what it may do, in words. Pure. */

import type { FamilyView } from "../connection/api.js";
import { text, tokenText } from "../language/catalogue.js";
import type { Settings } from "./fields.js";

export function sourceLabel(source: string): string {
  return tokenText("scope", source);
}

/** Return the accounts of a schedule in words. */
export function scopeText(settings: Partial<Settings>, families: readonly FamilyView[]): string {
  const { accountSource = "oauth", targetType = "all", providerFilter = "", sampleSize = 0 } = settings;
  const family = families.find(({ token }) => token === targetType)?.label ?? targetType;
  const parts = [
    sourceLabel(accountSource),
    targetType === "all" ? "" : family,
    accountSource === "api_key" && providerFilter ? `“${providerFilter}”` : "",
    sampleSize ? text("cost.sample", { n: sampleSize }) : "",
  ];
  return parts.filter(Boolean).join(" · ");
}

export function isActing({ autoActionMode = "none" }: Partial<Settings>): boolean {
  return autoActionMode !== "none";
}

/** Return what a schedule does with what it finds, in words. */
export function actsText({ accountSource = "oauth", autoActionMode = "none" }: Partial<Settings>): string {
  return tokenText("schedule_acts", `${accountSource}.${autoActionMode}`, autoActionMode);
}
