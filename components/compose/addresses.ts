import type { Broadcast } from "@/components/broadcasts/queries"

/** The addresses in a field: separated by comma, semicolon or line, but not inside quotes or angle brackets. */
export function splitTypedAddresses(text: string): string[] {
  const found: string[] = []
  let current = ""
  let quoted = false
  let angled = false
  for (const char of text) {
    const previous = current.at(-1)
    if (char === '"' && previous !== "\\") quoted = !quoted
    if (!quoted && char === "<") angled = true
    if (!quoted && char === ">") angled = false
    const ends = char === "\n" || (!quoted && !angled && (char === "," || char === ";"))
    if (!ends) {
      current += char
      continue
    }
    found.push(current)
    current = ""
    quoted = false
    angled = false
  }
  return [...found, current].map((each) => each.trim()).filter(Boolean)
}

/** The topic or segment that To names in place of addresses; null where To has addresses. */
export function audienceIn(to: string): string | null {
  return /^\s*((?:top|seg)_[0-9a-z]{26})\s*$/.exec(to)?.[1] ?? null
}

/** The topic in To: the email belongs to it, whatever else has been chosen. */
export function topicIn(to: string): string | null {
  const id = audienceIn(to)
  return id?.startsWith("top_") ? id : null
}

/** A list of recipients as its field has it: those that are finished, and the text that is still being typed. */
type Entries = { done: string[]; typed: string }

/** The last entry is still being typed if it is that text. */
export function entriesOf(value: string, typed: string): Entries {
  const all = splitTypedAddresses(value)
  const text = typed.trim()
  return text && all.at(-1) === text ? { done: all.slice(0, -1), typed } : { done: all, typed: "" }
}

/** As one text. A line ends an entry even where a quote was left open. */
export function joined({ done, typed }: Entries): string {
  return [...done, typed.trim()].filter(Boolean).join("\n")
}

/** With more entries; one that is there already is not added again. */
export function withMore(done: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...done, ...more])]
}

/** Entries of a pasted text: separated by comma, semicolon, line or tab; bare addresses also by space. */
export function pasted(text: string): string[] {
  const words = text.trim().split(/\s+/)
  if (words.length > 1 && words.every((word) => /^[^\s<>",;@]+@[^\s<>",;@]+[,;]?$/.test(word)))
    return words.map((word) => word.replace(/[,;]$/, ""))
  return splitTypedAddresses(text.replaceAll("\r", "\n").replaceAll("\t", "\n"))
}

/** Whether the text is a complete address, so that no suggestion should replace it. */
export function isFinished(typed: string): boolean {
  return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$|<[^<>]+>$/.test(typed.trim())
}

/** `Name <address>`, the name in quotes where it needs them. */
export function named(name: string, address: string): string {
  if (!name) return address
  return `${/^[\p{L}\p{N} .'’-]+$/u.test(name) ? name : `"${name.replace(/["\\]/g, "\\$&")}"`} <${address}>`
}

/** Whether the form has a field for all that the draft has: a draft made by the API may have many recipients. */
export function isEditable({ status, to }: Pick<Broadcast, "status" | "to">): boolean {
  return status === "draft" && to.length === 1 && audienceIn(to[0] ?? "") !== null
}
