/** A piece of a sentence; `code` is a host or name as one types it. */
export type Piece = { text: string; code: boolean }

/** Names with a dot inside, and a host: "Enter send as the host." */
const typed = /(?<=\bto the host |\bEnter )[\w@*-]+(?:\.[\w-]+)*|[\w:@-]+(?:\.[\w-]+)+/g

/** A sentence about the DNS in pieces, so that what to type can be set as code. */
export function proseOf(sentence: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const match of sentence.matchAll(typed)) {
    if (match.index > at) pieces.push({ text: sentence.slice(at, match.index), code: false })
    pieces.push({ text: match[0], code: true })
    at = match.index + match[0].length
  }
  if (at < sentence.length) pieces.push({ text: sentence.slice(at), code: false })
  return pieces
}
