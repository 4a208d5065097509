import type { Metadata } from "next"

export { DocsFrame as default } from "@/components/docs/docs-frame"

export const metadata: Metadata = { title: { default: "Docs", template: "%s · Mailroom docs" } }
