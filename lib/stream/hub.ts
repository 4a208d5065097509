import { setTimeout as wait } from "node:timers/promises"
import { listen } from "@/lib/platform/jobs/notifications"
import { log } from "@/lib/platform/log"
import { gauge, counter } from "@/lib/platform/metrics"
import { perProcess } from "@/lib/platform/per-process"
import { hourMs } from "@/lib/platform/time"
import {
  endsOfShards,
  eventsChannel,
  type EventRow,
  keepOpen,
  markClosed,
  readEvents,
  seqOf,
  type Ticket,
  shardOf,
} from "@/lib/stream/data"
import { z } from "zod"
import { shownEventData } from "@/lib/explanation/words"
import { StreamEvent } from "@/lib/stream/schema"

const commentEveryMs = 15_000
const checkEveryMs = 4_000
const streamEndsAfterMs = hourMs
/** Events sent before checking whether the readers keep up. */
const slice = 100
/** How often a reader that is ahead of its process looks whether the process has read as far. */
const behindPollMs = 20

/** All open streams of this process: one connection listens for new events, one query reads them for all projects. */
class StreamHub {
  private readonly open = new Map<string, Set<Subscriber>>()
  /** By shard: up to where events were read. */
  private positions: readonly bigint[] | null = null
  private listener: { close(): Promise<void> } | null = null
  private timers: NodeJS.Timeout[] = []
  private reading = false
  private again = false
  /** The last read of events, which may still be under way. */
  private lastRead: Promise<readonly EventRow[]> = Promise.resolve([])

  get size(): number {
    return [...this.open.values()].reduce((sum, group) => sum + group.size, 0)
  }

