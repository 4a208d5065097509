import { isOperatorAddress } from "@/lib/access/people/data"
import { parseAddress } from "@/lib/addresses/address"
import { composed } from "@/lib/delivery/message/composed"
import { createSigners, type Signer } from "@/lib/delivery/message/signers"
import { verpFor } from "@/lib/delivery/message/proven-ids"
import {
  type Claimed,
  createDeliveryClaim,
  holdClaims,
  markData,
  beforeRestore,
} from "@/lib/delivery/queue/claims/data"
import { createDestinations, destinationRoom, leaveRoom } from "@/lib/delivery/queue/for-destinations"
import * as outcomes from "@/lib/delivery/queue/outcome"
import type { ClaimFacts, ClaimOutcome } from "@/lib/delivery/queue/outcome"
import { finishDelivery } from "@/lib/delivery/queue/outcomes/data"
import { prepareWork, putBackUntouched, type Work, createSuspects } from "@/lib/delivery/queue/prepare"
import { secondsToLive } from "@/lib/delivery/queue/rules"
import { createRegionState, type RegionState, type Relay, type Relays } from "@/lib/delivery/regions/relays"
import { noteReportsOffered } from "@/lib/delivery/regions/return-route-store"
import { createTurnedOn } from "@/lib/delivery/regions/data"
import { isStopped } from "@/lib/delivery/smtp/job"
import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import { classify, type Decision, type MailRoute } from "@/lib/delivery/transports/classify"
import { isSimulated } from "@/lib/emails/simulator"
import type { SendControl } from "@/lib/delivery/transports/transport"
import { markSending } from "@/lib/emails/content/data"
import type { Reason } from "@/lib/explanation/codes"
import { hmac } from "@/lib/platform/crypto"
import { isUnavailable } from "@/lib/platform/database/sql-errors"
import type { Dns } from "@/lib/platform/dns/dns"
import type { Io } from "@/lib/platform/io"
import { batchWrites } from "@/lib/platform/jobs/batches"
import { runLeased } from "@/lib/platform/jobs/leases"
import { createRecentBytes } from "@/lib/platform/jobs/recent-bytes"
import { createFairSlots, createSlots } from "@/lib/platform/jobs/slots"
import { log } from "@/lib/platform/log"
import { counter, histogram } from "@/lib/platform/metrics"
import type { Region } from "@/lib/regions/regions"

export type DeliveryOptions = {
  region: Region
  relays: Relays
  io: Io
  signal: AbortSignal
  leaseMs?: number
  intervalMs?: number
  concurrency?: number
  drainMs?: number
}

/** Sends what is due in one region until the signal aborts and all running attempts have ended. Never rejects. */
export async function runDeliveries(options: DeliveryOptions): Promise<void> {
  const { region, relays, signal, leaseMs = 60_000, intervalMs = 100, concurrency = 400, drainMs = 20_000 } = options
  const state = createRegionState(relays.paths)
  const claim = createDeliveryClaim({
    onDown: state.update,
    worker: relays.paths.id,
    destinations: destinationRoom(relays, region),
  })
  const work = createDeliverer(options, state)
  const suspects = createSuspects()
  const left = (claimed: Claimed) => {
    suspects.left(claimed)
    leaveRoom(relays, region, claimed)
  }
  await runLeased<Work>({
    name: `deliveries ${region}`,
    claim: async (limit, slow) => {
      const claimed = await claim({ region, limit, leaseMs, without: fullOrganizations(slow, concurrency) })
      try {
        const works = await prepareWork(await suspects.admit(claimed))
        skipped(claimed, works).forEach(left)
        return works
      } catch (error) {
        claimed.forEach(left)
        await putBackUntouched(claimed, leaseMs, signal)
        throw error
      }
    },
    work: (row, signal, isHeld) => work(row, signal, isHeld).finally(() => left(row.claimed)),
    heartbeat: async (rows) => {
      const claims = rows.map(({ claimed }) => claimed)
      const held = new Set(await holdClaims(claims, leaseMs))
      return rows.filter(({ claimed }) => held.has(claimed))
    },
    leaseMs,
    intervalMs,
    concurrency,
    slowConcurrency: Math.min(40, concurrency),
    drainMs,
    signal,
  })
}

/** Organizations whose slow deliveries hold as many places as no slow delivery does: whoever comes later always finds some. */
function fullOrganizations(slow: readonly Work[], places: number): string[] {
  const held = new Map<string, number>()
  for (const { message } of slow)
    if (message) held.set(message.organizationId, (held.get(message.organizationId) ?? 0) + 1)
  return [...held].flatMap(([id, count]) => (count >= places - slow.length ? [id] : []))
}

