import type { ComponentProps, ReactNode } from "react"
import { DocsNav } from "@/components/docs/docs-nav"

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
