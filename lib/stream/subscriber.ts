import { setTimeout as wait } from "node:timers/promises"
import { z } from "zod"
import { shownEventData } from "@/lib/explanation/words"
import { counter } from "@/lib/platform/metrics"
import type { EventRow } from "@/lib/stream/data"
import { StreamEvent } from "@/lib/stream/schema"

/** A reader this far behind is disconnected. */
const eventsBehindMax = 256
const bytesBehindMax = 2 ** 20
/** A reader that is catching up and takes nothing for so long is disconnected. */
const stalledMs = 10_000

export const eventsChannel = "mailroom_events"

const cutOff = counter("mailroom_streams_cut_off_total", "Streams ended because their reader fell behind.")

const commentFrame: Chunk = { events: 1, bytes: new TextEncoder().encode(":\n\n") }

/**
 * One open stream: the events that wait for the reader, and the body that it reads. A reader that does not keep up is
 * disconnected, so that the events do not pile up in memory.
 */
export class Subscriber {
  readonly body: ReadableStream<Uint8Array>
  private waiting: Chunk[] = []
  private events = 0
  private bytes = 0
  private wake: (() => void) | null = null
  /** False while it is still catching up. */
  following = true
  ended = false

  constructor(
    readonly projectId: string,
    readonly hash: Buffer,
    /** The broadcast whose events it wants; null for all events of the project. */
    readonly broadcastId: string | null,
    private readonly onEnd: () => void,
  ) {
    this.body = new ReadableStream<Uint8Array>(
      { pull: (controller) => this.pull(controller), cancel: () => this.end() },
      { highWaterMark: 0 },
    )
  }

  /** Events that wait for the reader. */
  get behind(): number {
    return this.events
  }

  push(chunk: Chunk) {
    if (this.ended) return
    this.waiting.push(chunk)
    this.events += chunk.events
    this.bytes += chunk.bytes.byteLength
    if (this.events > eventsBehindMax || this.bytes > bytesBehindMax) {
      cutOff.inc()
      return this.end()
    }
    this.wakeUp()
  }

  /** A comment keeps proxies from closing an idle connection; one that is still waiting is enough. */
  comment() {
    if (!this.waiting.length) this.push(commentFrame)
  }

  /** Waits until the reader has received everything that is queued for it. */
  async taken() {
    const until = performance.now() + stalledMs
    while (this.behind > 0) {
      if (performance.now() > until) return this.end()
      await wait(5)
    }
  }

  end() {
    if (this.ended) return
    this.ended = true
    this.waiting = []
    this.wakeUp()
    this.onEnd()
  }

  private async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
    if (!this.waiting.length && !this.ended) await new Promise<void>((resolve) => (this.wake = resolve))
    if (this.ended) return controller.close()
    const chunk = this.waiting.shift()
    if (!chunk) return
    this.events -= chunk.events
    this.bytes -= chunk.bytes.byteLength
    controller.enqueue(chunk.bytes)
  }

  private wakeUp() {
    this.wake?.()
    this.wake = null
  }
}

/** Events that are sent together, as bytes. */
export type Chunk = { events: number; bytes: Uint8Array }

const encoder = new TextEncoder()

/** Encoded once for all readers: with hundreds of streams a copy for each would take most of the memory. */
export function chunkOf(rows: readonly EventRow[]): Chunk {
  return { events: rows.length, bytes: encoder.encode(rows.map(frameOf).join("")) }
}

/** One event as one `data:` line and a blank line. JSON escapes every line break inside. */
function frameOf(row: EventRow): string {
  const event = z.encode(StreamEvent, {
    id: row.id,
    type: row.type as z.output<typeof StreamEvent>["type"],
    emailId: row.emailId,
    occurredAt: row.occurredAt,
    data: shownEventData(row.data),
  })
  return `data: ${JSON.stringify(event)}\n\n`
}
