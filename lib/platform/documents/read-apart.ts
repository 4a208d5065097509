import { join } from "node:path"
import { runApart } from "@/lib/platform/jobs/run-apart"
import { createSharedSlots, SlotsBusy } from "@/lib/platform/jobs/slots"
import { serviceUnavailable } from "@/lib/platform/http/problems"

/** What the reading process (`lib/server/processes/documents.ts`) can make of bytes; the result is JSON. */
export type DocumentTask =
  | "dmarc-report"
  | "tls-report"
  | "sandbox-message"
  | "email-html"
  | "submitted-mail"
  | "arrived-mail"

/** Why a document is refused, as a sentence for the person it came from. */
export class DocumentRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = "DocumentRefused"
  }
}

const usual = { cpuSeconds: 5, wallMs: 30_000, memoryMb: 256, outputBytesMax: 64 * 2 ** 20 }

/** A report with as many records as may be takes 3 to 5 s, more on a slow machine. */
const ofReports = { ...usual, cpuSeconds: 15 }

function limitsOf(task: DocumentTask) {
  return task === "dmarc-report" || task === "tls-report" ? ofReports : usual
}

function tooMuch(task: DocumentTask): string {
  const { cpuSeconds, memoryMb } = limitsOf(task)
  return `The file could not be read within ${cpuSeconds} seconds and ${memoryMb} MB.`
}

const inPlace = createSharedSlots({ count: 2, perOwner: 1, waitMs: 10_000 })

/** Whoever judges a mail mostly waits for the DNS: meanwhile no other document does. */
const whileAsking = createSharedSlots({ count: 4, perOwner: 2, waitMs: 10_000 })

/** What a document becomes on its way through JSON: times are texts. */
export type JsonOf<T> = { [field in keyof T]: T[field] extends Date ? string : T[field] }

/** What became of one document of several. */
export type Reading<T> = { value: T } | DocumentRefusal

/** A sentence for the person it came from, and why as a code, where the task has codes. */
export type DocumentRefusal = { refused: string; fault?: string }

/** Of documents that are read by one process: whoever comes next does not wait for all files of a form. */
const together = { documents: 10, bytes: 4 * 2 ** 20 }

/**
 * Reads a document that somebody else wrote in a process of its own: whatever it holds, it takes at most 5 s of CPU
 * (a report 15 s) and 256 MB, and nobody else waits for it. At most two are read at once, one of the same owner (an
 * organization, however many projects it has); of arrived mail four and two.
 * @throws DocumentRefused; serviceUnavailable when no place becomes free within 10 s, or the machine is too busy to read it within 30 s
 */
export async function readApart<T>(task: DocumentTask, bytes: Uint8Array, owner: string): Promise<T> {
  const [reading] = await readAllApart<T>(task, [bytes], owner)
  if (reading && "value" in reading) return reading.value
  throw new DocumentRefused(reading?.refused ?? tooMuch(task))
}

/**
 * Reads several documents with the limits of each as `readApart` has them: one that is refused costs the others nothing.
 * @throws serviceUnavailable as `readApart`
 */
export async function readAllApart<T>(
  task: DocumentTask,
  documents: readonly Uint8Array[],
  owner: string,
): Promise<Reading<T>[]> {
  const readings: Reading<T>[] = []
  const inSlot = task === "arrived-mail" ? whileAsking : inPlace
  try {
    while (readings.length < documents.length) {
      const next = nextOf(documents, readings.length)
      readings.push(...(await inSlot(owner, () => readTogether<T>(task, next))))
    }
    return readings
  } catch (error) {
    if (error instanceof SlotsBusy)
      throw serviceUnavailable("Too many documents are being read at once.", { retryAfterSeconds: 5 })
    throw error
  }
}

function nextOf(documents: readonly Uint8Array[], from: number): Uint8Array[] {
  const next: Uint8Array[] = []
  let bytes = 0
  for (const document of documents.slice(from, from + together.documents)) {
    bytes += document.byteLength
    if (next.length > 0 && bytes > together.bytes) break
    next.push(document)
  }
  return next
}

/** At least one of them, in their order. Those that a process did not come to are read by the next one, with limits of their own. */
async function readTogether<T>(task: DocumentTask, documents: Uint8Array[]): Promise<Reading<T>[]> {
  const outcome = await runApart(
    [join(process.cwd(), "dist", "documents.js"), task],
    framesOf(documents),
    limitsOf(task),
  )
  const lines = outcome.kind === "refused" ? [] : outcome.output.toString().split("\n").slice(0, -1)
  if (lines.length > 0) return lines.map((line) => JSON.parse(line) as Reading<T>)
  if (outcome.kind === "late") throw new SlotsBusy("The machine was too busy to read it in time.")
  return [{ refused: tooMuch(task), fault: "too_large" }]
}

/** Within these limits the slowest message takes 100 ms, which grow with the square of the lines: not worth a process. */
const small = { bytes: 64 * 1024, lines: 4_000 }

/** Whether a message may be read where it is. */
export function isSmallMessage(raw: Buffer): boolean {
  if (raw.length > small.bytes) return false
  let lines = 0
  for (let at = raw.indexOf("\n"); at >= 0; at = raw.indexOf("\n", at + 1)) lines += 1
  return lines <= small.lines
}

/** Each document behind its length, as the reading process takes them. */
function framesOf(documents: Uint8Array[]): Buffer {
  return Buffer.concat(
    documents.flatMap((document) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(document.byteLength)
      return [length, document]
    }),
  )
}
