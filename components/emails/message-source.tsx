import { formatNumber } from "@/lib/platform/format"
import { CodeBlock } from "@/components/ui/code-block"
import { KeyValues } from "@/components/ui/key-values"

/** A browser draws this many characters at once without a pause. */
const shownMax = 200_000

/** Source text to read and copy: the copy is always whole, very long text is shown in part. */
export function EmailSource({ text, name }: { text: string; name: string }) {
  return (
    <>
      <CodeBlock bare code={text} name={name}>
        {text.slice(0, shownMax)}
      </CodeBlock>
      {text.length > shownMax ? (
        <p className="border-t border-line px-4 py-2.5 text-muted">
          The first {formatNumber(shownMax)} of {formatNumber(text.length)} characters are shown. Copy includes all of
          them.
        </p>
      ) : null}
    </>
  )
}

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

/** The header fields of a message, as they are in it. */
export function HeaderList({ headers }: { headers: Header[] }) {
  return (
    <KeyValues
      className="sm:grid-cols-[180px_1fr]"
      items={headers.map(({ name, value }) => ({
        label: name,
        value: <code className="[overflow-wrap:anywhere]">{value}</code>,
      }))}
    />
  )
}
