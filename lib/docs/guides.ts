import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fieldTables } from "@/lib/faces/tables"
import { type Guide, parseGuide } from "@/lib/docs/markdown"
import type { FaceName } from "@/lib/platform/env/fields"
import { nobody, written, type Reader } from "@/lib/docs/reader-rules"

/** In the order in which a newcomer reads them. */
const names = [
  "quickstart",
  "keys",
  "domains",
  "sending",
  "templates",
  "idempotency",
  "contacts",
  "broadcasts",
  "suppression",
  "events",
  "webhooks",
  "inbound",
  "tracking",
  "lists",
  "errors",
  "limits",
  "moving",
  "sdk",
  "mcp",
  "smtp",
  "other-services",
  "changes",
] as const

type GuideName = (typeof names)[number]

/** The folder of their pages, where the prose is. */
export const guidesFolder = "app/docs/(guides)/[guide]"

let loaded: Map<string, Guide> | undefined

/** Every guide by its name, written for nobody in particular. Read once: the files come with the release. */
export function guides(): ReadonlyMap<string, Guide> {
  loaded ??= new Map(names.map((name) => [name, guideFor(name, nobody)]))
  return loaded
}

export function guideFor(name: GuideName, reader: Reader): Guide {
  return parseGuide(written(guideSource(name), reader))
}

const sources = new Map<GuideName, string>()

/** As it is in its file: for nobody yet. */
export function guideSource(name: GuideName): string {
  const known = sources.get(name)
  if (known !== undefined) return known
  const text = readFileSync(join(/* turbopackIgnore: true */ process.cwd(), guidesFolder, `${name}.md`), "utf8")
  const source = text.replace(/<!-- fields: (\w+) -->/g, (_, face: FaceName) => fieldTables(face))
  sources.set(name, source)
  return source
}

export const guideNames: readonly GuideName[] = names

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

/** What who runs the installation reads: the same files as beside the code. */
const files = {
  operating: join("lib", "cli", "README.md"),
  hosts: join("lib", "deploy", "operating.md"),
} as const

export type OperatingPage = keyof typeof files

export const operatingPages = Object.keys(files) as OperatingPage[]

let loadedPages: Map<OperatingPage, Guide> | undefined

/** Both by their name. Read once: the files come with the release. */
export function operatingGuides(): ReadonlyMap<OperatingPage, Guide> {
  loadedPages ??= new Map(operatingPages.map((page) => [page, guideOf(files[page])]))
  return loadedPages
}

/** The words of the dashboard, which these files have in italics, are bold here as in the guides. */
function guideOf(file: string): Guide {
  const source = readFileSync(join(/* turbopackIgnore: true */ process.cwd(), file), "utf8")
  const names = {
    "`lib/cli/README.md`": "[Operating Mailroom](/docs/operating)",
    "`lib/deploy/operating.md`": "[From one machine to several](/docs/hosts)",
  }
  const linked = Object.entries(names).reduce((text, [name, link]) => text.replaceAll(name, link), source)
  return parseGuide(linked.replaceAll(/(?<![\w`])_([^_`\n]+)_(?![\w`])/g, "**$1**"))
}
