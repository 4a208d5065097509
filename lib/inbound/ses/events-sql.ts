import { deliveryTag, sesProviderOf } from "@/lib/delivery/ses/client"
import { isUnavailable } from "@/lib/platform/database/sql-errors"
import { log } from "@/lib/platform/log"
import { counter } from "@/lib/platform/metrics"
import { type Region, regionNames } from "@/lib/regions/regions"
import { regionSettings, type SesTarget } from "@/lib/regions/settings"
import { readSesEvent, type SesEvent } from "@/lib/returns/ses-event"
import pg from "pg"
import { deliveryOfVerp } from "@/lib/delivery/message/proven-ids"
import {
  lockReturned,
  recordComplaint,
  recordReturned,
  type ReturnedDelivery,
  returnedOutcome,
} from "@/lib/delivery/queue/feedback/data"
import type { ClaimOutcome } from "@/lib/delivery/queue/outcome"
import { isSimulated } from "@/lib/emails/simulator"
import { addPastEvents, type PastEvent } from "@/lib/emails/data"
import { firstOfEach } from "@/lib/inbound/record-sql"
import { effectOfEvent, type SesEffect } from "@/lib/inbound/ses/effect"
import { hmac } from "@/lib/platform/crypto"
import { type Queryable, transaction } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

const taken = counter("mailroom_ses_events_total", "Events of Amazon SES, by type and what they did.", [
  "type",
  "outcome",
])

/** What to do with a message: it is done with, it has to come again because our own record is not there yet, or it could not be recorded. */
type TakenEvent = "done" | "early" | "failed"

/**
 * Reads messages with events and records what they do. One that the database refuses fails alone.
 * @param regions those whose events come this way
 * @throws while the database is unavailable
 */
export async function takeEvents(bodies: readonly string[], regions: readonly Region[]): Promise<TakenEvent[]> {
  const read = bodies.map((body) => readSesEvent(body, deliveryTag))
  const events = read.flatMap((reading) => (reading.kind === "event" ? [reading.event] : []))
  const recorded = await record(events, regions)
  return read.map((reading) => {
    if (reading.kind === "unreadable")
      log.warn("a message that is no event of Amazon SES came to the queue or hook of its events")
    if (reading.kind !== "event") {
      taken.inc({ type: reading.kind === "ignored" ? reading.type : "", outcome: reading.kind })
      return "done"
    }
    const outcome = recorded.get(reading.event) ?? "failed"
    taken.inc({ type: reading.event.type, outcome })
    return outcome === "early" || outcome === "failed" ? outcome : "done"
  })
}

async function record(
  events: readonly SesEvent[],
  regions: readonly Region[],
): Promise<Map<SesEvent, SesRecorded | "failed">> {
  if (events.length === 0) return new Map()
  try {
    const recorded = await recordSesEvents(events, regions)
    return new Map(events.map((event, at) => [event, recorded[at] ?? "failed"]))
  } catch (error) {
    if (isUnavailable(error)) throw error
    const [only] = events
    if (only && events.length === 1) {
      log.error({ err: error, type: only.type }, "an event of Amazon SES could not be recorded")
      return new Map([[only, "failed"]])
    }
    const alone = []
    for (const event of events) alone.push(...(await record([event], regions)))
    return new Map(alone)
  }
}

/** The regions that send by SES and for which a setting names something, by its value. */
export function sesRegionsBy(setting: "events" | "topic"): Map<string, { target: SesTarget; regions: Region[] }> {
  const found = new Map<string, { target: SesTarget; regions: Region[] }>()
  for (const region of regionNames) {
    const profile = regionSettings().profiles[region]
    const value = profile.transport === "ses" ? profile.ses[setting] : undefined
    if (profile.transport !== "ses" || value === undefined) continue
    const known = found.get(value)
    if (known) known.regions.push(region)
    else found.set(value, { target: profile.ses, regions: [region] })
  }
  return found
}

// On `pg`, as the statements that these transactions consist of (lib/delivery/queue/feedback/data.ts).

/** What became of an event. `unknown`: its tag names no delivery of these regions. */
type SesRecorded = SesEffect["kind"] | "unknown"

/**
 * Records what events do to their deliveries, in one transaction; each event has its effect once, however often it comes. What is
 * `early` is not recorded: it has to come again. `regions` are those whose events come this way.
 */
function recordSesEvents(events: readonly SesEvent[], regions: readonly Region[]): Promise<SesRecorded[]> {
  return transaction((client) => recordEvents(client, events, regions))
}