/** The claims that could not be prepared. */
function skipped(claimed: readonly Claimed[], works: readonly Work[]): Claimed[] {
  const prepared = new Set(works.map((work) => work.claimed))
  return claimed.filter((one) => !prepared.has(one))
}

/** Claims in a row that may end with the worker's process. */
const crashesMax = 10

/** Claims without an outcome after which work that breaks is given up. */
const breaksMax = 3

const databasePauseSeconds = 5

/** What was read of a claim is believed for so long. */
const believedMs = 5_000

/** Large messages in memory at once. */
const largeAtOnceMax = 3
/** Of one organization: a server that stays silent keeps nobody else's from leaving. */
const largeOfOneMax = 2

/** The recipients of one message are served one after the other: its bytes are read from the database once for many of them. */
const recentLimits = { bytesMax: 32 * 1024 * 1024, ageMsMax: 10_000 }

/** Messages composed and signed at once: enough for every core, and few enough that servers' replies are read in time. */
const composedAtOnceMax = 32

type Deliver = (work: Work, signal: AbortSignal, isHeld?: () => boolean) => Promise<void>

/** Works on one claimed delivery: sends the mail and writes the outcome. */
export function createDeliverer(
  { region, relays, io }: Pick<DeliveryOptions, "region" | "relays" | "io">,
  state: RegionState = createRegionState(relays.paths),
): Deliver {
  const findSigner = createSigners()
  const composing = new Map<string, Promise<Buffer>>()
  const recent = createRecentBytes(recentLimits)
  const offers = new Map<string, boolean>()
  const largeSlots = createFairSlots(largeAtOnceMax, largeOfOneMax)
  const composingSlots = createSlots(composedAtOnceMax)
  const destinations = createDestinations({ region, relays, io })
  const isTurnedOn = createTurnedOn()

  return async ({ claimed, message, suppressed }, signal, isHeld = () => true) => {
    if (!message) return
    const ended = markSendingIfSlow(claimed.emailId)
    const read = performance.now()
    const facts = { claimed, message, simulated: isSimulated(claimed.canonical) }
    const outcome = inDoubt(facts)
      ? outcomes.indeterminate(facts, claimed.dataAttempt === beforeRestore ? restoredText : lostText)
      : suppressed
        ? outcomes.suppressed(facts, suppressed)
        : await attemptOnce().catch(failure)
    ended()
    if (outcome) await finishDelivery(outcome.unfinished === 0 && wasLost(facts) ? withLost(outcome) : outcome, signal)

    function attemptOnce(): Promise<outcomes.ClaimOutcome | null> {
      const control = { signal, isHeld, ...leaving(facts, read) }
      return message?.large
        ? largeSlots(message.organizationId, () => attempt(facts, control))
        : attempt(facts, control)
    }

    function failure(error: unknown): outcomes.ClaimOutcome {
      if (isUnavailable(error)) return outcomes.released(facts, databasePauseSeconds)
      log.error({ err: error, deliveryId: claimed.id, emailId: claimed.emailId }, "a message could not be prepared")
      const reason = { code: "unprepared", facts: {} } as const
      return claimed.unfinished >= breaksMax ? outcomes.failed(facts, reason) : outcomes.broken(facts, reason)
    }
  }

  /** Null for a delivery that has been put into another queue. */
  async function attempt(
    facts: outcomes.ClaimFacts,
    control: Leaving & SendControl,
  ): Promise<outcomes.ClaimOutcome | null> {
    const { claimed, message } = facts
    if (isStopped(control)) return outcomes.released(facts, 0)
    if (claimed.unfinished > crashesMax)
      return outcomes.failed(facts, { code: "crashed", facts: { claims: crashesMax } })
    if (message.ageSeconds > secondsToLive(message.giveUpAfterSeconds))
      return outcomes.failed(facts, { code: "deadline", facts: {} })
    const signer = await findSigner(claimed.projectId, message.domainId)
    if (!signer) return outcomes.failed(facts, { code: "domain_deleted", facts: senderDomain(message.fromHeader) })
    const raw = await composeOnce(facts, signer)
    if (message.testMode) return outcomes.tested(facts)

    const relay = relays.for(region, claimed.canonical)
    if (state.isDown(relay.name)) return outcomes.regionWait(facts, regionDown(relay))
    if (relay.name === region && !(await isTurnedOn(region)) && !(await isOperatorAddress(claimed.address)))
      return outcomes.setupWait(facts)
    return relayMessage(facts, relay, signer, raw, control)
  }

  /** Deliveries of one message that run at the same time, or soon after each other, compose it once. */
  async function composeOnce(facts: outcomes.ClaimFacts, signer: Signer): Promise<Buffer> {
    const { message } = facts
    const known = recent.get(message.id) ?? composing.get(message.id)
    if (known) return known
    const raw = composeAndKeep(facts, signer).finally(() => composing.delete(message.id))
    composing.set(message.id, raw)
    return raw
  }

  async function composeAndKeep({ claimed, message }: outcomes.ClaimFacts, signer: Signer): Promise<Buffer> {
    const raw = await composed(message, { deliveryId: claimed.id, region }, signer, io.clock.now(), composingSlots)
    if (message.recipients > 1) recent.keep(message.id, raw)
    return raw
  }

  async function relayMessage(
    facts: outcomes.ClaimFacts,
    relay: Relay,
    signer: Signer,
    raw: Buffer,
    control: Leaving & SendControl,
  ): Promise<outcomes.ClaimOutcome | null> {
    const { claimed } = facts
    const place = destinations.placeOf(facts, signer.domain)
    const reports = relay.delivered === "dsn" ? { dsnEnvelopeId: claimed.id } : {}
    const { withheld, ...sendControl } = control
    const attempt = await relay.transport.send({
      from: `${verpFor(claimed.id, hmac)}@${signer.mailFromDomain}`,
      to: claimed.address,
      message: raw,
      sender: signer,
      owner: claimed.projectId,
      tls: facts.message.tls,
      takeSource: place.take,
      ...(claimed.queueId !== null && { queue: claimed.queueId }),
      ...(state.isProbing && { isProbe: true }),
      ...reports,
      ...sendControl,
    })
    const outcome = withheld()
    if (outcome) return outcome
    if (attempt.held) return place.wait()
    if (attempt.paced && !isStopped(control)) return outcomes.pacedWait(facts, attempt, attempt.paced)
    place.tried(attempt)
    if (!attempt.notSent) countAttempt(relay.name, attempt)
    if (attempt.reports) noteOffer(relay.name, attempt.reports === "asked")
    if (isStopped(control) && (attempt.outcome === "deferred" || attempt.outcome === "region_fault"))
      return outcomes.released(facts, 0)
    const decision = ofRegion(relay, await decide(attempt, claimed.canonical))
    const refused = { attempt, decision, deliveryId: claimed.id, canonical: claimed.canonical }
    if (attempt.waits) {
      const deferred = { ...attempt, outcome: "deferred" } as const
      if (attempt.waits.isCause) place.note(deferred, classify(deferred))
      // What a server says of this machine may be what all of them say.
      if (attempt.waits.why === "block" && attempt.code !== undefined && (await state.refuse(relay, refused))) {
        relay.transport.pacing?.named(attempt.waits.destination)?.unblock()
        return outcomes.refusedWait(facts, attempt, decision)
      }
      return destinations.waitOf(facts, relay, { attempt, waits: attempt.waits, place })
    }
    place.note(attempt, decision)
    if (decision.kind === "region_fault") await state.fail(relay, attempt, decision.diagnostic)
    if (await state.refuse(relay, refused)) return outcomes.refusedWait(facts, attempt, decision)
    return outcomes.outcomeOfAttempt(facts, attempt, decision, {
      delivered: relay.delivered,
      random: io.random.number(),
    })
  }

  /** Not awaited: an outcome that is known is not lost for it. */
  function noteOffer(route: string, offersReports: boolean): void {
    if (offers.get(route) === offersReports) return
    offers.set(route, offersReports)
    noteReportsOffered(route, offersReports).catch((error: unknown) => {
      offers.delete(route)
      log.warn({ err: error, region: route }, "whether a relay offers delivery reports could not be recorded")
    })
    if (!offersReports) log.warn({ region: route }, "the relay of a region offers no delivery reports: mail stays sent")
  }

  /** These codes mean that the domain accepts no mail, which is believed only if our own lookup agrees. */
  async function decide(attempt: DeliveryAttempt, canonical: string) {
    if (attempt.route) return classify(attempt, attempt.route)
    const doubtful = attempt.outcome === "refused" && (attempt.enhanced === "5.1.2" || attempt.enhanced === "5.4.4")
    return classify(attempt, doubtful ? await routeTo(io.dns, canonical.slice(canonical.indexOf("@") + 1)) : "unknown")
  }
}

