import { icons } from "@/components/layout/navigation"
import type { DialogName } from "@/components/data/add-dialog"
import type { Permission } from "@/lib/access/permissions"
import type { Overlay } from "@/components/layout/overlay"

/** Made on a page, where `intent` opens its dialog, or in a dialog over any page. */
export type Creation = {
  label: string
  words: string
  at: { href: string; intent?: DialogName } | { overlay: Overlay }
}

/** What the user may do: call what needs a permission, manage members here, create a project somewhere. */
export type Powers = { may: (permission: Permission) => boolean; manages: boolean; founds: boolean }

/** What can be created from anywhere, and on which page. */
export function creationsOf(projectId: string, { may, manages, founds }: Powers): Creation[] {
  const root = `/projects/${projectId}`
  const on = (allowed: boolean, label: string, words: string, path: string, intent?: DialogName): Creation[] =>
    allowed
      ? [{ label, words: `new create add ${words}`, at: { href: root + path, ...(intent ? { intent } : {}) } }]
      : []
  return [
    ...on(may("emails:send"), "Compose an email", "send write", "/emails/compose"),
    ...on(may("emails:send"), "Create a template", "html placeholders", "/templates", "create-template"),
    ...on(may("inbound:write"), "Create an inbound route", "receive replies mail", "/inbound", "create-route"),
    ...on(may("domains:write"), "Add a domain", "dns", "/domains", "add-domain"),
    ...on(may("webhooks:write"), "Create a webhook", "events endpoint url", "/webhooks/new"),
    ...on(may("projects:write"), "Create an API key", "secret token", "/api-keys", "create-api-key"),
    ...on(may("contacts:write"), "Add a contact", "person recipient", "/contacts", "add-contact"),
    ...on(may("contacts:write"), "Import contacts", "csv file people", "/contacts/imports/new"),
    ...on(may("contacts:write"), "Create a segment", "filter group audience", "/segments/new"),
    ...on(may("contacts:write"), "Create a topic", "subscription newsletter", "/topics", "create-topic"),
    ...on(may("contacts:write"), "Define a property", "contact field", "/properties", "define-property"),
    ...on(may("suppressions:write"), "Suppress an address", "block suppression", "/suppressions", "suppress-address"),
    ...on(manages, "Invite a member", "person team role", "/settings/members", "invite-member"),
    ...(founds ? [{ label: "Create a project", words: "new add", at: { overlay: "new-project" as const } }] : []),
  ]
}

/** Pages that are not in the navigation, and what else they may be called. */
export function pagesBeyond(projectId: string, { manages }: Pick<Powers, "manages">) {
  return [
    ...(manages
      ? [
          {
            label: "Audit log",
            words: "logs changes who history",
            href: `/projects/${projectId}/logs/audit`,
            icon: icons.list,
          },
        ]
      : []),
    {
      label: "API reference",
      words: "docs operations openapi endpoints",
      href: "/docs/reference",
      icon: icons.bookOpen,
    },
    { label: "Problem codes", words: "docs errors", href: "/problems", icon: icons.bookOpen },
  ]
}

/** What else a page of the navigation may be called, by the last part of its address. */
const otherWords: Record<string, string> = {
  logs: "requests request log",
  webhooks: "endpoints events deliveries",
  metrics: "statistics rates opens bounces advisor",
  docs: "documentation guides help",
  "api-keys": "tokens secrets",
  stream: "events",
  broadcasts: "campaigns newsletter mailing",
}

export function wordsFor(href: string): string {
  return otherWords[href.split("/").at(-1) ?? ""] ?? ""
}

const kinds = {
  email: "email",
  con: "contact",
  seg: "segment",
  top: "topic",
  dom: "domain",
  whk: "webhook",
  key: "key",
  bc: "broadcast",
  tpl: "template",
  req: "request",
} as const

/** Resources that have a page, found by their id. */
export type Kind = (typeof kinds)[keyof typeof kinds]

export type WantedCommand =
  | { kind: "nothing" }
  | { kind: "id"; of: Kind; id: string }
  | { kind: "address"; address: string }
  | { kind: "words"; words: string }

/** What the typed text may refer to. */
export function wantedOf(text: string): WantedCommand {
  const words = text.trim()
  const [, prefix = ""] = /^([a-z]{2,5})_[0-9a-z]{26}$/.exec(words) ?? []
  if (Object.hasOwn(kinds, prefix)) return { kind: "id", of: kinds[prefix as keyof typeof kinds], id: words }
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(words)) return { kind: "address", address: words }
  return words.length >= 2 ? { kind: "words", words } : { kind: "nothing" }
}

/** The email log, searched for what was typed. */
export function listOf(projectId: string, wanted: WantedCommand): { label: string; href: string }[] {
  const to = (search: string) => `/projects/${projectId}/emails?${new URLSearchParams({ search })}`
  if (wanted.kind === "address") return [{ label: `All emails to ${wanted.address}`, href: to(wanted.address) }]
  return wanted.kind === "words" ? [{ label: `Emails with “${wanted.words}”`, href: to(wanted.words) }] : []
}

/** At most `most` of the domains whose name holds the text. */
export function domainsLike<D extends { domain: string }>(domains: readonly D[], text: string, most = 5): D[] {
  const part = text.trim().toLowerCase()
  return part ? domains.filter(({ domain }) => domain.includes(part)).slice(0, most) : []
}

/** Whether these contain each typed word, in any order. */
export function names(text: string, ...words: string[]): boolean {
  const all = words.join(" ").toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((part) => all.includes(part))
}
