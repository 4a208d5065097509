import type { Paced } from "@/lib/delivery/direct/pacing"
import { blockAddress, unblockAddress } from "@/lib/delivery/egress/blocks-store"
import {
  type Place,
  countNews,
  hasAddresses,
  type PlaceAsk,
  type PlaceNews,
  takePlaces,
} from "@/lib/delivery/egress/data"
import { hurryBlocked } from "@/lib/delivery/destinations/data"
import { blockCause } from "@/lib/delivery/direct/feedback"
import { type Claimed, type DestinationRoom, type Move, moveToQueues } from "@/lib/delivery/queue/claims/data"
import * as outcomes from "@/lib/delivery/queue/outcome"
import { tellOfBlock } from "@/lib/delivery/queue/queues/data"
import { createDestinationQueues } from "@/lib/delivery/queue/queues/destinations"
import type { Relay, Relays } from "@/lib/delivery/regions/relays"
import { beforeMail, type DeliveryAttempt, type DestinationWait } from "@/lib/delivery/transports/attempt"
import { type Decision, isDeferral } from "@/lib/delivery/transports/classify"
import type { Reason } from "@/lib/explanation/codes"
import type { Io } from "@/lib/platform/io"
import { batchWrites } from "@/lib/platform/jobs/batches"
import { log } from "@/lib/platform/log"
import type { Region } from "@/lib/regions/regions"
import { utcDate } from "@/lib/delivery/egress/rules"
import type { Clock } from "@/lib/platform/time"

// What the delivery loop does where a region sends to recipients' servers itself: where an attempt leaves from, and what its mail
// waits for.

/** What of the queues of destinations may be claimed, where the region's transport knows them. */
export function destinationRoom(relays: Relays, region: Region): DestinationRoom | undefined {
  const pacing = relays.named(region)?.transport.pacing
  return (
    pacing && {
      // What is known of it is not taken over yet.
      room: (queue, isTry) => pacing.byQueue(queue)?.room(isTry) ?? 0,
      claimed: (queue, count) => pacing.byQueue(queue)?.claimed(count),
    }
  )
}

/** A claim of a destination's queue has ended. */
export function leaveRoom(relays: Relays, region: Region, { queueId }: Claimed): void {
  if (queueId !== null) relays.named(region)?.transport.pacing?.byQueue(queueId)?.left()
}

/** Where one attempt leaves from, once its transport knows whose servers it dials. */
type AttemptPlace = {
  take: NonNullable<Parameters<Relay["transport"]["send"]>[0]["takeSource"]>
  /** What a mail that got no place waits for. */
  wait(): outcomes.ClaimOutcome
  /** The attempt has ended: a destination that refused the address may take mail from there again. */
  tried(attempt: DeliveryAttempt): void
  note(attempt: DeliveryAttempt, decision: Decision): void
  /** The address of the pool that it left from; null where the system chose one. */
  address(): { id: string; address: string } | null
}

type Waiting = { attempt: DeliveryAttempt; waits: DestinationWait; place: AttemptPlace }

type Destinations = {
  placeOf(facts: outcomes.ClaimFacts, senderDomain: string): AttemptPlace
  /** Puts a mail into the queue of its destination, which is made if there is none; null if that was all. */
  waitOf(facts: outcomes.ClaimFacts, relay: Relay, waiting: Waiting): Promise<outcomes.ClaimOutcome | null>
}

type Options = { region: Region; relays: Relays; io: Pick<Io, "clock"> }

