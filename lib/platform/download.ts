import { csvLine, headerLine } from "@/lib/platform/csv-rules"
import { Reply } from "@/lib/platform/http/endpoint"

type Rows<T> = {
  filename: string
  /** Read one after the other: each when the client has taken the previous one. */
  groups: AsyncGenerator<T[]>
}

/**
 * The response of an export as CSV (RFC 4180, UTF-8), streamed, so it can have any length. The header is
 * quoted where a name needs it, the cells always are. A client that disconnects ends the reading.
 */
export async function csvDownload<T>(
  rows: Rows<T> & { columns: readonly string[]; cellsOf(item: T): readonly string[] },
): Promise<Reply> {
  return download(rows, "text/csv; charset=utf-8", {
    start: headerLine(rows.columns),
    textOf: (items) => items.map((item) => csvLine(rows.cellsOf(item))).join(""),
    end: "",
  })
}

/** The same as a JSON array. */
export async function jsonDownload<T>(rows: Rows<T> & { valueOf(item: T): unknown }): Promise<Reply> {
  let separator = ""
  return download(rows, "application/json", {
    start: "[",
    textOf(items) {
      const text = separator + items.map((item) => JSON.stringify(rows.valueOf(item))).join(",\n")
      separator = ",\n"
      return text
    },
    end: "]\n",
  })
}

type Format<T> = { start: string; textOf(items: T[]): string; end: string }

async function download<T>({ filename, groups }: Rows<T>, contentType: string, format: Format<T>): Promise<Reply> {
  // The first group is read before the response begins, so that a failure there is still a problem document.
  const first = await groups.next()
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const items = first.done || !first.value.length ? "" : format.textOf(first.value)
        controller.enqueue(encoder.encode(format.start + items))
      },
      async pull(controller) {
        const next = await groups.next()
        if (!next.done) return controller.enqueue(encoder.encode(format.textOf(next.value)))
        if (format.end) controller.enqueue(encoder.encode(format.end))
        controller.close()
      },
      async cancel() {
        await groups.return(undefined)
      },
    },
    { highWaterMark: 1 },
  )
  return new Reply(200, {
    stream,
    headers: {
      "Content-Type": contentType,
      "Content-Disposition": `attachment; filename="${filename}"`,
      "X-Content-Type-Options": "nosniff",
    },
  })
}

/** A message (RFC 5322) byte for byte: strangers may have written it, so it is saved and never shown as a page of ours. */
export function messageReply(raw: Uint8Array): Reply {
  return new Reply(200, {
    stream: new Uint8Array(raw),
    headers: {
      "Content-Type": "message/rfc822",
      "Content-Disposition": 'attachment; filename="message.eml"',
      "Content-Security-Policy": "sandbox; default-src 'none'",
      "X-Content-Type-Options": "nosniff",
    },
  })
}
