import { decodeId } from "@/lib/platform/ids"

export const searchCharsMax = 200
export const searchWordsMax = 8

/** Without case, accents and the differences of width that Unicode calls compatible. */
export function fold(text: string): string {
  // A sigma is written in another way at the end of a word, which a part of a word does not know.
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ς", "σ")
}

/** The parts of which each must occur in an email. None means that nothing can match. */
export function wordsOf(search: string): string[] {
  return [...new Set(tokensOf(fold(search)))].slice(0, searchWordsMax)
}

function tokensOf(folded: string): string[] {
  return folded.split(/\s+/u).filter(Boolean)
}

type Piece = { text: string; found: boolean }

/** A text in pieces, those that match a word marked. */
export function piecesOf(text: string, words: readonly string[]): Piece[] {
  const characters = [...text]
  // Where each unit of the folded text comes from: folding may leave out a character or make several of it.
  const origins = characters.flatMap((character, at) => Array<number>(fold(character).length).fill(at))
  const folded = characters.map(fold).join("")
  const marked = new Set<number>()
  for (const word of words)
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1))
      for (let unit = at; unit < at + word.length; unit++) marked.add(origins[unit] ?? -1)
  const pieces: Piece[] = []
  for (const [at, character] of characters.entries()) {
    const found = marked.has(at)
    const last = pieces.at(-1)
    if (last?.found === found) last.text += character
    else pieces.push({ text: character, found })
  }
  return pieces
}

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
