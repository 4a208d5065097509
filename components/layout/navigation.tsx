import type { NavGroup, NavItem } from "@/components/layout/keys"
import type { ReactNode } from "react"

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

/** Icons of Lucide (ISC licence), drawn on the server: its own components would be scripts of every page. */
export const icons = {
  activity: drawn(
    <>
      <path d="M22 12h-2.48a2 2 0 0 0-1.93 1.46l-2.35 8.36a.25.25 0 0 1-.48 0L9.24 2.18a.25.25 0 0 0-.48 0l-2.35 8.36A2 2 0 0 1 4.49 12H2" />
    </>,
  ),
  ban: drawn(
    <>
      <circle cx="12" cy="12" r="10" />
      <path d="M4.929 4.929 19.07 19.071" />
    </>,
  ),
  bookOpen: drawn(
    <>
      <path d="M12 5v16" />
      <path d="M20.001 19A2 2 0 0022 17V5a2 2 0 00-1.999-2L16 3.002A5 5 0 0012 5a5 5 0 00-4-2H4a2 2 0 00-2 2v12a2 2 0 001.999 2H8a5 5 0 014 2 5 5 0 014-2z" />
    </>,
  ),
  chartColumn: drawn(
    <>
      <path d="M3 3v16a2 2 0 0 0 2 2h16" />
      <path d="M18 17V9" />
      <path d="M13 17V5" />
      <path d="M8 17v-3" />
    </>,
  ),
  cornerDownLeft: drawn(
    <>
      <path d="M20 4v7a4 4 0 0 1-4 4H4" />
      <path d="m9 10-5 5 5 5" />
    </>,
  ),
  globe: drawn(
    <>
      <circle cx="12" cy="12" r="10" />
      <path d="M12 2a14.5 14.5 0 0 0 0 20 14.5 14.5 0 0 0 0-20" />
      <path d="M2 12h20" />
    </>,
  ),
  hash: drawn(
    <>
      <line x1="4" x2="20" y1="9" y2="9" />
      <line x1="4" x2="20" y1="15" y2="15" />
      <line x1="10" x2="8" y1="3" y2="21" />
      <line x1="16" x2="14" y1="3" y2="21" />
    </>,
  ),
  house: drawn(
    <>
      <path d="M15 21v-8a1 1 0 0 0-1-1h-4a1 1 0 0 0-1 1v8" />
      <path d="M3 10a2 2 0 0 1 .709-1.528l7-6a2 2 0 0 1 2.582 0l7 6A2 2 0 0 1 21 10v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z" />
    </>,
  ),
  inbox: drawn(
    <>
      <polyline points="22 12 16 12 14 15 10 15 8 12 2 12" />
      <path d="M5.45 5.11 2 12v6a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2v-6l-3.45-6.89A2 2 0 0 0 16.76 4H7.24a2 2 0 0 0-1.79 1.11z" />
    </>,
  ),
  keyRound: drawn(
    <>
      <path d="M2.586 17.414A2 2 0 0 0 2 18.828V21a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h1a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h.172a2 2 0 0 0 1.414-.586l.814-.814a6.5 6.5 0 1 0-4-4z" />
      <circle cx="16.5" cy="7.5" r=".5" fill="currentColor" />
    </>,
  ),
  layoutTemplate: drawn(
    <>
      <rect width="18" height="7" x="3" y="3" rx="1" />
      <rect width="9" height="7" x="3" y="14" rx="1" />
      <rect width="5" height="7" x="16" y="14" rx="1" />
    </>,
  ),
  list: drawn(
    <>
      <path d="M3 5h.01" />
      <path d="M3 12h.01" />
      <path d="M3 19h.01" />
      <path d="M8 5h13" />
      <path d="M8 12h13" />
      <path d="M8 19h13" />
    </>,
  ),
  listFilter: drawn(
    <>
      <path d="M2 5h20" />
      <path d="M6 12h12" />
      <path d="M9 19h6" />
    </>,
  ),
  mail: drawn(
    <>
      <path d="m22 7-8.991 5.727a2 2 0 0 1-2.009 0L2 7" />
      <rect x="2" y="4" width="20" height="16" rx="2" />
    </>,
  ),
  megaphone: drawn(
    <>
      <path d="M11 6a13 13 0 0 0 8.4-2.8A1 1 0 0 1 21 4v12a1 1 0 0 1-1.6.8A13 13 0 0 0 11 14H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2z" />
      <path d="M6 14a12 12 0 0 0 2.4 7.2 2 2 0 0 0 3.2-2.4A8 8 0 0 1 10 14" />
      <path d="M8 6v8" />
    </>,
  ),
  settings: drawn(
    <>
      <path d="M9.671 4.136a2.34 2.34 0 0 1 4.659 0 2.34 2.34 0 0 0 3.319 1.915 2.34 2.34 0 0 1 2.33 4.033 2.34 2.34 0 0 0 0 3.831 2.34 2.34 0 0 1-2.33 4.033 2.34 2.34 0 0 0-3.319 1.915 2.34 2.34 0 0 1-4.659 0 2.34 2.34 0 0 0-3.32-1.915 2.34 2.34 0 0 1-2.33-4.033 2.34 2.34 0 0 0 0-3.831A2.34 2.34 0 0 1 6.35 6.051a2.34 2.34 0 0 0 3.319-1.915" />
      <circle cx="12" cy="12" r="3" />
    </>,
  ),
  slidersHorizontal: drawn(
    <>
      <path d="M10 5H3" />
      <path d="M12 19H3" />
      <path d="M14 3v4" />
      <path d="M16 17v4" />
      <path d="M21 12h-9" />
      <path d="M21 19h-5" />
      <path d="M21 5h-7" />
      <path d="M8 10v4" />
      <path d="M8 12H3" />
    </>,
  ),
  users: drawn(
    <>
      <path d="M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2" />
      <path d="M16 3.128a4 4 0 0 1 0 7.744" />
      <path d="M22 21v-2a4 4 0 0 0-3-3.87" />
      <circle cx="9" cy="7" r="4" />
    </>,
  ),
  webhook: drawn(
    <>
      <path d="M18 16.98h-5.99c-1.1 0-1.95.94-2.48 1.9A4 4 0 0 1 2 17c.01-.7.2-1.4.57-2" />
      <path d="m6 17 3.13-5.78c.53-.97.1-2.18-.5-3.1a4 4 0 1 1 6.89-4.06" />
      <path d="m12 6 3.13 5.73C15.66 12.7 16.9 13 18 13a4 4 0 0 1 0 8" />
    </>,
  ),
}

function drawn(shapes: ReactNode) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {shapes}
    </svg>
  )
}
