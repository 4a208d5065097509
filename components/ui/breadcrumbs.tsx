import Link from "next/link"
import type { ReactNode } from "react"

export type Crumb = { label: ReactNode; href?: string }

export function Breadcrumbs({ crumbs }: { crumbs: Crumb[] }) {
  return (
    <nav aria-label="Breadcrumb" className="mb-3 text-muted">
      <ol className="flex flex-wrap gap-x-1">
        {crumbs.map((crumb, index) => (
          <li key={index} className="flex min-w-0 gap-x-1">
            {crumb.href ? (
              <Link href={crumb.href} className="rounded-sm hover:text-text hover:underline">
                {crumb.label}
              </Link>
            ) : (
              <span className="truncate" aria-current={index === crumbs.length - 1 ? "page" : undefined}>
                {crumb.label}
              </span>
            )}
            {index < crumbs.length - 1 ? <span aria-hidden="true">/</span> : null}
          </li>
        ))}
      </ol>
    </nav>
  )
}
