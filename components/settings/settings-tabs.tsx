"use client"

import Link from "next/link"
import { usePathname } from "next/navigation"
import { Fragment } from "react"
import { showInRow } from "@/components/ui/show-in-row"

/** Pages of their own, so links rather than tabs. `operator`: the person runs the installation, whose pages come last. */
export function SettingsTabs({ projectId, operator }: { projectId: string; operator: boolean }) {
  const path = usePathname()
  const root = `/projects/${projectId}/settings`
  const pages = [
    { href: root, label: "Project" },
    { href: `${root}/members`, label: "Members" },
    { href: `${root}/smtp`, label: "SMTP" },
    { href: `${root}/account`, label: "Your account" },
    ...(operator
      ? [
          { href: `${root}/sending`, label: "Sending set-up", isFirstOfOperator: true },
          { href: `${root}/mail`, label: "Operator mailbox" },
          { href: `${root}/addresses`, label: "Addresses" },
          { href: `${root}/destinations`, label: "Destinations" },
          { href: `${root}/notices`, label: "Notices" },
        ]
      : []),
  ]
  return (
    <nav aria-label="Settings" className="mb-4 flex gap-5 overflow-x-auto border-b border-line whitespace-nowrap">
      {pages.map(({ href, label, isFirstOfOperator }) => (
        <Fragment key={href}>
          {isFirstOfOperator ? <span className="h-4 w-px shrink-0 self-center bg-line-strong" /> : null}
          <Link
            ref={path === href ? showInRow : undefined}
            href={href}
            aria-current={path === href ? "page" : undefined}
            className="py-2.5 text-muted -outline-offset-2 transition-colors hover:text-text aria-[current=page]:text-text
              aria-[current=page]:shadow-[inset_0_-2px_var(--text)]"
          >
            {label}
          </Link>
        </Fragment>
      ))}
    </nav>
  )
}
