import Link from "next/link"
import type { ReactNode, ComponentProps } from "react"
import { DocsSearch, ThemeToggle, DocsNav } from "@/components/docs/docs-controls"
import { Logo } from "@/components/layout/bare-page"

const places = [
  ["Guides", "/docs"],
  ["Reference", "/docs/reference"],
  ["Problems", "/problems"],
  ["Dashboard", "/"],
] as const

/** A page of the docs, or one that a problem's `type` points to, below the header of both. */
export function DocsFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-panel focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-30 border-b border-line bg-bg">
        <div className="mx-auto flex max-w-320 flex-wrap items-center gap-x-5 gap-y-2 px-4 py-2.5 sm:px-6">
          <Link href="/docs" className="flex items-center gap-2 font-semibold">
            <Logo className="size-6" />
            Mailroom docs
          </Link>
          <nav aria-label="Documentation" className="flex gap-4 text-muted">
            {places.map(([label, href]) => (
              <Link key={href} href={href} className="hover:text-text">
                {label}
              </Link>
            ))}
          </nav>
          <div className="flex w-full items-center gap-3 sm:ml-auto sm:w-auto">
            <DocsSearch />
            <ThemeToggle className="h-8 shrink-0 [&_label]:px-1.5 [&_svg]:size-3.5" />
          </div>
        </div>
      </header>
      {children}
    </>
  )
}

/** A page of the docs beside its navigation. */
export function DocsColumns({ children, ...nav }: ComponentProps<typeof DocsNav> & { children: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-320 flex-col gap-x-12 px-4 sm:px-6 lg:flex-row">
      <DocsNav {...nav} />
      <main id="main" tabIndex={-1} className="min-w-0 flex-1 pt-6 pb-20 outline-none lg:pt-10">
        {children}
      </main>
    </div>
  )
}
