import { join } from "node:path"
import { runApart } from "@/lib/platform/jobs/run-apart"
import { createSharedSlots, SlotsBusy } from "@/lib/platform/jobs/slots"
import { serviceUnavailable } from "@/lib/platform/http/problems"

/** What the reading process (`lib/server/processes/documents.ts`) can make of bytes; the result is JSON. */
export type DocumentTask = "dmarc-report" | "tls-report" | "sandbox-message" | "email-html"

/** Why a document is refused, as a sentence for the person it came from. */
export class DocumentRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = "DocumentRefused"
  }
}

const limits = { cpuSeconds: 5, wallMs: 30_000, memoryMb: 256, outputBytesMax: 64 * 2 ** 20 }

const inPlace = createSharedSlots({ count: 2, perOwner: 1, waitMs: 10_000 })

/**
 * Reads a document that somebody else wrote in a process of its own: whatever it holds, it takes at most 5 s of CPU and 256 MB, and
 * nobody else waits for it. At most two are read at once, one of the same owner (a project).
 * @throws DocumentRefused; serviceUnavailable when no place becomes free within 10 s, or the machine is too busy to read it within 30 s
 */
export async function readApart<T>(task: DocumentTask, bytes: Uint8Array, owner: string): Promise<T> {
  try {
    const result = await inPlace(owner, () => read(task, bytes))
    return JSON.parse(result.toString()) as T
  } catch (error) {
    if (error instanceof SlotsBusy)
      throw serviceUnavailable("Too many documents are being read at once.", { retryAfterSeconds: 5 })
    throw error
  }
}

async function read(task: DocumentTask, bytes: Uint8Array): Promise<Buffer> {
  const outcome = await runApart([join(process.cwd(), "dist", "documents.js"), task], bytes, limits)
  if (outcome.kind === "done") return outcome.output
  if (outcome.kind === "late") throw new SlotsBusy("The machine was too busy to read it in time.")
  throw new DocumentRefused(
    outcome.kind === "refused"
      ? outcome.reason
      : `The file could not be read within ${limits.cpuSeconds} seconds and ${limits.memoryMb} MB.`,
  )
}
