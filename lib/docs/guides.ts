import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fieldTables } from "@/lib/faces/tables"
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

/** The part of Markdown that the guides use: headings, paragraphs, lists, tables, code; text, code, bold and links within a line. */
export type Inline = { kind: "text" | "code" | "strong"; text: string } | { kind: "link"; text: string; href: string }

export type Block =
  | { kind: "heading"; level: 2 | 3; id: string; text: string }
  | { kind: "paragraph"; content: Inline[] }
  | { kind: "list"; ordered: boolean; start?: number; items: Inline[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] }
  | ({ kind: "code" } & Sample)
  | { kind: "tabs"; samples: Sample[] }

export type Sample = { lang: string; code: string }

export type Guide = { title: string; lead: string; blocks: Block[] }

/**
 * The first line is the title, the paragraph after it the lead. HTML comments name samples for the tests; between
 * `<!-- tabs -->` and `<!-- tabs end -->` is the same sample in several languages.
 */
export function parseGuide(source: string): Guide {
  const marked = source.replaceAll("<!-- tabs -->", tabsStart).replaceAll("<!-- tabs end -->", tabsEnd)
  const [first = "", ...rest] = marked.replace(/<!--.*?-->\n*/gs, "").split("\n")
  const blocks = parseBlocks(rest)
  const [lead, ...others] = blocks
  return {
    title: first.replace(/^# /, ""),
    lead: lead?.kind === "paragraph" ? plain(lead.content) : "",
    blocks: others,
  }
}

const tabsStart = ":::tabs"
const tabsEnd = ":::"

function parseBlocks(lines: string[]): Block[] {
  const blocks: Block[] = []
  let at = 0
  const takeWhile = (test: (line: string) => boolean) => {
    const from = at
    while (at < lines.length && test(lines[at] ?? "")) at++
    return lines.slice(from, at)
  }
  while (at < lines.length) {
    const line = lines[at] ?? ""
    if (line.trim() === "") at++
    else if (isFence(line)) {
      // Within a list it is indented, with all of its lines.
      const indent = line.indexOf("`")
      at++
      const code = takeWhile((one) => !isFence(one))
      at++
      blocks.push({
        kind: "code",
        lang: line.trim().slice(3),
        code: code.map((one) => one.slice(Math.min(indent, one.length))).join("\n"),
      })
    } else if (line === tabsStart) {
      at++
      const samples = parseBlocks(takeWhile((one) => one !== tabsEnd))
      at++
      blocks.push({
        kind: "tabs",
        samples: samples.filter((block) => block.kind === "code").map(({ lang, code }) => ({ lang, code })),
      })
    } else if (line.startsWith("#")) {
      at++
      const text = line.replace(/^#+ /, "")
      blocks.push({ kind: "heading", level: line.startsWith("###") ? 3 : 2, id: headingSlugOf(text), text })
    } else if (line.startsWith("|")) blocks.push(tableOf(takeWhile((one) => one.startsWith("|"))))
    else if (isItem(line))
      blocks.push(listOf(takeWhile((one) => isItem(one) || (one.startsWith("  ") && !isFence(one)))))
    else blocks.push({ kind: "paragraph", content: parseInline(takeWhile(isProse).join(" ")) })
  }
  return blocks
}

const isFence = (line: string) => line.trimStart().startsWith("```")
const isItem = (line: string) => /^(?:-|\d{1,2}\.) /.test(line)
const isProse = (line: string) => line.trim() !== "" && !/^(?:#|\||```)/.test(line) && !isItem(line)

function listOf(lines: string[]): Block {
  const items: string[] = []
  for (const line of lines) {
    if (isItem(line)) items.push(line.replace(/^\S+ /, ""))
    else items.push(`${items.pop() ?? ""} ${line.trim()}`)
  }
  const start = parseInt(lines[0] ?? "", 10)
  return {
    ...{ kind: "list", ordered: !Number.isNaN(start), items: items.map(parseInline) },
    // The steps before and after a sample are one list.
    ...(start > 1 ? { start } : {}),
  }
}

function tableOf(lines: string[]): Block {
  const cells = (line: string) =>
    line
      .slice(1, line.lastIndexOf("|"))
      .split(/(?<!\\)\|/)
      .map((cell) => parseInline(cell.trim().replaceAll("\\|", "|")))
  const [head = "", , ...rows] = lines
  return { kind: "table", head: cells(head), rows: rows.map(cells) }
}

export function parseInline(text: string): Inline[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/).flatMap((part): Inline[] => {
    if (part === "") return []
    if (part.startsWith("`")) return [{ kind: "code", text: part.slice(1, -1) }]
    if (part.startsWith("**")) return [{ kind: "strong", text: part.slice(2, -2) }]
    const link = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(part)
    if (link) return [{ kind: "link", text: link[1] ?? "", href: link[2] ?? "" }]
    return [{ kind: "text", text: part }]
  })
}

export function plain(content: Inline[]): string {
  return content.map(({ text }) => text).join("")
}

export function headingSlugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
}
