import { guideNames, guideSource, guides, type GuideName } from "@/lib/docs/guides"
import { written, type Reader } from "@/lib/docs/reader-rules"

/** A guide as Markdown, whose links lead to other guides in the same form, on this installation. */
export function guideMarkdown(name: GuideName, reader: Reader): string {
  const guideAddresses = new RegExp(`^/docs/(${guideNames.join("|")})(?=#|$)`)
  const text = written(guideSource(name), reader).replaceAll(/<!--.*?-->\n*/gs, "")
  return text.replaceAll(
    /\]\((\/[^)\s]*)\)/g,
    (_, path: string) => `](${reader.baseUrl}${path.replace(guideAddresses, "/docs/$1.md")})`,
  )
}

/** What a program that reads the documentation starts from, in the form of https://llmstxt.org. */
export function llmsText({ baseUrl }: Reader): string {
  const linked = [...guides()].map(([name, { title, lead }]) => `- [${title}](${baseUrl}/docs/${name}.md): ${lead}`)
  return [
    "# Mailroom",
    "> Self-hosted transactional email: send email by HTTP API or SMTP, see what became of each one, and keep contacts, topics, segments, templates and webhooks around it.",
    `This installation is at ${baseUrl}. Requests carry an API key: \`Authorization: Bearer mr_live_…\`. Errors are problem documents (RFC 9457), whose \`type\` is a page that explains the code and whose \`errors\` name each invalid field by a JSON Pointer. \`GET ${baseUrl}/v1/key\` answers the project and the permissions of a key.`,
    "## Guides",
    linked.join("\n"),
    "## API",
    [
      `- [OpenAPI document](${baseUrl}/v1/openapi.json): every operation with its schemas, problems, permissions, rate limit and examples, and the bodies of webhook calls.`,
      `- [Postman collection](${baseUrl}/docs/collection.json): a request for every operation that an API key may call.`,
      `- [All guides in one file](${baseUrl}/llms-full.txt)`,
    ].join("\n"),
  ].join("\n\n")
}

/** All guides in one text. */
export function llmsFullText(reader: Reader): string {
  return guideNames.map((name) => guideMarkdown(name, reader)).join("\n\n---\n\n")
}
