import type { ReactNode } from "react"
import { DocsColumns } from "@/components/docs/docs-frame"
import { referenceTags } from "@/lib/docs/reference"

export default function ReferenceLayout({ children }: { children: ReactNode }) {
  const items = [
    { href: "/docs/reference", title: "All operations" },
    ...referenceTags().map(({ slug, name }) => ({ href: `/docs/reference/${slug}`, title: name })),
  ]
  return (
    <DocsColumns label="Reference" items={items} other={{ href: "/docs", title: "Guides" }}>
      {children}
    </DocsColumns>
  )
}
