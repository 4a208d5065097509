"use client"

import Link from "next/link"
import { usePathname } from "next/navigation"
import { useId } from "react"
import { showInRow } from "@/components/ui/chosen-in-row"

type Group = { name: string; pages: { path: string; label: string }[] }

/** By what they are about: most pages reach beyond the project. */
const groups: Group[] = [
  {
    name: "Project",
    pages: [
      { path: "", label: "General" },
      { path: "/smtp", label: "SMTP" },
    ],
  },
  { name: "Organization", pages: [{ path: "/members", label: "Members" }] },
  { name: "You", pages: [{ path: "/account", label: "Your account" }] },
]

const operatorGroup: Group = {
  name: "Installation",
  pages: [
    { path: "/sending", label: "Sending set-up" },
    { path: "/mail", label: "Operator mailbox" },
    { path: "/addresses", label: "Addresses" },
    { path: "/destinations", label: "Destinations" },
    { path: "/notices", label: "Notices" },
  ],
}

/** Pages of their own, so links rather than tabs. `operator`: the person runs the installation, whose pages come last. */
export function SettingsTabs({ projectId, operator }: { projectId: string; operator: boolean }) {
  const id = useId()
  const current = usePathname()
  const root = `/projects/${projectId}/settings`
  return (
    <nav
      aria-label="Settings"
      className="mb-4 flex divide-x divide-line overflow-x-auto border-b border-line whitespace-nowrap"
    >
      {(operator ? [...groups, operatorGroup] : groups).map(({ name, pages }) => (
        <div key={name} role="group" aria-labelledby={`${id}-${name}`} className="px-4 first:pl-0 last:pr-0">
          <p id={`${id}-${name}`} className="text-xs text-muted">
            {name}
          </p>
          <div className="flex gap-5">
            {pages.map(({ path, label }) => (
              <Link
                key={path}
                ref={current === root + path ? showInRow : undefined}
                href={root + path}
                aria-current={current === root + path ? "page" : undefined}
                className="pt-1 pb-2.5 text-muted -outline-offset-2 transition-colors hover:text-text
                  aria-[current=page]:text-text aria-[current=page]:shadow-[inset_0_-2px_var(--text)]"
              >
                {label}
              </Link>
            ))}
          </div>
        </div>
      ))}
    </nav>
  )
}
