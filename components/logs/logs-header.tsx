"use client"

import Link from "next/link"
import { usePathname } from "next/navigation"
import { useRole } from "@/components/access/powers"
import { cn } from "@/components/ui/cn"
import { PageHeader } from "@/components/ui/page-header"

/** The two logs as pages of their own, so that each has its address and filters. */
export function LogsHeader({ projectId }: { projectId: string }) {
  const path = usePathname()
  const role = useRole()
  const root = `/projects/${projectId}/logs`
  const pages = [
    { href: root, label: "Requests" },
    ...(role === "owner" || role === "admin" ? [{ href: `${root}/audit`, label: "Audit" }] : []),
  ]
  return (
    <>
      <PageHeader title="Logs" />
      {pages.length > 1 ? (
        <nav aria-label="Logs" className="mb-4 flex gap-5 border-b border-line">
          {pages.map(({ href, label }) => (
            <Link
              key={href}
              href={href}
              aria-current={path === href ? "page" : undefined}
              className={cn(
                "py-2.5 -outline-offset-2",
                path === href ? "text-text shadow-[inset_0_-2px_var(--text)]" : "text-muted hover:text-text",
              )}
            >
              {label}
            </Link>
          ))}
        </nav>
      ) : null}
    </>
  )
}
