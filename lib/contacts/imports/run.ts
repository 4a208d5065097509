import { Readable } from "node:stream"
import type { ReadableStream as NodeReadableStream } from "node:stream/web"
import { CsvBroken, csvRows } from "@/lib/contacts/imports/rows"
import { readRow, type Draft, type Fault } from "@/lib/contacts/imports/rules"
import { endImport, releaseImport, type DueImport } from "@/lib/contacts/imports/store"
import { writeBatch } from "@/lib/contacts/imports/write-store"
import { declaredProperties } from "@/lib/contact-properties/store"
import { storage } from "@/lib/platform/storage/storage"

/** Rows of one transaction: short ones stand in nobody's way. */
const batchRows = 500

/**
 * Reads an import on from where it is to its end, batch by batch. A worker that dies leaves it to the next one, which
 * goes on after the last batch that was written. When `signal` aborts it is given back.
 */
export async function runImport(held: DueImport, signal: AbortSignal): Promise<void> {
  const failure = held.cancelled ? null : await readToEnd(held, signal)
  if (failure === "stopped") return releaseImport(held)
  if (failure === "lost") return
  await endImport(held, failure)
  await (await storage()).remove(held.key)
}

/** Null at the end of the file, why it cannot be read on, or why we stopped. */
async function readToEnd(held: DueImport, signal: AbortSignal): Promise<string | null> {
  const file = await (await storage()).get(held.key)
  if (!file) return "The file is gone."
  const source = Readable.fromWeb(file.stream as NodeReadableStream)
  const gather = createGatherer(held)
  try {
    let at = -1
    for await (const row of csvRows(source, held.options.delimiter)) {
      at += 1
      if (at === 0 || at <= held.processed) continue
      await gather.add(row)
      if (gather.size() < batchRows) continue
      if (!(await gather.write())) return "lost"
      if (signal.aborted) return "stopped"
    }
    return (await gather.write()) ? null : "lost"
  } catch (error) {
    if (error instanceof CsvBroken) return (await gather.write()) ? error.message : "lost"
    throw error
  }
}

/** Gathers rows to a batch: of an address that comes again, the later row is laid over the earlier. */
function createGatherer(held: DueImport) {
  const { header, targets } = held.options
  let declared: Awaited<ReturnType<typeof declaredProperties>> | null = null
  let drafts = new Map<string, Draft>()
  let refused: { line: number; faults: Fault[] }[] = []
  let rows = 0
  let bytesRead = 0

  return {
    size: () => rows,

    async add({ cells, line, bytes }: { cells: string[]; line: number; bytes: number }) {
      declared ??= await declaredProperties(held.projectId)
      rows += 1
      bytesRead = bytes
      const read = readRow(cells, { header, targets, declared })
      if ("faults" in read) return void refused.push({ line, faults: read.faults })
      const earlier = drafts.get(read.draft.email)
      if (!earlier) drafts.set(read.draft.email, read.draft)
      else if (held.mode === "upsert") drafts.set(read.draft.email, laidOver(earlier, read.draft))
    },

    /** False when the import is not ours any more. */
    async write(): Promise<boolean> {
      if (rows === 0) return true
      const repeated = rows - drafts.size - refused.length
      const written = await writeBatch(held, { drafts: [...drafts.values()], refused, rows, repeated, bytesRead })
      drafts = new Map()
      refused = []
      rows = 0
      declared = null
      return written
    },
  }
}

function laidOver(earlier: Draft, later: Draft): Draft {
  return {
    ...earlier,
    ...later,
    unsubscribed: earlier.unsubscribed || later.unsubscribed,
    properties: { ...earlier.properties, ...later.properties },
  }
}
