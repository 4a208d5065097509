import { setTimeout as sleep } from "node:timers/promises"
import { declaredProperties } from "@/lib/contact-properties/data"
import { dropImportFile } from "@/lib/contacts/imports/data"
import type { ImportFailure } from "@/lib/contacts/imports/failure"
import { CsvBroken, type CsvRow, readableOf, tableRows } from "@/lib/contacts/imports/rows"
import { boundedCells, readRow, type RefusedRow, type Row } from "@/lib/contacts/imports/rules"
import { type DueImport, endImport, postponeImport, releaseImport, writeBatch } from "@/lib/contacts/imports/run/data"
import { storage } from "@/lib/platform/storage/storage"

/** Rows of one transaction: short, because it holds locks. */
const batchRows = 500

/** After a batch as long as it took, but at most so long: the sends of others share the database. */
const restMsMax = 250

/** Attempts without progress, over half an hour: as long as an outage may take. */
const stalledMax = 7
const firstRetryMs = 30_000

/**
 * Reads the rest of an import, batch by batch. If the worker dies, the next one continues after the last batch that was
 * written. When `signal` aborts, the import is released; after an error it is retried later, until too many attempts made
 * no progress.
 */
export async function runImport(held: DueImport, signal: AbortSignal): Promise<void> {
  if (held.cancelled) return finish(held, null)
  if (held.stalled > stalledMax) return finish(held, stuckAt(held.processed))
  const failure = await readToEnd(held, signal).catch(async (error: unknown) => {
    await postponeImport(held, { firstMs: firstRetryMs, stalledMax })
    throw error
  })
  if (failure === "stopped") return releaseImport(held)
  if (failure !== "lost") await finish(held, failure)
}

async function finish(held: DueImport, failure: ImportFailure | null) {
  if (await endImport(held, failure)) await dropImportFile(held.key)
}

const stuckAt = (processed: number): ImportFailure => ({
  code: "no_progress",
  facts: { row: processed, attempts: stalledMax },
})

/** Null at the end of the file, why it cannot be read on, or why we stopped. */
async function readToEnd(held: DueImport, signal: AbortSignal): Promise<ImportFailure | "lost" | "stopped" | null> {
  const file = await (await storage()).get(held.key)
  if (!file) return { code: "file_missing", facts: {} }
  const source = readableOf(file)
  const gather = createGatherer(held)
  try {
    let isHeader = true
    for await (const row of tableRows(source, held.options.delimiter)) {
      const isDone = isHeader || row.bytes <= held.bytesRead
      isHeader = false
      if (isDone) continue
      await gather.add(row)
      if (gather.size() < batchRows) continue
      const startedAt = performance.now()
      if (!(await gather.write())) return "lost"
      if (signal.aborted) return "stopped"
      await sleep(Math.min(performance.now() - startedAt, restMsMax))
    }
    return (await gather.write()) ? null : "lost"
  } catch (error) {
    if (error instanceof CsvBroken) return (await gather.write()) ? error.failure : "lost"
    throw error
  }
}

/** Gathers rows to a batch, by their addresses. */
function createGatherer(held: DueImport) {
  const { header, targets, delimiter, formats, dates } = held.options
  let declared: Awaited<ReturnType<typeof declaredProperties>> | null = null
  let rows = new Map<string, Row[]>()
  let refused: RefusedRow[] = []
  let size = 0
  let bytesRead = 0

  return {
    size: () => size,

    async add({ cells: read, line, bytes }: CsvRow) {
      declared ??= await declaredProperties(held.projectId)
      size += 1
      bytesRead = bytes
      const row = readRow(read, { header, targets, declared, delimiter, formats, dates })
      const cells = boundedCells(read)
      if ("faults" in row) return void refused.push({ line, cells, faults: row.faults })
      const { draft } = row
      const earlier = rows.get(draft.email)
      if (earlier) earlier.push({ line, cells, draft })
      else rows.set(draft.email, [{ line, cells, draft }])
    },

    /** False when the import is not ours any more. */
    async write(): Promise<boolean> {
      if (size === 0) return true
      const written = await writeBatch(held, { rows, refused, bytesRead })
      rows = new Map()
      refused = []
      size = 0
      declared = null
      return written
    },
  }
}
