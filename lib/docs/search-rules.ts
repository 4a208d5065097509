export type SearchEntry = { title: string; context: string; href: string; text: string }

const most = 12

/** Entries that contain every word, those with the words in their title first. */
export function searched(entries: readonly SearchEntry[], query: string): SearchEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const ranked = entries.flatMap((entry) => {
    const [title, context, text] = [entry.title, entry.context, entry.text].map((part) => part.toLowerCase())
    const ranks = words.map((word) =>
      title?.startsWith(word)
        ? 4
        : title?.includes(word)
          ? 3
          : context?.includes(word)
            ? 2
            : text?.includes(word)
              ? 1
              : 0,
    )
    return ranks.includes(0) ? [] : [{ entry, rank: ranks.reduce((sum: number, one) => sum + one, 0) }]
  })
  return ranked
    .sort((a, b) => b.rank - a.rank)
    .slice(0, most)
    .map(({ entry }) => entry)
}
