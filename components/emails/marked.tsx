import { piecesOf } from "@/lib/emails/search/fold-rules"

/** A text with the words of the search tinted. */
export function Marked({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return text
  return piecesOf(text, words).map(({ text: piece, found }, index) =>
    found ? (
      <mark key={index} className="rounded-xs bg-accent/15 py-px text-text">
        {piece}
      </mark>
    ) : (
      piece
    ),
  )
}
