export type Mark = "bold" | "italic" | "heading" | "list" | "link"

/** Text to put in place of a range, and what is selected in it afterwards. */
export type Edit = { from: number; to: number; text: string; select: [from: number, to: number] }

const around = { bold: "**", italic: "*" }
const before = { heading: "# ", list: "- " }
const target = "https://"

/** Puts a mark on what is selected, or takes it off where it is already. */
export function markEdit(written: string, from: number, to: number, mark: Mark): Edit {
  if (mark === "link") return linkEdit(written, from, to)
  return mark === "bold" || mark === "italic"
    ? wrapEdit(written, from, to, around[mark])
    : linesEdit(written, from, to, before[mark])
}

function linkEdit(written: string, from: number, to: number): Edit {
  const words = written.slice(from, to) || "words"
  const at = from + words.length + 3
  return { from, to, text: `[${words}](${target})`, select: [at, at + target.length] }
}

function wrapEdit(written: string, from: number, to: number, sign: string): Edit {
  const [start, end] = [from - sign.length, to + sign.length]
  const wrapped = written.slice(start, from) === sign && written.slice(to, end) === sign
  if (wrapped && from < to)
    return { from: start, to: end, text: written.slice(from, to), select: [start, to - sign.length] }
  const words = written.slice(from, to) || "words"
  return {
    from,
    to,
    text: sign + words + sign,
    select: [from + sign.length, from + sign.length + words.length],
  }
}

function linesEdit(written: string, from: number, to: number, sign: string): Edit {
  const start = written.lastIndexOf("\n", from - 1) + 1
  const after = written.indexOf("\n", to)
  const end = after < 0 ? written.length : after
  const lines = written.slice(start, end).split("\n")
  const marked = lines.every((line) => line.startsWith(sign))
  const text = lines.map((line) => (marked ? line.slice(sign.length) : sign + line)).join("\n")
  return { from: start, to: end, text, select: [start + text.length, start + text.length] }
}

/** As if typed, so that the browser can take it back. */
export function applyEdit(area: HTMLTextAreaElement, { from, to, text, select }: Edit) {
  area.focus()
  area.setSelectionRange(from, to)
  document.execCommand("insertText", false, text)
  area.setSelectionRange(...select)
}
