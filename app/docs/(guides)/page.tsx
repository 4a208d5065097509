import Link from "next/link"
import { TextLink } from "@/components/ui/text"
import { guides, operatingGuides } from "@/lib/docs/guides"

export default function DocsPage() {
  const items = [...guides(), ...operatingGuides()].map(([name, guide]) => ({ href: `/docs/${name}`, ...guide }))
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-[-0.01em]">Documentation</h1>
      <p className="mt-2 max-w-170 text-muted">
        Guides for sending email with Mailroom, and a reference of every operation of its API.
      </p>
      <ul className="mt-6 grid gap-3 sm:grid-cols-2">
        {[...items, reference].map(({ href, title, lead }) => (
          <li key={href}>
            <Link
              href={href}
              className="block h-full rounded-lg border border-line bg-panel p-4 transition-colors hover:border-line-strong"
            >
              <span className="block font-semibold">{title}</span>
              <span className="mt-1 block text-muted">{lead}</span>
            </Link>
          </li>
        ))}
      </ul>
      <h2 className="mt-10 text-lg font-semibold">For programs</h2>
      <ul className="mt-3 flex max-w-170 flex-col gap-1.5">
        {forPrograms.map(({ href, title, what }) => (
          <li key={href}>
            <TextLink href={href} prefetch={false}>
              {title}
            </TextLink>{" "}
            <span className="text-muted">{what}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Files, which no page of the product opens. */
const forPrograms = [
  { href: "/v1/openapi.json", title: "OpenAPI document", what: "for generators of clients" },
  { href: "/docs/collection.json", title: "Postman collection", what: "for Postman, Bruno and Insomnia" },
  { href: "/llms.txt", title: "llms.txt", what: "for language models, with each guide as Markdown" },
]

const reference = {
  href: "/docs/reference",
  title: "API reference",
  lead: "Every operation with its fields, problems, permissions and rate limit, and examples in curl and TypeScript.",
}
