import { setTimeout as sleep } from "node:timers/promises"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { takeLock } from "@/lib/platform/database/locks-sql"
import { serviceUnavailable } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { newId } from "@/lib/platform/ids"
import { createSlots } from "@/lib/platform/jobs/slots"
import { log } from "@/lib/platform/log"

/** Work that runs long, and how much of it one project may have under way at once, over all processes. */
export const places = {
  linkCheck: { most: 2, seconds: 30, retryAfterSeconds: 5, busy: "2 link checks of this project are running." },
  export: { most: 2, seconds: 60, retryAfterSeconds: 5, busy: "2 exports of this project are running." },
} as const

export type PlaceKind = keyof typeof places

/** A place, until it is left. `keep` holds it for longer than it was taken for; call it while the work goes on. */
export type Place = { keep(): Promise<void>; leave(): Promise<void> }

/** Takes one of the project's places. @throws serviceUnavailable with `Retry-After` where all are taken */
export async function takePlace(scope: Scope, kind: PlaceKind): Promise<Place> {
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
