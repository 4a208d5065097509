import type { Intent } from "@/components/ui/intent"
import type { Permission } from "@/lib/access/permissions"

export type Creation = { label: string; href: string; intent?: Intent; words: string[]; permission: Permission }

/** What can be made from anywhere, and where that is done. */
export function creationsOf(projectId: string): Creation[] {
  const root = `/projects/${projectId}`
  return [
    { label: "Compose an email", href: `${root}/emails/compose`, words: ["new", "create", "send", "write"], permission: "emails:send" },
    { label: "Add a domain", href: `${root}/domains`, intent: "add-domain", words: ["new", "create", "dns"], permission: "domains:write" },
    { label: "Create an API key", href: `${root}/api-keys`, intent: "create-api-key", words: ["new", "add", "secret", "token"], permission: "projects:write" },
  ]
}

export type Wanted =
  | { kind: "nothing" }
  | { kind: "id"; emailId: string }
  | { kind: "address"; address: string }
  | { kind: "words"; words: string }

/** What somebody who types this may be looking for among the emails. */
export function wantedOf(text: string): Wanted {
  const words = text.trim()
  if (/^email_[0-9a-z]{26}$/.test(words)) return { kind: "id", emailId: words }
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(words)) return { kind: "address", address: words }
  return words.length >= 2 ? { kind: "words", words } : { kind: "nothing" }
}

/** The email log with what was typed as its filter: where the palette itself would have to read everything. */
export function listOf(projectId: string, wanted: Wanted): { label: string; href: string }[] {
  const to = (filter: string, value: string) => `/projects/${projectId}/emails?${new URLSearchParams({ [filter]: value })}`
  if (wanted.kind === "address") return [{ label: `All emails to ${wanted.address}`, href: to("recipient", wanted.address) }]
  if (wanted.kind !== "words") return []
  const { words } = wanted
  return [
    { label: `Emails with “${words}” in the subject`, href: to("subject", words) },
    { label: `Emails with “${words}” in the sender`, href: to("from", words) },
  ]
}

/** At most `most` of the domains whose name holds the text. */
export function domainsLike<D extends { domain: string }>(domains: readonly D[], text: string, most = 5): D[] {
  const part = text.trim().toLowerCase()
  return part ? domains.filter(({ domain }) => domain.includes(part)).slice(0, most) : []
}

/** Whether each word that was typed stands somewhere in these, whatever the order. */
export function names(text: string, ...words: string[]): boolean {
  const all = words.join(" ").toLowerCase()
  return text.toLowerCase().split(/\s+/).every((part) => all.includes(part))
}
