import { type DestinationFeedback, type SendLimits, newFeedback, type PauseKind } from "@/lib/delivery/direct/feedback"
import type { Paced, Pacing } from "@/lib/delivery/direct/pacing"
import { storedDestination } from "@/lib/delivery/direct/route"
import {
  addToHour,
  dissolveQueues,
  findDestinationQueues,
  leaseQueues,
  makeQueue,
  releaseQueues,
  type StoredQueue,
  storeQueue,
} from "@/lib/delivery/queue/queues/data"
import type { Relays } from "@/lib/delivery/regions/relays"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { log } from "@/lib/platform/log"
import { regionNames, type Region } from "@/lib/regions/regions"

const renewEveryMs = 5_000
/** Where no destination has a queue, one that another worker made, and lost, waits at most so long. */
const lookForFirstEveryMs = 15_000
/** What is learned of a destination is stored at most so often; a pause is stored before its mail waits. */
const storeEveryMs = 1_000
/** What its servers said is counted by the hour, so it is stored seldom. */
const countEveryMs = 10_000
const dissolveEveryMs = 60_000

/**
 * Keeps the queues of destinations that this worker reads, takes over what is known of them, and stores what it learns,
 * until the signal aborts. Where no region sends directly it ends at once, unless such a region has left queues. Never rejects.
 */
export async function runDestinations(relays: Relays, signal: AbortSignal): Promise<void> {
  const storing = setInterval(() => void storeChanged(relays), storeEveryMs)
  const counting = setInterval(() => void storeNews(relays), countEveryMs)
  let dissolvedAt = performance.now()
  let lookedAt = -Infinity
  let found = 0
  let isNeeded = true
  const ended = new AbortController()
  const stop = () => ended.abort()
  signal.addEventListener("abort", stop)
  await runRepeatedly({
    name: "queue leases",
    round: async () => {
      const isIdle = found === 0 && !hasQueues(relays)
      if (isIdle && performance.now() - lookedAt < lookForFirstEveryMs) return false
      found = await syncDestinations(relays)
      lookedAt = performance.now()
      isNeeded = found > 0 || pacedRegions(relays).length > 0
      if (!isNeeded) ended.abort()
      if (found > 0 && performance.now() - dissolvedAt > dissolveEveryMs) {
        dissolvedAt = performance.now()
        await dissolveQueues(relays.paths.id)
      }
      return false
    },
    intervalMs: renewEveryMs,
    restMs: renewEveryMs,
    signal: ended.signal,
  })
  signal.removeEventListener("abort", stop)
  clearInterval(storing)
  clearInterval(counting)
  await storeChanged(relays)
  await storeNews(relays)
}

type PacedRegion = { region: Region; pacing: Pacing }

function pacedRegions(relays: Relays): PacedRegion[] {
  return regionNames.flatMap((region) => {
    const pacing = relays.named(region)?.transport.pacing
    return pacing ? [{ region, pacing }] : []
  })
}

function hasQueues(relays: Relays): boolean {
  return pacedRegions(relays).some(({ pacing }) => [...pacing.all()].some((one) => one.queue() !== null))
}

/** Renews the leases, and tells the destinations of their queues; returns how many there are. */
export async function syncDestinations(relays: Relays): Promise<number> {
  const { id: worker } = relays.paths
  const workers = await leaseQueues(worker)
  const { queues, now } = workers === null ? { queues: [], now: new Date() } : await findDestinationQueues()
  const paced = pacedRegions(relays)
  if (queues.length > 0) {
    const others = regionNames.filter((region) => paced.every((one) => one.region !== region))
    await releaseQueues(others)
  }
  for (const { region, pacing } of paced) {
    pacing.setWorkers(workers ?? 1)
    const own = queues.filter((queue) => queue.region === region)
    for (const queue of own) takeQueue(pacing, queue, worker, now)
    const keys = new Set(own.map(({ destination }) => destination?.key))
    for (const one of pacing.all()) if (one.queue() !== null && !keys.has(one.destination.key)) one.take(null)
  }
  return queues.length
}

/** What is stored counts for the one that begins to read a queue, and after a change of the operator. */
function takeQueue(pacing: Pacing, stored: StoredQueue, worker: string, now: Date): Paced | null {
  if (!stored.destination) return null
  const { key, provider, hosts } = stored.destination
  const paced = pacing.named(key) ?? pacing.of(storedDestination(key, provider, hosts))
  const before = paced.queue()
  const isMine = stored.worker === worker && stored.leaseUntil !== null && stored.leaseUntil > now
  const queue = { id: stored.id, isMine, revision: stored.revision }
  const isKnown = before?.id === stored.id && before.isMine && before.revision === stored.revision
  paced.take(queue, isMine && !isKnown ? loaded(paced, stored, pacing.now(), now) : undefined)
  return paced
}

