import type { ReactNode } from "react"
import { DocsNav } from "@/components/docs/docs-nav"
import { guides } from "@/lib/docs/guides"

export default function GuidesLayout({ children }: { children: ReactNode }) {
  const items = [...guides()].map(([name, { title }]) => ({ href: `/docs/${name}`, title }))
  return (
    <div className="mx-auto flex max-w-320 flex-col gap-x-12 px-4 sm:px-6 lg:flex-row">
      <DocsNav items={items} />
      <main id="main" tabIndex={-1} className="min-w-0 flex-1 pt-6 pb-20 outline-none lg:pt-10">
        {children}
      </main>
    </div>
  )
}