export function createDestinations({ region, relays, io }: Options): Destinations {
  const sources = createSources(region, io.clock)
  const queues = createDestinationQueues(region, relays.paths.id)
  const pacing = relays.named(region)?.transport.pacing

  function placeOf(facts: outcomes.ClaimFacts, senderDomain: string): AttemptPlace {
    const { claimed, message } = facts
    let taken: Place | undefined
    let provider = ""

    return {
      async take(of) {
        provider = of
        const recipientDomain = claimed.canonical.slice(claimed.canonical.lastIndexOf("@") + 1)
        const { id: deliveryId, attempt, queueId: queue } = claimed
        taken = await sources.take({
          ...{ deliveryId, attempt, queue, pool: message.egressPool },
          ...{ senderDomain, recipientDomain, provider },
        })
        return taken.kind === "place" ? taken.source : taken.kind === "any" ? "any" : "held"
      },
      wait() {
        switch (taken?.kind) {
          case "warm_up":
            return outcomes.warmUpWait(facts, taken, io.clock.now())
          case "paused":
            return outcomes.pausedWait(facts)
          case "blocked": {
            const paced = pacing?.byQueue(claimed.queueId ?? 0)
            return outcomes.blockedWait(facts, blockReason(paced, taken.source.address, taken.block), taken.waitSeconds)
          }
          default:
            return outcomes.released(facts, 0)
        }
      },
      tried({ waits, outcome, phase = "connect" }) {
        if (taken?.kind !== "place" || !taken.isTry || claimed.queueId === null || waits?.why === "block") return
        if (outcome !== "accepted" && beforeMail.has(phase)) return
        endBlock(claimed.queueId, taken.source.id).catch((error: unknown) =>
          log.warn(
            { err: error, address: taken },
            "a block that is over could not be removed: it ends after the next mail",
          ),
        )
      },
      note(attempt, decision) {
        if (taken?.kind !== "place") return
        const at = { addressId: taken.source.id, provider }
        if (decision.kind === "bounced") sources.note({ ...at, what: "bounced" })
        else if (isDeferral(attempt, claimed.attemptCount)) sources.note({ ...at, what: "deferred" })
      },
      address: () => (taken?.kind === "place" ? taken.source : null),
    }
  }

  async function waitOf(
    facts: outcomes.ClaimFacts,
    { transport }: Relay,
    { attempt, waits, place }: Waiting,
  ): Promise<outcomes.ClaimOutcome | null> {
    const { claimed } = facts
    const { destination, why, seconds = 0 } = waits
    const paced = transport.pacing?.named(destination)
    if (!transport.pacing || !paced) return outcomes.released(facts, 0)
    if (seconds > 0) return outcomes.released(facts, seconds)
    if (why === "queue") {
      // The mail says nothing of its destination, so there is nothing to store.
      const own = paced.queue()?.id ?? (await queues.of(paced, transport.pacing))
      if (own === null) return outcomes.released(facts, 0)
      await moveToQueue({ claimed, queue: own })
      return null
    }
    const queue = await queues.of(paced, transport.pacing)
    const blocked = waits.blockedMinutes === undefined ? null : place.address()
    if (blocked && queue !== null && waits.blockedMinutes !== undefined) {
      const given = { queueId: queue, addressId: blocked.id, minutes: waits.blockedMinutes, reply: attempt.text }
      const { block, isNew } = await blockAddress(given)
      if (isNew) tell(queue, blocked.address, attempt.text)
      const waitSeconds = waits.blockedMinutes * 60
      return outcomes.destinationWait(facts, attempt, {
        reason: blockReason(paced, blocked.address, { ...block, reply: attempt.text }),
        queue,
        waitSeconds,
      })
    }
    if (waits.isNewBlock && queue !== null) tell(queue, attempt.source ?? "", attempt.text)
    const passed = transport.pacing.now()
    const { name, limitedSince, pausedUntil, pacePerMinute } = { name: nameOf(paced), ...paced.feedback() }
    const timeOf = (at: number) => new Date(io.clock.now().getTime() + at - passed).toISOString()
    const reason: Reason<"destination"> = {
      code: "destination",
      facts: {
        ...{ name, why },
        ...(limitedSince !== null && { since: timeOf(limitedSince) }),
        ...(pausedUntil !== null && { until: timeOf(pausedUntil) }),
        ...(pacePerMinute !== null && { perMinute: Math.round(pacePerMinute) }),
      },
    }
    const waitSeconds = queue === null && pausedUntil !== null ? (pausedUntil - passed) / 1_000 : 0
    return outcomes.destinationWait(facts, attempt, { reason, queue, waitSeconds })
  }

  /** Not awaited: what a mail waits for does not depend on it. */
  function tell(queue: number, address: string, reply: string): void {
    tellOfBlock(queue, address, reply).catch((error: unknown) =>
      log.warn({ err: error, address }, "the operators could not be told of a block"),
    )
  }

  return { placeOf, waitOf }
}

/** What waited for it leaves as well. */
async function endBlock(queueId: number, addressId: string): Promise<void> {
  await unblockAddress(queueId, addressId)
  await hurryBlocked(queueId)
}

function blockReason(
  paced: Paced | undefined,
  address: string,
  { since, until, reply }: { since: Date; until: Date; reply: string },
): Reason<"destination"> {
  const [times, cause] = [{ since: since.toISOString(), until: until.toISOString() }, blockCause(reply)]
  return {
    code: "destination",
    facts: {
      ...{ name: paced ? nameOf(paced) : "The destination", why: "block", address, ...times },
      ...(cause && { cause }),
    },
  }
}

/** As people know it. */
function nameOf({ destination: { provider, hosts, key } }: Paced): string {
  return provider ?? hosts[0] ?? key
}

/** Batched with others that are put into their queues at the same time. */
const moveToQueue = batchWrites(
  async (moves: Move[]) => {
    await moveToQueues(moves)
    return moves
  },
  { max: 200 },
)

/** A region without addresses learns so late that it has one. */
const askAgainMs = 5_000

type Sources = {
  take(ask: PlaceAsk): Promise<Place>
  /** Not awaited: rates of a day bear the loss of a few. */
  note(news: Omit<PlaceNews, "date">): void
}

/** The source addresses of one region, for many deliveries at a time. The day is that of the clock, in UTC. */
function createSources(region: Region, clock: Clock): Sources {
  let known: { exist: Promise<boolean>; until: number } | undefined
  const takeOne = batchWrites((asks: PlaceAsk[]) => takePlaces(region, utcDate(clock.now()), asks), { max: 200 })
  const count = batchWrites(
    async (news: PlaceNews[]) => {
      await countNews(news)
      return news
    },
    { max: 200, spacingMs: 500 },
  )

  function exist(): Promise<boolean> {
    if (known && performance.now() < known.until) return known.exist
    const asked = { exist: hasAddresses(region), until: performance.now() + askAgainMs }
    known = asked
    asked.exist.catch(() => {
      if (known === asked) known = undefined
    })
    return asked.exist
  }

  return {
    take: async (ask) => ((await exist()) ? takeOne(ask) : { kind: "any" }),
    note(news) {
      count({ ...news, date: utcDate(clock.now()) }).catch((error: unknown) =>
        log.debug({ err: error }, "what became of an email could not be counted at its address"),
      )
    },
  }
}
