import { Fragment, type ReactNode } from "react"
import Link from "next/link"

type PageHeaderProps = {
  title: ReactNode
  /** State of the thing, beside the title. */
  pill?: ReactNode
  /** Short facts below the title. */
  meta?: ReactNode[]
  actions?: ReactNode
  /** The way here; the last is this page and needs no href. */
  crumbs?: Crumb[]
}

export function PageHeader({ title, pill, meta, actions, crumbs }: PageHeaderProps) {
  return (
    <>
      {crumbs ? <Breadcrumbs crumbs={crumbs} /> : null}
      <header className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="flex max-w-full min-w-0 flex-wrap items-center gap-x-2 gap-y-1 sm:flex-[1_1_16rem]">
          <h1 className="min-w-0 text-2xl font-semibold tracking-[-0.01em] [overflow-wrap:anywhere]">{title}</h1>
          {pill}
        </div>
        {meta?.length ? (
          // Below the title over all the width; on a phone the buttons are below it.
          <div className="flex w-full flex-wrap gap-x-4 gap-y-0.5 text-muted [overflow-wrap:anywhere] sm:order-1">
            {meta.map((item, index) => (
              <Fragment key={index}>{item ? <span className="min-w-0">{item}</span> : null}</Fragment>
            ))}
          </div>
        ) : null}
        {actions ? (
          <div data-page-actions className="flex flex-wrap items-center gap-2">
            {actions}
          </div>
        ) : null}
      </header>
    </>
  )
}

type Crumb = { label: ReactNode; href?: string }

function Breadcrumbs({ crumbs }: { crumbs: Crumb[] }) {
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
