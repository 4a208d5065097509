"use client"

import { formatNumber } from "@/lib/platform/format"
import { CodeBlock } from "@/components/ui/code-block"
import { KeyValues } from "@/components/ui/key-values"
import { useQuery } from "@tanstack/react-query"
import { SkeletonRows } from "@/components/ui/loading"
import { LoadError } from "@/components/data/load-error"
import { rawQuery } from "@/components/emails/queries"

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

type SourceTabProps = { projectId: string; emailId: string; part: "headers" | "raw" }

/** The signed bytes of the message, fetched when the tab is opened. */
export function SourceTab({ projectId, emailId, part }: SourceTabProps) {
  const raw = useQuery(rawQuery(projectId, emailId))
  if (raw.isPending) return <SkeletonRows rows={4} label="Loading the message" />
  if (raw.isError) return <LoadError error={raw.error} onRetry={() => void raw.refetch()} retrying={raw.isFetching} />
  const { source, missing } = raw.data
  if (source === undefined) return <p className="px-4 py-3 text-muted">{missing}</p>
  if (part === "headers") return <HeaderList headers={headersOf(source)} />
  return (
    <>
      <p className="border-b border-line px-4 py-2.5 text-muted">
        {sizeWords(new Blob([source]).size)}, as every attempt sends it.{" "}
        <a
          href={`/v1/projects/${projectId}/emails/${emailId}/raw`}
          download={`${emailId}.eml`}
          className="text-accent underline underline-offset-2"
        >
          Download .eml
        </a>
      </p>
      <EmailSource text={source} name="raw message" />
    </>
  )
}
