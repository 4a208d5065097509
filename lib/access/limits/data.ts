import type { Bucket } from "@/lib/platform/http/endpoint"
import { setTimeout as sleep } from "node:timers/promises"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { pool, unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { takeLock } from "@/lib/platform/database/locks-sql"
import { serviceUnavailable } from "@/lib/platform/http/problems"
import type { RateWindow, Taken, RateCount, Scope } from "@/lib/platform/http/scope"
import { newId } from "@/lib/platform/ids"
import { createSlots } from "@/lib/platform/jobs/slots"
import { log } from "@/lib/platform/log"
import type { Prisma } from "@/prisma/generated/client"
import { rateLimited } from "@/lib/access/problems"
import { batchWrites } from "@/lib/platform/jobs/batches"
import { counter } from "@/lib/platform/metrics"

/** The limits of the API, per key: the table of the specification. */
export const buckets = {
  emailSend: { policy: "email-send", requests: 300, seconds: 60 },
  emailBatch: { policy: "email-batch", requests: 30, seconds: 60 },
  contacts: { policy: "contacts", requests: 200, seconds: 60 },
  contactProperties: { policy: "contact-properties", requests: 60, seconds: 60 },
  projects: { policy: "projects", requests: 60, seconds: 60 },
  segments: { policy: "segments", requests: 60, seconds: 60 },
  domains: { policy: "domains", requests: 30, seconds: 300 },
  suppressions: { policy: "suppressions", requests: 120, seconds: 60 },
  topics: { policy: "topics", requests: 120, seconds: 60 },
  webhooks: { policy: "webhooks", requests: 60, seconds: 60 },
  metrics: { policy: "metrics", requests: 120, seconds: 60 },
} as const satisfies Record<string, Bucket>

/** A signed-in user has one bucket for all operations. */
export const sessionBucket: Bucket = { policy: "session", requests: 1_200, seconds: 60 }

/** Work that runs long, and how much of it one project may have under way at once, over all processes. */
export const places = {
  linkCheck: { most: 2, seconds: 30, retryAfterSeconds: 5, busy: "2 link checks of this project are running." },
  export: { most: 2, seconds: 60, retryAfterSeconds: 5, busy: "2 exports of this project are running." },
} as const

type PlaceKind = keyof typeof places

/** A place, until it is left. `keep` holds it for longer than it was taken for; call it while the work goes on. */
type Slot = { keep(): Promise<void>; leave(): Promise<void> }

/** Takes one of the project's places. @throws serviceUnavailable with `Retry-After` where all are taken */
async function takePlace(scope: Scope, kind: PlaceKind): Promise<Slot> {
  const { most, seconds, retryAfterSeconds, busy } = places[kind]
  const [id, key] = [newId(), `${kind}:${scope.project.id}`]
  const taken = await unscopedTransaction(async (tx) => {
    await takeLock(`mailroom.place ${key}`, tx)
    const now = await databaseTime(tx)
    await tx.place.deleteMany({ where: { key, expiresAt: { lt: now } } })
    if ((await tx.place.count({ where: { key } })) >= most) return false
    await tx.place.create({ data: { id, key, expiresAt: secondsAfter(now, seconds) } })
    return true
  })
  if (!taken) throw serviceUnavailable(`${busy} Try again when one has ended.`, { retryAfterSeconds })
  return {
    async keep() {
      const expiresAt = secondsAfter(await databaseTime(), seconds)
      await unscoped().place.updateMany({ where: { id }, data: { expiresAt } })
    },
    async leave() {
      // What cannot be given back now ends by itself.
      await unscoped()
        .place.deleteMany({ where: { id } })
        .catch((error: unknown) => log.warn({ err: error, kind }, "a place could not be given back"))
    },
  }
}

/** Runs work in one of the project's places. */
export async function inPlace<T>(scope: Scope, kind: PlaceKind, work: () => Promise<T>): Promise<T> {
  const place = await takePlace(scope, kind)
  try {
    return await work()
  } finally {
    await place.leave()
  }
}

const keepEveryMs = 20_000
/** Of all exports of this process, one reads at a time: whoever sends or opens a page does not wait behind many. */
const readers = createSlots(1)
const pauseMsMax = 400
/** So that two exports leave most of a small machine to everybody else. */
const restPerWork = 2

/**
 * The groups of an export, read in one of the project's places. An export rests for twice as long as it works, so that requests of
 * others come in between; a client that takes nothing holds its place for no longer than a minute.
 * @throws serviceUnavailable with the first group where all places are taken
 */
export async function* exported<T>(scope: Scope, groups: AsyncGenerator<T>): AsyncGenerator<T> {
  const place = await takePlace(scope, "export")
  let keptAt = performance.now()
  try {
    for (;;) {
      const startedAt = performance.now()
      const next = await readers(() => groups.next())
      if (next.done) return
      yield next.value
      await sleep(Math.min(pauseMsMax, restPerWork * (performance.now() - startedAt)))
      if (performance.now() - keptAt < keepEveryMs) continue
      keptAt = performance.now()
      await place.keep()
    }
  } finally {
    await groups.return(undefined)
    await place.leave()
  }
}

// Names that are about to be stored

const reservedSeconds = 60
const reservationKey = (name: string) => `name:${name}`

/** Reserves a name while other cells are asked for it, and for a minute at most. Several may: what stores it decides. */
export async function reserveName(name: string): Promise<string> {
  const id = newId()
  const expiresAt = secondsAfter(await databaseTime(), reservedSeconds)
  await unscoped().place.create({ data: { id, key: reservationKey(name), expiresAt } })
  return id
}

/** Those of the names that are reserved. Read what is stored after this: whoever stores a name ends its reservation with it. */
export async function reservedNames(names: readonly string[]): Promise<string[]> {
  const ofNames = { in: names.map(reservationKey) }
  // One that has ended is out of use only once it is deleted: its holder may be storing the name.
  await unscoped().place.deleteMany({ where: { key: ofNames, expiresAt: { lt: await databaseTime() } } })
  const places = await unscoped().place.findMany({ where: { key: ofNames }, select: { key: true } })
  const reserved = new Set(places.map(({ key }) => key))
  return names.filter((name) => reserved.has(reservationKey(name)))
}

/** Ends a reservation, in the transaction that stores its name; false where it has ended by itself. */
export async function endReservation(id: string, on: Prisma.TransactionClient = unscoped()): Promise<boolean> {
  return (await on.place.deleteMany({ where: { id } })).count > 0
}

// Windows of rates

/** Limits how often each key counts in a window, over all processes and by the database's clock. */
export function windowLimiter({ prefix, points, seconds }: { prefix: string; points: number; seconds: number }) {
  const named = (key: string) => `${prefix}:${key}`
  const windowMs = seconds * 1_000

  return {
    /** Counts one; false when the window is over its limit. */
    async take(key: string): Promise<boolean> {
      const counted = await countInWindows([{ key: named(key), points: 1, windowMs }])
      return (counted.get(named(key))?.points ?? 0) <= points
    },

    async giveBack(key: string): Promise<void> {
      await unscoped().rateWindow.updateMany({
        where: { key: named(key), points: { gt: 0 } },
        data: { points: { decrement: 1 } },
      })
    },

    async forget(key: string): Promise<void> {
      await unscoped().rateWindow.deleteMany({ where: { key: named(key) } })
    },

    /** Begins a window now, even if one is running. */
    async begin(key: string): Promise<void> {
      const window = { points: 1, expire: (await databaseTime()).getTime() + windowMs }
      await unscoped().rateWindow.upsert({
        where: { key: named(key) },
        create: { key: named(key), ...window },
        update: window,
      })
    },

    /** One that ends later than now and its length was written by a clock that was set back. */
    async isRunning(key: string): Promise<boolean> {
      const now = (await databaseTime()).getTime()
      const where = { key: named(key), expire: { gt: now, lte: now + windowMs } }
      return (await unscoped().rateWindow.count({ where })) === 1
    },
  }
}

/** What a statement adds to a window. */
export type CountedRequests = { key: string; points: number; windowMs: number; requests: number }
/** All that a window holds then, and the time to its end. */
export type Counted = { points: number; msToEnd: number }

/** What these requests add to their windows together, by key: in this order every statement locks them, so none waits for another in a circle. */
export function addedTo(windows: readonly RateWindow[]): CountedRequests[] {
  const added = new Map<string, CountedRequests>()
  for (const { key, windowMs, requests } of windows) {
    const known = added.get(key)
    if (known) known.points += 1
    else added.set(key, { key, points: 1, windowMs, requests })
  }
  return [...added.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

/**
 * Adds to the windows of these keys, which come in order. Counted by the database's clock, exact over all processes and hosts
 * (`prisma/functions/count_in_windows.sql`). On `pg`: most requests with a credential wait for it.
 */
export async function countInWindows(
  added: readonly Omit<CountedRequests, "requests">[],
): Promise<ReadonlyMap<string, Counted>> {
  const { rows } = await pool().query<{ key: string; points: number; ms_to_end: number }>({
    name: "access.count_in_windows",
    text: "SELECT * FROM count_in_windows($1, $2, $3)",
    values: [added.map(({ key }) => key), added.map(({ points }) => points), added.map(({ windowMs }) => windowMs)],
  })
  return new Map(rows.map(({ key, points, ms_to_end }) => [key, { points, msToEnd: ms_to_end }]))
}

/** The count of each request, in their order, once a statement has added all of them. */
export function takenOf(windows: readonly RateWindow[], counted: ReadonlyMap<string, Counted>): Taken[] {
  const before = new Map(addedTo(windows).map(({ key, points }) => [key, (counted.get(key)?.points ?? 0) - points]))
  return windows.map(({ key }) => {
    const count = (before.get(key) ?? 0) + 1
    before.set(key, count)
    return { count, msToEnd: counted.get(key)?.msToEnd ?? 0 }
  })
}

const refusals = counter("mailroom_rate_limit_refusals_total", "Requests over their bucket.", ["policy"])

/** When windows end that this process has seen full, by `performance.now()`. */
const fullUntil = new Map<string, number>()
/** Beyond, the window that was seen full first is forgotten: its next request is refused a little later. */
const fullWindowsMax = 10_000

/** One request in the bucket of `owner`, a key or a user. */
export class RequestCount implements RateCount {
  readonly policy: string
  due: RateWindow | null
  headers: Record<string, string> = {}
  private readonly window: RateWindow

  constructor(
    private readonly bucket: Bucket,
    owner: string,
  ) {
    const { policy, seconds, requests } = bucket
    this.window = { key: `${policy}:${owner}`, windowMs: seconds * 1000, requests }
    this.policy = policy
    this.due = this.window
  }

  /** Whether its window was full when this process saw it last, and has not ended since. */
  get isFull(): boolean {
    return (fullUntil.get(this.window.key) ?? 0) > performance.now()
  }

  async take(): Promise<void> {
    if (this.due) this.settle(await countRequest(this.due))
  }

  settle({ count, msToEnd }: Taken): void {
    const { policy, requests, seconds } = this.bucket
    const secondsToEnd = Math.max(1, Math.ceil(msToEnd / 1000))
    this.due = null
    this.headers = {
      "X-RateLimit-Limit": String(requests),
      "X-RateLimit-Remaining": String(Math.max(0, requests - count)),
      "X-RateLimit-Reset": String(secondsToEnd),
    }
    if (count >= requests) rememberFull(this.window.key, msToEnd)
    else fullUntil.delete(this.window.key)
    if (count <= requests) return
    refusals.inc({ policy })
    throw rateLimited(`${requests} requests in ${seconds} s are allowed here.`, {
      retryAfterSeconds: secondsToEnd,
      headers: this.headers,
    })
  }
}

function rememberFull(key: string, msToEnd: number) {
  fullUntil.delete(key)
  fullUntil.set(key, performance.now() + msToEnd)
  const [oldest] = fullUntil.keys()
  if (oldest !== undefined && fullUntil.size > fullWindowsMax) fullUntil.delete(oldest)
}

/**
 * Adds one request to its window. Exact over all processes: one counter in the database. Waiting requests of this process share one
 * statement, whatever their window, and are counted in order.
 */
const countRequest = batchWrites(
  async (windows: RateWindow[]) => takenOf(windows, await countInWindows(addedTo(windows))),
  { max: 200, runsMax: 2 },
)