function regionDown({ hasOneServer }: Relay): Reason<"region_down"> {
  return { code: "region_down", facts: hasOneServer ? {} : { direct: true } }
}

/** A region that sends directly has no relay that could be away. */
function ofRegion(relay: Relay, decision: Decision): Decision {
  if (relay.hasOneServer || decision.kind !== "region_fault") return decision
  return { ...decision, reason: regionDown(relay) }
}

function senderDomain(fromHeader: string): { domain?: string } {
  const parsed = parseAddress(fromHeader)
  return parsed.ok ? { domain: parsed.domain } : {}
}

/** Whether a domain accepts mail at all: not if it does not exist or has a null MX (RFC 7505). */
export async function routeTo(dns: Dns, domain: string): Promise<MailRoute> {
  const answer = await dns.mx(domain)
  if (answer.kind === "error") return "unknown"
  if (answer.kind === "missing") return answer.reason === "no-name" ? "none" : "exists"
  return answer.values.every(({ exchange }) => exchange === "" || exchange === ".") ? "none" : "exists"
}

// Attempts whose result was lost

const restoredText =
  "The email waited when the backup was made, and may have been sent before this installation was restored."
const lostText = "The worker ended during this attempt, before it could record the result."

/** The server may have the message, and the project's policy, or the operator, is not to risk sending it twice. */
function inDoubt({ claimed, message }: ClaimFacts): boolean {
  if (claimed.dataAttempt === beforeRestore) return true
  return message.ambiguousPolicy === "hold" && claimed.dataAttempt !== null
}

