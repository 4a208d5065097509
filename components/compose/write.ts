type Block =
  | { kind: "heading" | "paragraph" | "list"; lines: string[] }
  | { kind: "button"; words: string; href: string }
  | { kind: "image"; words: string; src: string }

type Span = { text: string; bold?: true; italic?: true; href?: string }

/** Whether the HTML is what was written, and not written by hand. */
export function isWritten({ write, html }: { write: string; html: string }): boolean {
  return html === writtenHtml(write)
}

/**
 * What is written in paragraphs, as HTML and as text. Of Markdown it takes what an email needs: `# heading`, `- item`,
 * `**bold**`, `*italic*`, `[words](https://…)`, bare links and, on a line of its own, `![picture](https://…)`; further a
 * button, `[[words]](https://…)`. Everything else is text, so no markup of anybody gets through.
 */
export function writtenHtml(written: string): string {
  const blocks = blocksOf(written).map(blockHtml)
  return blocks.length ? `<div style="${style}">\n${blocks.join("\n")}\n</div>` : ""
}

function blockHtml(block: Block): string {
  if (block.kind === "button")
    return `<p><a href="${escaped(block.href)}" style="${buttonStyle}">${escaped(block.words)}</a></p>`
  if (block.kind === "image")
    return `<p><img src="${escaped(block.src)}" alt="${escaped(block.words)}" style="${imageStyle}"></p>`
  const html = block.lines.map((line) => spansOf(line).map(spanHtml).join(""))
  if (block.kind === "heading") return `<h2>${html.join(" ")}</h2>`
  if (block.kind === "list") return `<ul>\n${html.map((line) => `  <li>${line}</li>`).join("\n")}\n</ul>`
  return `<p>${html.join("<br>\n")}</p>`
}

export function writtenText(written: string): string {
  return blocksOf(written).map(blockText).filter(Boolean).join("\n\n")
}

function blockText(block: Block): string {
  if (block.kind === "button") return spanText({ text: block.words, href: block.href })
  if (block.kind === "image") return block.words
  const sign = block.kind === "list" ? "- " : ""
  return block.lines.map((line) => sign + spansOf(line).map(spanText).join("")).join("\n")
}

const style = "font:16px/1.5 system-ui,sans-serif;max-width:600px"
const buttonStyle =
  "display:inline-block;padding:10px 18px;border:1px solid #6b6a63;border-radius:6px;background:#1b1b18;color:#fff;font-weight:bold;text-decoration:none"
const imageStyle = "max-width:100%;height:auto"

const buttonLine = /^\[\[([^[\]]+)\]\]\((https?:\/\/[^\s()]+|mailto:[^\s()]+)\)$/
/** An inline attachment is named by its content id. */
const imageLine = /^!\[([^[\]]*)\]\((https?:\/\/[^\s()]+|cid:[^\s()]+)\)$/

function blocksOf(written: string): Block[] {
  const blocks: Block[] = []
  let ended = true
  for (const line of written.split("\n").map((each) => each.trim())) {
    const alone = aloneOf(line)
    if (line === "" || alone) ended = true
    if (alone) blocks.push(alone)
    if (line === "" || alone) continue
    const [, heading] = /^#{1,6}\s+(.+)$/.exec(line) ?? []
    const [, item] = /^[-*•]\s+(.+)$/.exec(line) ?? []
    const kind = heading ? "heading" : item ? "list" : "paragraph"
    const last = blocks.at(-1)
    if (!ended && last?.kind === kind && kind !== "heading" && "lines" in last) last.lines.push(item ?? line)
    else blocks.push({ kind, lines: [heading ?? item ?? line] })
    ended = false
  }
  return blocks
}

/** A button or a picture: it has a line of its own. */
function aloneOf(line: string): Block | null {
  const [, words, href] = buttonLine.exec(line) ?? []
  if (words !== undefined && href !== undefined) return { kind: "button", words, href }
  const [, alt, src] = imageLine.exec(line) ?? []
  return alt !== undefined && src !== undefined ? { kind: "image", words: alt, src } : null
}

const marks =
  /\[([^[\]\n]+)\]\((https?:\/\/[^\s()]+|mailto:[^\s()]+)\)|(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])|\*\*(\S(?:[^*]*[^*\s])?)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*/g

function spansOf(line: string): Span[] {
  const spans: Span[] = []
  let from = 0
  for (const match of line.matchAll(marks)) {
    const [all, words, target, bare, bold, italic] = match
    if (match.index > from) spans.push({ text: line.slice(from, match.index) })
    if (words !== undefined && target !== undefined) spans.push({ text: words, href: target })
    else if (bare !== undefined) spans.push({ text: bare, href: bare })
    else if (bold !== undefined) spans.push({ text: bold, bold: true })
    else spans.push({ text: italic ?? all, italic: true })
    from = match.index + all.length
  }
  return from < line.length ? [...spans, { text: line.slice(from) }] : spans
}

function spanHtml({ text, bold, italic, href }: Span): string {
  const shown = escaped(text)
  if (href) return `<a href="${escaped(href)}">${shown}</a>`
  return bold ? `<strong>${shown}</strong>` : italic ? `<em>${shown}</em>` : shown
}

function spanText({ text, href }: Span): string {
  return href && href !== text ? `${text} (${href.replace(/^mailto:/, "")})` : text
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}