async function recordEvents(
  client: pg.PoolClient,
  events: readonly SesEvent[],
  regions: readonly Region[],
): Promise<SesRecorded[]> {
  const ids = events.map(({ tag }) => deliveryOfVerp(tag, hmac))
  const deliveries = await lockReturned(client, [...new Set(ids.filter((id) => id !== null))])
  const known = new Map(
    deliveries
      .filter(({ region }) => (regions as readonly string[]).includes(region))
      .map((delivery) => [delivery.id, delivery]),
  )
  const recorded: SesRecorded[] = []
  const due: Due[] = []
  for (const [at, event] of events.entries()) {
    const delivery = known.get(ids[at] ?? "")
    const effect = delivery && effectOfEvent(event.news, delivery)
    recorded.push(!effect ? "unknown" : effect.kind === "early" ? "early" : "repeated")
    if (delivery && effect?.kind !== "early") due.push({ at, event, deliveryId: delivery.id, region: delivery.region })
  }
  const isNew = await rememberEvents(client, due)
  for (let left = due.filter(({ region, event }) => isNew.delete(keyOf(region, event.id))); left.length > 0;) {
    const [now, later] = firstOfEach(left, ({ deliveryId }) => deliveryId)
    await apply(client, now, known, recorded)
    left = later
  }
  return recorded
}

type Due = { at: number; event: SesEvent; deliveryId: string; region: string }

async function apply(
  client: pg.PoolClient,
  due: readonly Due[],
  known: Map<string, ReturnedDelivery>,
  recorded: SesRecorded[],
): Promise<void> {
  const outcomes: ClaimOutcome[] = []
  const events: PastEvent[] = []
  const complaints: string[] = []
  for (const { at, event, deliveryId } of due) {
    const delivery = known.get(deliveryId)
    if (!delivery) continue
    const effect = effectOfEvent(event.news, delivery)
    recorded[at] = effect.kind
    if (effect.kind === "bounced" || effect.kind === "delivered") outcomes.push(returnedOutcome(delivery, effect))
    if (effect.kind === "delivered_before" || effect.kind === "delayed" || effect.kind === "noted")
      events.push(eventOf(delivery, effect, event.at))
    if (effect.kind === "complained") complaints.push(deliveryId)
    known.set(deliveryId, afterwards(delivery, effect))
  }
  await recordReturned(client, outcomes)
  await addPastEvents(client, events)
  for (const id of complaints) await recordComplaint(client, id)
}

/** A complaint about what has bounced changes no status. */
function afterwards(delivery: ReturnedDelivery, effect: SesEffect): ReturnedDelivery {
  if (effect.kind === "bounced" || effect.kind === "delivered") return { ...delivery, status: effect.kind }
  if (effect.kind === "complained")
    return { ...delivery, isComplained: true, ...(delivery.status !== "bounced" && { status: "complained" }) }
  return effect.kind === "delayed" ? { ...delivery, isDelayed: true } : delivery
}

function eventOf(
  { id: deliveryId, projectId, emailId, address, subject, canonical }: ReturnedDelivery,
  effect: Extract<SesEffect, { kind: "delivered_before" | "delayed" | "noted" }>,
  at: Date | null,
): PastEvent {
  const details = {
    to: address,
    subject,
    ...(effect.kind === "delivered_before" ? { reported: "true" } : { diagnostic: effect.diagnostic }),
    ...(effect.kind === "noted" && {
      note: effect.note,
      mail: effect.note === "automatic_answer" ? effect.note : "delivery_status",
    }),
    simulator: isSimulated(canonical) ? "true" : undefined,
  }
  const data = Object.fromEntries(
    Object.entries(details).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
  const type = { delivered_before: "delivered", delayed: "delivery_delayed", noted: "mail_returned" }[effect.kind]
  return { id: newId(), projectId, emailId, deliveryId, type, data, occurredAt: at }
}

// Which events have come, of each region

/** For all projects, inside the transaction that the effects are in. Answers the keys of those that had not come before. */
async function rememberEvents(client: Queryable, due: readonly Due[]): Promise<Set<string>> {
  if (due.length === 0) return new Set()
  const { rows } = await client.query<{ provider: string; id: string }>({
    name: "inbound.remember_provider_events",
    text: `INSERT INTO provider_events (provider, event_id)
      SELECT DISTINCT provider, id FROM unnest($1::text[], $2::text[]) AS g(provider, id) ORDER BY 1, 2
      ON CONFLICT DO NOTHING RETURNING provider, event_id AS id`,
    values: [due.map(({ region }) => sesProviderOf(region)), due.map(({ event }) => event.id)],
  })
  return new Set(rows.map(({ provider, id }) => `${provider} ${id}`))
}

function keyOf(region: string, id: string): string {
  return `${sesProviderOf(region)} ${id}`
}