/** The previous claim ended without an outcome after the message had been composed. */
function wasLost(facts: ClaimFacts): boolean {
  const { claimed, message } = facts
  if (claimed.dataAttempt === beforeRestore) return false
  if (message.ambiguousPolicy === "hold") return inDoubt(facts)
  return claimed.unfinished > 1 && message.composed
}

type Leaving = Required<Pick<SendControl, "beforeData">> & {
  /** What kept the message back once its server was ready for it; undefined for nothing. */
  withheld(): outcomes.ClaimOutcome | undefined
}

/**
 * Behind a slow server, or others' large messages, a message may wait for minutes: right before its data is sent, what was read at
 * `read` is read again if that is long ago. With the policy `hold`, the claim is marked then; otherwise that statement is not needed.
 */
function leaving(facts: ClaimFacts, read: number): Leaving {
  let withheld: outcomes.ClaimOutcome | undefined
  return {
    async beforeData() {
      if (performance.now() - read > believedMs) withheld = withheldNow(facts, await prepareWork([facts.claimed]))
      if (withheld) return false
      return facts.message.ambiguousPolicy === "hold" ? markDataBatched(facts.claimed) : true
    },
    withheld: () => withheld,
  }
}

/** Whoever has left since it was claimed gets nothing, and mail of a project that was suspended waits. */
function withheldNow(facts: ClaimFacts, [now]: Work[]): outcomes.ClaimOutcome | undefined {
  if (!now?.message || now.message.suspended) return outcomes.released(facts, 0)
  return now.suppressed && outcomes.suppressed(facts, now.suppressed)
}

const markDataBatched = batchWrites(
  async (claimed: Claimed[]) => {
    const held = await markData(claimed)
    return claimed.map(({ id }) => held.has(id))
  },
  { max: 200 },
)

function withLost(outcome: ClaimOutcome): ClaimOutcome {
  const { attempt, dataAttempt } = outcome.claimed
  const lost = { number: dataAttempt ?? attempt - 1, outcome: "lost" as const, text: lostText }
  return { ...outcome, attempts: [lost, ...outcome.attempts] }
}

// Attempts that take long

/** Most attempts end sooner than this, so writing the status `sending` for each would be wasted. */
const slowMs = 500

/** Marks an email as being sent once that takes long; call the result when the attempt has ended. */
function markSendingIfSlow(emailId: string): () => void {
  const timer = setTimeout(() => void mark(emailId), slowMs)
  return () => clearTimeout(timer)
}

/** A failure is ignored: the outcome sets the status anyway. */
async function mark(emailId: string): Promise<void> {
  await markBatched(emailId).catch((error: unknown) => log.debug({ err: error, emailId }, "an email stays queued"))
}

const markBatched = batchWrites(
  async (emailIds: string[]) => {
    await markSending(emailIds)
    return emailIds
  },
  { max: 200 },
)

const attempts = counter("mailroom_delivery_attempts_total", "Delivery attempts by outcome.", ["region", "outcome"])
const durations = histogram(
  "mailroom_delivery_attempt_duration_seconds",
  "Duration of delivery attempts, from getting a connection to the final reply.",
  [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  ["region"],
)

/** Counts one attempt. `region` is the name of the relay: a region, or the simulator. */
function countAttempt(region: string, { outcome, startedAt, endedAt }: DeliveryAttempt) {
  attempts.inc({ region, outcome })
  durations.observe({ region }, (endedAt.getTime() - startedAt.getTime()) / 1000)
}
