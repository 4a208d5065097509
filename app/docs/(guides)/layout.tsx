import type { ReactNode } from "react"
import { DocsColumns } from "@/components/docs/docs-frame"
import { guides, operatingGuides } from "@/lib/docs/guides"

export default function GuidesLayout({ children }: { children: ReactNode }) {
  const items = [
    { href: "/docs", title: "Overview" },
    ...[...guides(), ...operatingGuides()].map(([name, { title }]) => ({ href: `/docs/${name}`, title })),
  ]
  return (
    <DocsColumns label="Guides" items={items} other={{ href: "/docs/reference", title: "API reference" }}>
      {children}
    </DocsColumns>
  )
}
