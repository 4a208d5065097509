import { splitAddresses } from "@/components/compose/addresses"

/** A list of recipients as its field has it: those that are finished, and the text that is still being typed. */
export type Entries = { done: string[]; typed: string }

/** The last entry is still being typed if it is that text. */
export function entriesOf(value: string, typed: string): Entries {
  const all = splitAddresses(value)
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
  return splitAddresses(text.replaceAll("\r", "\n").replaceAll("\t", "\n"))
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