  /**
   * Opens the stream of a ticket, of one broadcast if it is named; with `after` (uuid of an event) it starts with the events
   * since then.
   */
  async subscribe(
    ticket: Ticket,
    signal: AbortSignal,
    { after, broadcastId }: { after?: string | undefined; broadcastId?: string | undefined } = {},
  ): Promise<ReadableStream<Uint8Array>> {
    if (this.positions === null) {
      const ends = await endsOfShards()
      // Another call may have been first and read on; going back would send its events twice.
      this.positions ??= ends
    }
    if (!this.listener) this.start()
    const end = () => subscriber.end()
    const lastCall = setTimeout(end, streamEndsAfterMs).unref()
    const subscriber = new Subscriber(ticket.projectId, ticket.hash, broadcastId ?? null, () => {
      // Otherwise a stream that ended early would stay in memory for the rest of its hour.
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
   * Sends what came after an event, slice by slice, and only then lets the reader follow new events: in order and once each,
   * whatever happens meanwhile and however far back it starts.
   */
  private async catchUp(subscriber: Subscriber, after: string) {
    subscriber.following = false
    const { projectId } = subscriber
    const position = () => this.positions?.[shardOf(projectId)] ?? 0n
    try {
      // It reads for the projects that had a reader when it began, and this one may be new.
      await this.lastRead.catch(() => undefined)
      const now = position()
      // What comes while it is asked is not followed yet.
      let from = (await seqOf(projectId, after)) ?? now
      // The event came from a process that is ahead of this one, which would send what leads up to it again.
      if (from > position()) void this.read()
      while (!subscriber.ended && from > position()) await wait(behindPollMs)
      while (!subscriber.ended && from < position()) {
        const to = position()
        const broadcasts = subscriber.broadcastId !== null
        const rows: EventRow[] = await readEvents([{ projectId, from, to }], { limit: slice, broadcasts })
        const wanted = wantedBy(subscriber, rows)
        if (wanted.length) subscriber.push(chunkOf(wanted))
        from = rows.length === slice ? BigInt(rows[slice - 1]?.seq ?? to) : to
        await subscriber.taken()
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
      setInterval(() => this.everyone((subscriber) => subscriber.comment()), commentEveryMs),
      setInterval(() => void this.check(), checkEveryMs),
      setInterval(() => void this.read(), 1_000),
    ]
    for (const timer of this.timers) timer.unref()
  }

  private async stop() {
    const { listener } = this
    this.timers.forEach(clearInterval)
    this.timers = []
    this.listener = null
    this.positions = null
    await listener?.close()
  }

  /** Reads on from the last position; a call while it reads makes it read once more. */
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
    if (this.positions === null || !this.open.size) return
    const ends = await endsOfShards()
    for (;;) {
      const from: readonly bigint[] | null = this.positions
      if (from === null || !ends.some((end, shard) => isBefore(from, shard, end))) return
      const spans = [...this.open.keys()].flatMap((projectId) => {
        const [shard, to] = [shardOf(projectId), ends[shardOf(projectId)] ?? 0n]
        return isBefore(from, shard, to) ? [{ projectId, from: from[shard] ?? 0n, to }] : []
      })
      const broadcasts = this.wantsBroadcasts()
      this.lastRead = spans.length ? readEvents(spans, { limit: slice, broadcasts }) : Promise.resolve([])
      const rows = await this.lastRead
      // The last reader left meanwhile; who comes next begins with what is new then.
      if (this.positions !== from) return
      for (const [projectId, own] of byProject(rows)) {
        this.pushAll(this.open.get(projectId) ?? new Set(), own)
      }
      this.positions = positionsAfter(from, ends, rows[slice - 1])
      if (rows.length) await this.drained()
    }
  }

  /** Sends these events of a project to its readers: encoded once for all who want everything. */
  private pushAll(readers: ReadonlySet<Subscriber>, rows: readonly EventRow[]) {
    let whole: Chunk | null = null
    for (const subscriber of readers) {
      if (!subscriber.following) continue
      const wanted = wantedBy(subscriber, rows)
      if (wanted.length) subscriber.push(wanted === rows ? (whole ??= chunkOf(rows)) : chunkOf(wanted))
    }
  }

  private wantsBroadcasts(): boolean {
    for (const group of this.open.values()) for (const { broadcastId } of group) if (broadcastId !== null) return true
    return false
  }

  /** Lets readers take what they have before the next slice; stalled ones fill up and are disconnected. */
  private async drained() {
    for (let waitMs = 0; waitMs < 10; waitMs++) {
      await wait(waitMs)
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
      const valid = await keepOpen(all.map(({ hash }) => hash))
      for (const subscriber of all) if (!valid.has(subscriber.hash.toString("base64"))) subscriber.end()
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
    void markClosed(subscriber).catch(() => {})
    if (!this.open.size) void this.stop()
  }
}

gauge("mailroom_streams_open", "Open event streams.", [], (open) => open.set(streamHub().size))

export function streamHub(): StreamHub {
  return perProcess("streams", () => new StreamHub())
}

/** The events that a reader wants; the same list where it wants them all. */
function wantedBy({ broadcastId }: { broadcastId: string | null }, rows: readonly EventRow[]): readonly EventRow[] {
  return broadcastId === null ? rows : rows.filter((row) => row.broadcastId === broadcastId)
}

function isBefore(positions: readonly bigint[], shard: number, end: bigint): boolean {
  return (positions[shard] ?? 0n) < end
}

/** Where reading goes on: after a full slice at its last event, in its shard and in those that come after it. */
function positionsAfter(from: readonly bigint[], ends: readonly bigint[], last: EventRow | undefined): bigint[] {
  const at = last ? shardOf(last.projectId) : ends.length
  return ends.map((end, shard) => {
    const position = from[shard] ?? 0n
    if (shard > at || position >= end) return position
    return shard === at && last ? BigInt(last.seq) : end
  })
}

/** Events by their project, in their order. */
function byProject(rows: readonly EventRow[]): Map<string, EventRow[]> {
  const groups = new Map<string, EventRow[]>()
  for (const row of rows) {
    const group = groups.get(row.projectId)
    if (group) group.push(row)
    else groups.set(row.projectId, [row])
  }
  return groups
}

/** A reader this far behind is disconnected. */
const eventsBehindMax = 256
const bytesBehindMax = 2 ** 20
/** A reader that is catching up and takes nothing for so long is disconnected. */
const stalledMs = 10_000

const cutOff = counter("mailroom_streams_cut_off_total", "Streams ended because their reader fell behind.")

const commentFrame: Chunk = { events: 1, bytes: new TextEncoder().encode(":\n\n") }

/**
 * One open stream: the events that wait for the reader, and the body that it reads. A reader that does not keep up is
 * disconnected, so that the events do not pile up in memory.
 */
class Subscriber {
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
type Chunk = { events: number; bytes: Uint8Array }

const encoder = new TextEncoder()

/** Encoded once for all readers: with hundreds of streams a copy for each would take most of the memory. */
function chunkOf(rows: readonly EventRow[]): Chunk {
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
