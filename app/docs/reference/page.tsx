import type { Metadata } from "next"
import { ReferenceIndex } from "@/components/docs/reference-view"
import { referenceTags } from "@/lib/docs/reference"

export const metadata: Metadata = { title: "API reference" }

export default function ReferencePage() {
  const tags = referenceTags().map(({ slug, name, description, entries }) => ({
    ...{ slug, name, description },
    entries: entries.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
  }))
  return <ReferenceIndex tags={tags} />
}
