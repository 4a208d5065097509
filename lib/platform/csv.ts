import { csvLine } from "@/lib/platform/csv-rules"
import { Reply } from "@/lib/platform/http/endpoint"

export type CsvDownload<T> = {
  filename: string
  columns: readonly string[]
  /** Read one after the other: each when the client has taken the previous one. */
  groups: AsyncGenerator<T[]>
  cellsOf(item: T): readonly string[]
}

/**
 * The response of an export: CSV (RFC 4180, UTF-8) streamed as it is read, so that it may be of any length. The header is
 * not quoted, the cells are. A client that disconnects ends the reading.
 */
export async function csvDownload<T>({ filename, columns, groups, cellsOf }: CsvDownload<T>): Promise<Reply> {
  // The first group is read before the response begins, so that a failure there is still a problem document.
  const first = await groups.next()
  const encoder = new TextEncoder()
  const linesOf = (items: T[]) => encoder.encode(items.map((item) => csvLine(cellsOf(item))).join(""))
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(`${columns.join(",")}\r\n`))
        if (!first.done && first.value.length) controller.enqueue(linesOf(first.value))
      },
      async pull(controller) {
        const next = await groups.next()
        if (next.done) controller.close()
        else controller.enqueue(linesOf(next.value))
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
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${filename}"`,
      "X-Content-Type-Options": "nosniff",
    },
  })
}
