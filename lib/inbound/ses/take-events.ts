import { deliveryTag } from "@/lib/delivery/ses/names"
import { recordSesEvents, type SesRecorded } from "@/lib/inbound/ses/record-sql"
import { isUnavailable } from "@/lib/platform/database/sql-errors"
import { log } from "@/lib/platform/log"
import { counter } from "@/lib/platform/metrics"
import { type Region, regionNames } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"
import type { SesTarget } from "@/lib/regions/smtp-url"
import { readSesEvent, type SesEvent } from "@/lib/returns/ses-event"

const taken = counter("mailroom_ses_events_total", "Events of Amazon SES, by type and what they did.", [
  "type",
  "outcome",
])

/** What to do with a message: it is done with, it has to come again because our own record is not there yet, or it could not be recorded. */
export type TakenEvent = "done" | "early" | "failed"

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
