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

export function tokensOf(folded: string): string[] {
  return folded.split(/\s+/u).filter(Boolean)
}

export type Piece = { text: string; found: boolean }

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
