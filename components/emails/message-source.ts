export type Header = { name: string; value: string }

/** The header fields of a message in their order, unfolded (RFC 5322 section 2.2.3). */
export function headersOf(raw: string): Header[] {
  const end = raw.search(/\r?\n\r?\n/)
  const head = end < 0 ? raw : raw.slice(0, end)
  const lines = head.replace(/\r?\n(?=[ \t])/g, "").split(/\r?\n/)
  return lines.flatMap((line) => {
    const colon = line.indexOf(":")
    return colon < 1 ? [] : [{ name: line.slice(0, colon), value: line.slice(colon + 1).trim() }]
  })
}

/** Size in words: "4.1 kB". */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
