/** A text in three parts, of which the middle is what differs. */
export type Parts = { before: string; marked: string; after: string }

/** Characters shown on each side of a difference in a long value. */
const around = 28

/** Fewer characters than this in common are an accident: the last letter of two host names. */
const least = 3

/** What was found beside what was expected. Only the middle differs; the ends of long values are left out. */
export function difference(expected: string, found: string): { expected: Parts; found: Parts } {
  if (expected === found) return { expected: whole(expected), found: whole(found) }
  const start = significant(commonStart(expected, found))
  const end = significant(commonStart(reversed(expected.slice(start)), reversed(found.slice(start))))
  return { expected: shortened(cut(expected, start, end)), found: shortened(cut(found, start, end)) }
}

/** The part of a name that is too much: `send.acme.com.acme.com` for `send.acme.com` has `acme.com.` marked. */
export function nameDifference(expected: string, found: string): Parts {
  const end = commonStart(reversed(expected), reversed(found))
  const start = commonStart(expected.slice(0, expected.length - end), found.slice(0, found.length - end))
  const parts = cut(found, start, end)
  if (!parts.marked.startsWith(".") || !parts.after.startsWith(".")) return parts
  return { before: `${parts.before}.`, marked: `${parts.marked.slice(1)}.`, after: parts.after.slice(1) }
}

function whole(text: string): Parts {
  return shortened({ before: text, marked: "", after: "" })
}

function significant(common: number): number {
  return common < least ? 0 : common
}

function cut(text: string, start: number, end: number): Parts {
  return {
    before: text.slice(0, start),
    marked: text.slice(start, text.length - end),
    after: text.slice(text.length - end),
  }
}

function shortened({ before, marked, after }: Parts): Parts {
  return {
    before: before.length > 2 * around ? `${gap}${before.slice(-around)}` : before,
    marked: marked.length > 3 * around ? `${marked.slice(0, 2 * around)}${gap}${marked.slice(-around)}` : marked,
    after: after.length > 2 * around ? `${after.slice(0, around)}${gap}` : after,
  }
}

/** The word joiner keeps browsers from breaking the line beside the dots. */
const gap = "\u2060…\u2060"

function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  for (let at = 0; at < most; at++) if (a[at] !== b[at]) return at
  return most
}

function reversed(text: string): string {
  return [...text].reverse().join("")
}