/** The operator's limits count even where the queue is new to this worker. */
function loaded(
  paced: Paced,
  stored: StoredQueue,
  at: number,
  now: Date,
): { feedback: DestinationFeedback; limits: SendLimits } {
  const { connections, mailsPerConnection } = paced.destination
  const limits: SendLimits = { connections, mailsPerConnection, ...(stored.limits as Partial<SendLimits> | null) }
  const monotonic = (time: Date | null) => (time === null ? null : at + time.getTime() - now.getTime())
  const fresh = newFeedback(limits, at)
  const { pacePerMinute } = stored
  const feedback = {
    ...fresh,
    connectionsMax: stored.connections,
    connections: pacePerMinute === null ? fresh.connections : 1,
    mailsPerConnection: stored.mailsPerConnection,
    pacePerMinute,
    fullPace: Math.max(fresh.fullPace, 2 * (pacePerMinute ?? 0)),
    pause: stored.pause as PauseKind | null,
    pausedUntil: monotonic(stored.pausedUntil),
    pauses: stored.pauses,
    limitedSince: monotonic(stored.limitedSince),
    reply: stored.reply,
  }
  return { feedback, limits }
}

/** Stores what has changed since the last time. */
export async function storeChanged(relays: Relays): Promise<void> {
  for (const { pacing } of pacedRegions(relays))
    for (const paced of pacing.takeChanged())
      await store(paced, pacing, relays.paths.id).catch((error: unknown) =>
        log.warn(
          { err: error, destination: paced.destination.key },
          "what is known of a destination could not be stored",
        ),
      )
}

/** Adds what the servers have said since the last time to its hour; of a destination without a queue it is not kept. */
export async function storeNews(relays: Relays): Promise<void> {
  for (const { pacing } of pacedRegions(relays))
    for (const paced of pacing.all()) {
      const news = paced.takeNews()
      const queue = paced.queue()
      if (!news || !queue?.isMine) continue
      await addToHour(queue.id, news).catch((error: unknown) =>
        log.warn(
          { err: error, destination: paced.destination.key },
          "the replies of a destination could not be counted",
        ),
      )
    }
}

async function store(paced: Paced, pacing: Pacing, worker: string): Promise<void> {
  const queue = paced.queue()
  if (!queue?.isMine) return
  // Stored again later, the same would overwrite what an operator has changed meanwhile.
  pacing.stored(paced)
  const at = pacing.now()
  const { pause, pausedUntil, pauses, limitedSince, reply, connectionsMax, mailsPerConnection, pacePerMinute } =
    paced.feedback()
  const acceptedAt = paced.acceptedAt()
  await storeQueue(queue.id, worker, queue.revision, {
    ...{ pause, pauses, reply, mailsPerConnection, pacePerMinute },
    connections: connectionsMax,
    pausedForSeconds: pausedUntil === null ? null : (pausedUntil - at) / 1_000,
    limitedForSeconds: limitedSince === null ? null : (at - limitedSince) / 1_000,
    deliveredForSeconds: acceptedAt === -Infinity ? null : (at - acceptedAt) / 1_000,
  })
}

export type DestinationQueues = {
  /** The queue of a destination, made if it has none, with what is known of it stored; null where there can be no more. */
  of(paced: Paced, pacing: Pacing): Promise<number | null>
}

/** Makes the queues of destinations of a region; who asks for one that is being made waits for the same. */
export function createDestinationQueues(region: Region, worker: string): DestinationQueues {
  const making = new Map<string, Promise<number | null>>()

  async function make(paced: Paced, pacing: Pacing): Promise<number | null> {
    const stored = await makeQueue(region, paced.destination, worker)
    if (!stored) {
      paced.stayShared()
      return null
    }
    paced.take({ id: stored.id, isMine: stored.worker === worker, revision: stored.revision })
    await store(paced, pacing, worker)
    return stored.id
  }

  return {
    async of(paced, pacing) {
      const { key } = paced.destination
      const known = paced.queue()
      if (known) {
        await store(paced, pacing, worker)
        return known.id
      }
      const made = making.get(key) ?? make(paced, pacing).finally(() => making.delete(key))
      making.set(key, made)
      return made
    },
  }
}
