import type { ReactNode } from "react"
import { DocsColumns } from "@/components/docs/docs-columns"
import { guides } from "@/lib/docs/guides"
import { operatingGuides } from "@/lib/docs/operating"

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
