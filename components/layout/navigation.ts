import { icons } from "@/components/layout/nav-icons"
import type { NavGroup, NavItem } from "@/components/layout/nav"

/** Where one can go within a project. */
export function navigation(projectId: string, has: { sandbox: boolean }): { groups: NavGroup[]; bottom: NavItem[] } {
  const root = `/projects/${projectId}`
  const items: NavItem[] = [
    { href: root, label: "Overview", icon: icons.house, exact: true },
    { href: `${root}/emails`, label: "Emails", icon: icons.mail, counted: "emails" },
    { href: `${root}/broadcasts`, label: "Broadcasts", icon: icons.megaphone },
    { href: `${root}/templates`, label: "Templates", icon: icons.layoutTemplate },
    { href: `${root}/inbound`, label: "Inbound", icon: icons.cornerDownLeft },
    { href: `${root}/stream`, label: "Live", icon: icons.activity },
    { href: `${root}/metrics`, label: "Metrics", icon: icons.chartColumn },
  ]
  if (has.sandbox)
    items.push({ href: `${root}/sandbox`, label: "Sandbox mailbox", icon: icons.inbox, counted: "sandbox" })
  const sending: NavItem[] = [
    { href: `${root}/domains`, label: "Domains", icon: icons.globe, counted: "domains" },
    { href: `${root}/webhooks`, label: "Webhooks", icon: icons.webhook, counted: "webhooks" },
    { href: `${root}/api-keys`, label: "API keys", icon: icons.keyRound, counted: "apiKeys" },
    { href: `${root}/logs`, label: "Logs", icon: icons.list },
  ]
  const audience: NavItem[] = [
    { href: `${root}/contacts`, label: "Contacts", icon: icons.users, counted: "contacts" },
    { href: `${root}/segments`, label: "Segments", icon: icons.listFilter, counted: "segments" },
    { href: `${root}/topics`, label: "Topics", icon: icons.hash, counted: "topics" },
    { href: `${root}/properties`, label: "Properties", icon: icons.slidersHorizontal, counted: "properties" },
    { href: `${root}/suppressions`, label: "Suppressions", icon: icons.ban, counted: "suppressions" },
  ]
  return {
    groups: [{ items }, { label: "Audience", items: audience }, { label: "Sending", items: sending }],
    bottom: [
      { href: `${root}/settings`, label: "Settings", icon: icons.settings },
      { href: "/docs", label: "Docs", icon: icons.bookOpen },
    ],
  }
}
