export type WriteMark = "bold" | "italic" | "heading" | "list" | "link" | "image" | "button"

/** Text to put in place of a range, and what is selected in it afterwards. */
export type Edit = { from: number; to: number; text: string; select: [from: number, to: number] }

const around = { bold: "**", italic: "*" }
const before = { heading: "# ", list: "- " }
const target = "https://"

/** Puts a mark on what is selected, or takes it off where it is already. */
export function markEdit(written: string, from: number, to: number, mark: WriteMark): Edit {
  if (mark === "link") return linkEdit(written, from, to, { open: "[", close: "]", words: "words" })
  if (mark === "image") return aloneEdit(written, from, to, { open: "![", close: "]", words: "What it shows" })
  if (mark === "button") return aloneEdit(written, from, to, { open: "[[", close: "]]", words: "Open it" })
  return mark === "bold" || mark === "italic"
    ? wrapEdit(written, from, to, around[mark])
    : linesEdit(written, from, to, before[mark])
}

type Linked = { open: string; close: string; words: string }

/** Leaves the address selected: it is what is typed next. */
function linkEdit(written: string, from: number, to: number, { open, close, words }: Linked): Edit {
  const linked = `${open}${written.slice(from, to) || words}${close}(`
  const at = from + linked.length
  return { from, to, text: `${linked}${target})`, select: [at, at + target.length] }
}

/** A link on a separate line: the text around it moves to other lines. */
function aloneEdit(written: string, from: number, to: number, linked: Linked): Edit {
  const before = written.slice(0, from)
  const lead = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n"
  const tail = written.slice(to) === "" || written.slice(to).startsWith("\n") ? "" : "\n\n"
  const { text, select } = linkEdit(written, from, to, linked)
  return { from, to, text: lead + text + tail, select: [select[0] + lead.length, select[1] + lead.length] }
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
export function applyEdit(area: HTMLTextAreaElement | HTMLInputElement, { from, to, text, select }: Edit) {
  area.focus()
  area.setSelectionRange(from, to)
  document.execCommand("insertText", false, text)
  area.setSelectionRange(...select)
}
