/** A number as people read it in English: `12,345.6`. */
export function formatNumber(value: number): string {
  return value.toLocaleString("en")
}

/** A share as a percentage, small ones with the digits that matter: `6.5%`, `0.12%`. */
export function percentText(share: number): string {
  const value = share * 100
  return `${value < 1 ? Number(value.toFixed(2)) : Number(value.toFixed(1))}%`
}

/** `1 email`, `1,204 emails` */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

/** "2026-11-27 16:46 UTC" */
export function utcMinute(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`
}

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
