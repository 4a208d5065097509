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
