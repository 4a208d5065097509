import type { NavGroup, NavItem } from "@/components/layout/nav"

/** Where one can go within a project. */
export function navigation(projectId: string, has: { sandbox: boolean }): { groups: NavGroup[]; bottom: NavItem[] } {
  const root = `/projects/${projectId}`
  const items: NavItem[] = [
    { href: root, label: "Overview", exact: true },
    { href: `${root}/emails`, label: "Emails" },
    { href: `${root}/stream`, label: "Live" },
    { href: `${root}/metrics`, label: "Metrics" },
  ]
  if (has.sandbox) items.push({ href: `${root}/sandbox`, label: "Sandbox mailbox" })
  const sending: NavItem[] = [
    { href: `${root}/domains`, label: "Domains" },
    { href: `${root}/webhooks`, label: "Webhooks" },
    { href: `${root}/api-keys`, label: "API keys" },
    { href: `${root}/logs`, label: "Logs" },
  ]
  const audience: NavItem[] = [
    { href: `${root}/contacts`, label: "Contacts" },
    { href: `${root}/segments`, label: "Segments" },
    { href: `${root}/topics`, label: "Topics" },
    { href: `${root}/properties`, label: "Properties" },
    { href: `${root}/suppressions`, label: "Suppressions" },
  ]
  return {
    groups: [{ items }, { label: "Audience", items: audience }, { label: "Sending", items: sending }],
    bottom: [
      { href: `${root}/settings`, label: "Settings" },
      { href: "/docs", label: "Docs" },
    ],
  }
}
