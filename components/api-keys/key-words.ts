import { dayMs } from "@/lib/platform/time"
import type { Tone } from "@/components/ui/pill"
import { relativeWords } from "@/components/ui/time-words"
import type { Api } from "@/lib/api/registry"
import { permissions, type Permission } from "@/lib/access/permissions"

export type KeyWire = Api["GET /v1/projects/{projectId}/api-keys/{keyId}"]["answer"]

export type KeyState = { tone: Tone; word: string; tip: string }

/** From here on the end of a key is said instead of its state. */
const soonMs = 7 * dayMs

export function keyState(key: KeyWire, now: number): KeyState {
  const left = key.expiresAt === undefined ? Infinity : Date.parse(key.expiresAt) - now
  if (key.enabled && left < soonMs)
    return {
      tone: "warn",
      word: `Ends ${relativeWords(now + left, now)}`,
      tip: "Requests with it are refused after that. Replace it with another key first.",
    }
  if (key.enabled) return { tone: "good", word: "Active", tip: "Requests with it are accepted." }
  const expired = key.expiresAt !== undefined && Date.parse(key.expiresAt) <= now
  if (expired) return { tone: "wait", word: "Expired", tip: "It has expired. Requests with it are refused." }
  return { tone: "wait", word: "Revoked", tip: "It was revoked. Requests with it are refused." }
}

const areaNames: Record<string, string> = {
  emails: "Emails",
  metrics: "Metrics",
  suppressions: "Suppressions",
  contacts: "Contacts",
  webhooks: "Webhooks",
  usage: "Key usage",
  projects: "Project",
  domains: "Domains",
  inbound: "Inbound",
}

export function areaName(area: string): string {
  return areaNames[area] ?? area
}

/** The permissions by area, in the order of the reference. */
export const areas = [...new Set(permissions.map((permission) => permission.split(":")[0] ?? ""))].map((area) => ({
  area,
  permissions: permissions.filter((permission) => permission.startsWith(`${area}:`)),
}))

type Presets = Record<"sending" | "reading" | "everything", readonly Permission[]>

export const presets: Presets = {
  sending: ["emails:send"],
  reading: permissions.filter((permission) => permission.endsWith(":read")),
  everything: permissions,
}

/** The usual set that these permissions are, if any; `among` are the sets that a user is offered. */
export function presetOf(chosen: readonly string[], among: Presets = presets): keyof Presets | "custom" {
  const same = (wanted: readonly string[]) =>
    wanted.length === chosen.length && wanted.every((one) => chosen.includes(one))
  if (same(among.sending)) return "sending"
  if (same(among.reading)) return "reading"
  return same(among.everything) ? "everything" : "custom"
}

/** What a key may do, in a few words. */
export function permissionWords(map: Record<string, string[]> = {}): string {
  const granted = Object.entries(map).flatMap(([area, actions]) => actions.map((action) => `${area}:${action}`))
  const preset = presetOf(granted)
  if (preset === "everything") return "Everything"
  if (preset === "reading") return "Reads everything"
  if (preset === "sending") return "Sends emails"
  return Object.entries(map)
    .map(([area, actions]) => `${areaName(area)}: ${actions.join(", ")}`)
    .join(" · ")
}

export const shownOnce = "Copy it now. It is not stored and will never be shown again."
