import { fold, tokensOf } from "@/lib/emails/search/fold-rules"
import { decodeId } from "@/lib/platform/ids"

/** What a search looks at in an email. */
export type Searched = {
  fromHeader: string
  toHeaders: readonly string[]
  ccHeaders: readonly string[]
  bccHeaders: readonly string[]
  subject: string
  tags: Readonly<Record<string, string>> | null
}

/** Of one email; recipients and subject come first. A send to 50 long addresses must not weigh as much as 50 sends. */
const lineCharsMax = 4_000
const gramChars = 3

/** What is searched of an email, folded. */
export function lineOf({ fromHeader, toHeaders, ccHeaders, bccHeaders, subject, tags }: Searched): string {
  const labels = Object.entries(tags ?? {}).map(([name, value]) => `${name}:${value}`)
  const all = [...toHeaders, ...ccHeaders, ...bccHeaders, subject, fromHeader, ...labels].join("\n")
  // PostgreSQL stores no NUL, and half of a pair of surrogates is no character.
  return fold(all).slice(0, lineCharsMax).replaceAll("\0", "").toWellFormed()
}

export function hasWords(line: string, words: readonly string[]): boolean {
  return words.every((word) => line.includes(word))
}

/**
 * Hashes of all parts of one, two and three characters in these lines, which an index finds. The project is part of each hash,
 * so that a search costs nothing for the emails of others.
 */
export function gramsOf(projectId: string, lines: Iterable<string>): number[] {
  const seed = hash(projectId, offsetBasis)
  const texts = new Set<string>()
  for (const line of lines) for (const token of tokensOf(line)) addGrams(token, texts)
  return [...new Set(Array.from(texts, (text) => hash(text, seed)))]
}

/** The hashes that the grams of every match contain. */
export function gramsOfWords(projectId: string, words: readonly string[]): number[] {
  const seed = hash(projectId, offsetBasis)
  const grams = words.flatMap((word) =>
    word.length < gramChars
      ? [word]
      : Array.from({ length: word.length - gramChars + 1 }, (_, at) => word.slice(at, at + gramChars)),
  )
  return [...new Set(grams.map((gram) => hash(gram, seed)))]
}

/** The emails whose id begins like this, as the first and the last of them; null if it is no beginning of an id. */
export function idsLike(search: string): { first: string; last: string } | null {
  const [, prefix, suffix = ""] = /^\s*(email_)?([0-9a-hjkmnp-tv-z]{6,26})\s*$/.exec(search.toLowerCase()) ?? []
  // Without its prefix only a whole id is one: a shorter text may be a word.
  if (!prefix && suffix.length < idChars) return null
  const first = decodeId("email", `email_${suffix.padEnd(idChars, "0")}`)
  const last = decodeId("email", `email_${suffix.padEnd(idChars, "z")}`)
  return first && last ? { first, last } : null
}

const idChars = 26

function addGrams(token: string, grams: Set<string>) {
  for (let at = 0; at < token.length; at++)
    for (let chars = 1; chars <= gramChars && at + chars <= token.length; chars++)
      grams.add(token.slice(at, at + chars))
}

const offsetBasis = 0x811c9dc5

/** FNV-1a over UTF-16 units, as PostgreSQL's integer. */
function hash(text: string, seed: number): number {
  let value = seed
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value | 0
}
