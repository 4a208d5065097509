import { endpoints } from "@/lib/api/registry"
import { guides, operatingGuides, type Block, headingSlugOf, plain } from "@/lib/docs/guides"
import type { SearchEntry } from "@/lib/docs/search-rules"
import { methodOf, pathOf } from "@/lib/platform/http/endpoint"

/** Sections of the guides and operations of the API, as the search field loads them. */
export function searchIndex(): SearchEntry[] {
  const sections = [...guides(), ...operatingGuides()].flatMap(([name, { title, lead, blocks }]) => [
    { title, context: "Guide", href: `/docs/${name}`, text: lead },
    ...sectionsOf(blocks).map(({ heading, id, text }) => ({
      title: heading,
      context: title,
      href: `/docs/${name}#${id}`,
      text,
    })),
  ])
  const operations = endpoints.map((endpoint) => ({
    title: endpoint.summary,
    context: `${methodOf(endpoint)} ${pathOf(endpoint)}`,
    href: operationHref(endpoint),
    text: `${endpoint.operationId} ${endpoint.tag} ${endpoint.description ?? ""}`.slice(0, textMax),
  }))
  return [...sections, ...operations]
}

const textMax = 300

/** Where the reference describes an operation. */
export function operationHref({ tag, operationId }: (typeof endpoints)[number]): string {
  return `/docs/reference/${headingSlugOf(tag)}#${operationId}`
}

function sectionsOf(blocks: readonly Block[]) {
  const sections: { heading: string; id: string; text: string }[] = []
  for (const block of blocks) {
    const last = sections.at(-1)
    if (block.kind === "heading") sections.push({ heading: block.text, id: block.id, text: "" })
    else if (last) last.text = `${last.text} ${textOf(block)}`.slice(0, textMax)
  }
  return sections
}

function textOf(block: Block): string {
  switch (block.kind) {
    case "paragraph":
      return plain(block.content)
    case "list":
      return block.items.map(plain).join(" ")
    case "table":
      return [block.head, ...block.rows].flatMap((row) => row.map(plain)).join(" ")
    case "heading":
      return block.text
    case "code":
    case "tabs":
      return ""
  }
}
