import type { DemoPerson } from "@/lib/demo/people"
import { idAt, type Seeded } from "@/lib/demo/seeded"
import { newsletter, type Template } from "@/lib/demo/templates"
import { dayMs, hourMs } from "@/lib/platform/time"

/** One Friday's letter, which goes out as a broadcast. */
export type Letter = { broadcastId: string; at: Date; template: Template }

const subjects = [
  "The Friday Letter: nine tries for one lamp",
  "The Friday Letter: what the kiln gave back",
  "The Friday Letter: oak, and when to leave it alone",
  "The Friday Letter: a small sale, and why",
]

const fridayOfWeek = 5
const sentAtHour = 8
/** A letter has long been sent by now. */
const settledMs = hourMs

/** The letters of the last four Fridays, the oldest first. */
export function lettersOf(now: Date, random: Seeded): Letter[] {
  const last = new Date(now.getTime() - settledMs)
  last.setUTCDate(last.getUTCDate() - ((last.getUTCDay() - fridayOfWeek + 7) % 7))
  last.setUTCHours(sentAtHour, 0, 0, 0)
  if (now.getTime() - last.getTime() < settledMs) last.setUTCDate(last.getUTCDate() - 7)
  return subjects.map((subject, week) => {
    const at = new Date(last.getTime() - 7 * dayMs * (subjects.length - 1 - week))
    return { broadcastId: idAt(at, random), at, template: { ...newsletter, subject: () => subject } }
  })
}

/** Tells for a newsletter of some moment which letter it is: the last one before, to somebody who has not got that one. */
export function createPost(letters: readonly Letter[], random: Seeded) {
  const reached = new Map(letters.map(({ broadcastId }) => [broadcastId, new Set<string>()]))
  return (at: Date, people: readonly DemoPerson[]) => {
    const letter = letters.findLast((one) => one.at <= at) ?? letters[0]
    const got = letter && reached.get(letter.broadcastId)
    const person = random.pick(people)
    if (!got || got.has(person.address)) return null
    got.add(person.address)
    return { letter, person, at: new Date(letter.at.getTime() + random.whole(2_000, 90_000)) }
  }
}
