import type { Metadata } from "next"
import type { ReactNode } from "react"
import { DocsHeader } from "@/components/docs/docs-header"

export const metadata: Metadata = { title: { default: "Docs", template: "%s · Mailroom docs" } }

export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <DocsHeader />
      {children}
    </>
  )
}
