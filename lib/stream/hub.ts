import { setTimeout as wait } from "node:timers/promises"
import { log } from "@/lib/platform/log"
import { gauge } from "@/lib/platform/metrics"
import { listen } from "@/lib/platform/jobs/notifications"
import { chunkOf } from "@/lib/stream/frame"
import { keepOpen, lastSeq, markClosed, readEvents, seqOf, type EventRow, type Ticket } from "@/lib/stream/store"
import { eventsChannel, Subscriber } from "@/lib/stream/subscriber"

const COMMENT_EVERY_MS = 15_000
const CHECK_EVERY_MS = 4_000
const STREAM_ENDS_AFTER_MS = 3_600_000
/** Events handed out between two looks at whether the readers keep up. */
const SLICE = 100
/** A reader of the past that takes nothing for so long is cut off. */
const STALLED_MS = 10_000

/** All open streams of this process: one connection hears of new events, one query reads them for all projects. */
export class StreamHub {
  private readonly open = new Map<string, Set<Subscriber>>()
  private position: bigint | null = null
  private listener: { close(): Promise<void> } | null = null
  private timers: NodeJS.Timeout[] = []
  private reading = false
  private again = false

  get size(): number {
    return [...this.open.values()].reduce((sum, group) => sum + group.size, 0)
  }

  /** Opens the stream of a ticket; with `after` (uuid of an event) it begins with what came since. */
  async subscribe(ticket: Ticket, signal: AbortSignal, after?: string): Promise<ReadableStream<Uint8Array>> {
    if (this.position === null) {
      const end = await lastSeq()
      // Another may have come first meanwhile and read on; going back would give its events twice.
      this.position ??= end
    }
    if (!this.listener) this.start()
    const end = () => subscriber.end()
    const lastCall = setTimeout(end, STREAM_ENDS_AFTER_MS).unref()
    const subscriber = new Subscriber(ticket.projectId, ticket.hash, () => {
      // Else a stream that ended early would be held for the rest of its hour.
      clearTimeout(lastCall)
      signal.removeEventListener("abort", end)
      this.forget(subscriber)
    })
    this.add(subscriber)
    signal.addEventListener("abort", end)
    subscriber.comment()
    if (after) void this.catchUp(subscriber, after)
    return subscriber.body
  }

  /** Ends every stream: the process drains. */
  async close() {
    for (const group of this.open.values()) for (const subscriber of group) subscriber.end()
    await this.stop()
  }

  /**
   * Hands out what came after an event, slice by slice, and only then lets the reader follow the others: in order, once
   * each, whatever happens meanwhile and however far back it begins.
   */
  private async catchUp(subscriber: Subscriber, after: string) {
    subscriber.following = false
    try {
      let from = await seqOf(subscriber.projectId, after)
      while (!subscriber.ended && from !== null && this.position !== null && from < this.position) {
        const to = this.position
        const rows: EventRow[] = await readEvents([subscriber.projectId], from, to, SLICE)
        if (rows.length) subscriber.push(chunkOf(rows))
        from = rows.length === SLICE ? BigInt(rows[SLICE - 1]?.seq ?? to) : to
        await taken(subscriber)
      }
      subscriber.following = true
    } catch (error) {
      log.warn({ err: error }, "a stream could not be resumed")
      subscriber.end()
    }
  }

  private start() {
    this.listener = listen(eventsChannel, () => void this.read())
    this.timers = [
      setInterval(() => this.everyone((subscriber) => subscriber.comment()), COMMENT_EVERY_MS),
      setInterval(() => void this.check(), CHECK_EVERY_MS),
      setInterval(() => void this.read(), 1_000),
    ]
    for (const timer of this.timers) timer.unref()
  }

  private async stop() {
    const { listener } = this
    this.timers.forEach(clearInterval)
    this.timers = []
    this.listener = null
    this.position = null
    await listener?.close()
  }

  /** Reads on from the last position; calls that come meanwhile make it look once more. */
  private async read() {
    if (this.reading) {
      this.again = true
      return
    }
    this.reading = true
    try {
      do {
        this.again = false
        await this.readOn()
      } while (this.again)
    } catch (error) {
      log.warn({ err: error }, "events for the streams could not be read")
    } finally {
      this.reading = false
    }
  }

  private async readOn() {
    if (this.position === null || !this.open.size) return
    const to = await lastSeq()
    while (this.position !== null && this.position < to) {
      const rows = await readEvents([...this.open.keys()], this.position, to, SLICE)
      for (const [projectId, own] of byProject(rows)) {
        const chunk = chunkOf(own)
        for (const subscriber of this.open.get(projectId) ?? []) if (subscriber.following) subscriber.push(chunk)
      }
      this.position = rows.length === SLICE ? BigInt(rows[SLICE - 1]?.seq ?? to) : to
      await this.drained()
    }
  }

  /** Gives readers the chance to take what they have before the next slice comes; stalled ones fill up and are cut off. */
  private async drained() {
    for (let turn = 0; turn < 10; turn++) {
      await wait(turn)
      let behind = false
      this.everyone((subscriber) => (behind ||= subscriber.following && subscriber.behind > 0))
      if (!behind) return
    }
  }

  private async check() {
    const all: Subscriber[] = []
    this.everyone((subscriber) => all.push(subscriber))
    if (!all.length) return
    try {
      const good = await keepOpen(all.map(({ hash }) => hash))
      for (const subscriber of all) if (!good.has(subscriber.hash.toString("base64"))) subscriber.end()
    } catch (error) {
      log.warn({ err: error }, "the open streams could not be checked")
    }
  }

  private everyone(each: (subscriber: Subscriber) => void) {
    for (const group of [...this.open.values()]) for (const subscriber of [...group]) each(subscriber)
  }

  private add(subscriber: Subscriber) {
    const group = this.open.get(subscriber.projectId) ?? new Set()
    this.open.set(subscriber.projectId, group.add(subscriber))
  }

  private forget(subscriber: Subscriber) {
    const group = this.open.get(subscriber.projectId)
    group?.delete(subscriber)
    if (group && !group.size) this.open.delete(subscriber.projectId)
    void markClosed(subscriber.hash).catch(() => {})
    if (!this.open.size) void this.stop()
  }
}

/** Waits until the reader has taken what lies ready for it. */
async function taken(subscriber: Subscriber) {
  const until = performance.now() + STALLED_MS
  while (subscriber.behind > 0) {
    if (performance.now() > until) return subscriber.end()
    await wait(5)
  }
}

function byProject(rows: readonly EventRow[]): Map<string, EventRow[]> {
  const groups = new Map<string, EventRow[]>()
  for (const row of rows) {
    const group = groups.get(row.project_id)
    if (group) group.push(row)
    else groups.set(row.project_id, [row])
  }
  return groups
}

// One hub a process, however often the framework evaluates this module.
const shared = globalThis as typeof globalThis & { mailroomStreams?: StreamHub }

gauge("mailroom_streams_open", "Open event streams.", [], (open) => open.set(shared.mailroomStreams?.size ?? 0))

export function streamHub(): StreamHub {
  return (shared.mailroomStreams ??= new StreamHub())
}
