import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { buffer, text } from "node:stream/consumers"
import { createSharedSlots, SlotsBusy } from "@/lib/platform/jobs/slots"
import { serviceUnavailable } from "@/lib/platform/http/problems"

/** What the reading process (`lib/cli/documents.ts`) can make of bytes; the result is JSON. */
export type DocumentTask = "dmarc-report" | "sandbox-message" | "email-html"

/** Why a document is refused, as a sentence for the person it came from. */
export class DocumentRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = "DocumentRefused"
  }
}

export const readMs = 5_000
const memoryMb = 256
const resultBytesMax = 64 * 2 ** 20
/** Exit code of a process that refuses: its reason is on stderr. */
export const refusedCode = 3

const inPlace = createSharedSlots({ count: 2, perOwner: 1, waitMs: 10_000 })

/**
 * Reads a document that somebody else wrote in a process of its own: whatever it holds, it takes at most 5 s and 256 MB, and
 * nobody else waits for it. At most two are read at once, one of the same owner (a project).
 * @throws DocumentRefused; serviceUnavailable when no place becomes free within 10 s
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
  const program = join(process.cwd(), "dist", "documents.js")
  const child = spawn(process.execPath, [`--max-old-space-size=${memoryMb}`, program, task], {
    stdio: ["pipe", "pipe", "pipe"],
    // The process gets none of our configuration.
    env: { NODE_ENV: "production" },
  })
  const timer = setTimeout(() => child.kill("SIGKILL"), readMs)
  // A process that ends before it has read everything closes the pipe.
  child.stdin.on("error", () => undefined)
  child.stdin.end(bytes)
  let length = 0
  child.stdout.on("data", (chunk: Buffer) => {
    length += chunk.length
    if (length > resultBytesMax) child.kill("SIGKILL")
  })
  try {
    const [result, reason, [code]] = await Promise.all([buffer(child.stdout), text(child.stderr), once(child, "close")])
    if (code === 0) return result
    throw new DocumentRefused(
      code === refusedCode ? reason : `The file could not be read within ${readMs / 1_000} seconds and ${memoryMb} MB.`,
    )
  } finally {
    clearTimeout(timer)
  }
}
