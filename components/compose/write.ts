type Block = { kind: "heading" | "paragraph" | "list"; lines: string[] }

type Span = { text: string; bold?: true; italic?: true; href?: string }

/** Whether the HTML is what was written, and not written by hand. */
export function isWritten({ write, html }: { write: string; html: string }): boolean {
  return html === htmlOf(write)
}

/**
 * What is written in paragraphs, as HTML and as text. Of Markdown it takes what an email needs: `# heading`, `- item`,
 * `**bold**`, `*italic*`, `[words](https://…)` and bare links. Everything else is text, so no markup of anybody gets through.
 */
export function htmlOf(written: string): string {
  const blocks = blocksOf(written).map(({ kind, lines }) => {
    const html = lines.map((line) => spansOf(line).map(spanHtml).join(""))
    if (kind === "heading") return `<h2>${html.join(" ")}</h2>`
    if (kind === "list") return `<ul>\n${html.map((line) => `  <li>${line}</li>`).join("\n")}\n</ul>`
    return `<p>${html.join("<br>\n")}</p>`
  })
  return blocks.length ? `<div style="${style}">\n${blocks.join("\n")}\n</div>` : ""
}

export function textOf(written: string): string {
  return blocksOf(written)
    .map(({ kind, lines }) =>
      lines.map((line) => (kind === "list" ? "- " : "") + spansOf(line).map(spanText).join("")).join("\n"),
    )
    .join("\n\n")
}

const style = "font:16px/1.5 system-ui,sans-serif;max-width:600px"

function blocksOf(written: string): Block[] {
  const blocks: Block[] = []
  let ended = true
  for (const line of written.split("\n").map((each) => each.trim())) {
    const [, heading] = /^#{1,6}\s+(.+)$/.exec(line) ?? []
    const [, item] = /^[-*•]\s+(.+)$/.exec(line) ?? []
    const kind = heading ? "heading" : item ? "list" : "paragraph"
    const last = blocks.at(-1)
    if (line === "") ended = true
    else if (!ended && last?.kind === kind && kind !== "heading") last.lines.push(item ?? line)
    else {
      blocks.push({ kind, lines: [heading ?? item ?? line] })
      ended = false
    }
  }
  return blocks
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
