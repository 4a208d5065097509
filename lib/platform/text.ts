/**
 * A text from outside in a form that PostgreSQL and JSON accept: at most so many characters, no NUL, and no lone
 * surrogate, which cutting by code units can leave of an emoji.
 */
export function cutText(text: string, charsMax: number): string {
  // A character has at most two code units, so nothing beyond that is read.
  const units = text.length > 2 * charsMax ? text.slice(0, 2 * charsMax) : text
  const clean = units.toWellFormed().replaceAll("\0", "\ufffd")
  return clean.length <= charsMax ? clean : [...clean].slice(0, charsMax).join("")
}

/** A text that LIKE compares as it is; Prisma's `contains` makes a pattern of what it is given. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&")
}
