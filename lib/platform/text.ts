/**
 * A text from outside as PostgreSQL and JSON take it: at most so many characters, no NUL, and no half of a surrogate
 * pair, which a cut by code units leaves behind an emoji.
 */
export function cutText(text: string, charsMax: number): string {
  // A character has at most two code units: what lies further back is not even read.
  const units = text.length > 2 * charsMax ? text.slice(0, 2 * charsMax) : text
  const clean = units.toWellFormed().replaceAll("\0", "\ufffd")
  return clean.length <= charsMax ? clean : [...clean].slice(0, charsMax).join("")
}
