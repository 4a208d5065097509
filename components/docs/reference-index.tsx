import { OperationName } from "@/components/docs/operation-name"
import { TextLink } from "@/components/ui/text-link"

type Listed = { id: string; method: string; path: string; summary: string }
type ReferenceIndexProps = { tags: { slug: string; name: string; description: string; entries: Listed[] }[] }

/** Every operation of the API with its path, by what it is about. */
export function ReferenceIndex({ tags }: ReferenceIndexProps) {
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-[-0.01em]">API reference</h1>
      <p className="mt-2 max-w-170 leading-6 text-muted">
        Every operation with its fields, limits, problems and samples. Requests carry an API key as{" "}
        <code className="mono">Authorization: Bearer mr_live_…</code>; times are ISO 8601 in UTC.{" "}
        <TextLink href="/docs/errors">How errors work</TextLink>,{" "}
        <TextLink href="/docs/lists">how lists are read</TextLink>,{" "}
        <TextLink href="/v1/openapi.json" prefetch={false}>
          the OpenAPI document
        </TextLink>
      </p>
      {tags.map(({ slug, name, description, entries }) => (
        <section key={slug} aria-labelledby={slug} className="mt-8">
          <h2 id={slug} className="scroll-mt-24 text-lg font-semibold">
            <TextLink href={`/docs/reference/${slug}`}>{name}</TextLink>
          </h2>
          <p className="mt-1 text-muted">{description}</p>
          <ul className="mt-3 divide-y divide-line rounded-lg border border-line bg-panel">
            {entries.map(({ id, method, path, summary }) => (
              <li key={id} className="grid gap-x-4 px-4 py-2 sm:grid-cols-[14rem_minmax(0,1fr)]">
                <TextLink href={`/docs/reference/${slug}#${id}`} prefetch={false}>
                  {summary}
                </TextLink>
                <OperationName method={method} path={path} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
