import { insert } from "@/lib/demo/rows-store"
import { idAt, type Seeded } from "@/lib/demo/seeded"
import type { Story } from "@/lib/demo/story"
import { bodiesOf, newsletter, type Template } from "@/lib/demo/templates"
import type { Queryable } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import { dayMs, hourMs } from "@/lib/platform/time"
import type { DemoPerson } from "@/lib/demo/people"

/** As for a reader of whom nothing is known. */
const reader = { name: "Reader", first: "reader", last: "", address: "" }

const letterMs = 90_000

/** The letters as the broadcasts that they were, and a draft of the next one. */
export async function addBroadcasts(
  client: Queryable,
  { projectId, userId }: { projectId: string; userId: string },
  letters: readonly Letter[],
  stories: readonly Story[],
  random: Seeded,
): Promise<void> {
  const { rows } = await client.query<{ id: string }>("SELECT id FROM topics WHERE project_id = $1 AND name = $2", [
    ...[projectId, "The Friday Letter"],
  ])
  const topicId = rows[0]?.id ?? ""
  const [entries, topic] = [[encodeId("top", topicId)], { topic_id: topicId, user_id: userId, project_id: projectId }]
  const tracking = { open_tracking: true, click_tracking: true }
  const common = { ...topic, ...tracking, entries }
  const content = { topicId: entries[0], trackingSettings: { openTracking: true, clickTracking: true } }
  const sent = letters.flatMap(({ broadcastId, at, template }) => {
    const [first, ...others] = stories.filter((story) => story.broadcastId === broadcastId)
    if (!first) return []
    const all = [first, ...others]
    const suppressed = all.filter(({ status }) => status === "suppressed").length
    const subject = template.subject(reader, 0)
    const endedAt = new Date(at.getTime() + letterMs)
    return {
      ...common,
      id: broadcastId,
      status: "sent",
      ...{ subject, from_header: first.from },
      content: {
        ...content,
        from: first.from,
        subject,
        ...bodiesOf(template, reader, 0),
        sendTimeCategory: "marketing",
      },
      template: null,
      ...{ recipients: all.length, accepted: all.length - suppressed, suppressed },
      ...{ started_at: at, ended_at: endedAt, created_at: at, updated_at: at },
    }
  })
  const [last] = sent.slice(-1)
  if (!last) return
  const next = new Date(last.created_at.getTime() + 3 * dayMs)
  const createdAt = new Date(Math.min(next.getTime(), Date.now() - dayMs / 24))
  await insert(client, "broadcasts", [
    ...sent,
    { ...last, ...draftOf(last.content), id: idAt(createdAt, random), created_at: createdAt, updated_at: createdAt },
  ])
}

/** The next letter, which somebody is still writing: it speaks to each reader by name. */
function draftOf(content: object) {
  const subject = "The Friday Letter: {{contact.firstName | dear reader}}, the workshop is open again"
  const hello = "Good morning {{contact.firstName | dear reader}},"
  const text = `${hello}\n\nthe workshop in {{contact.city}} opens its doors again.\n`
  const html = `<p>${hello}</p><p>the workshop in {{contact.city}} opens its doors again.</p>`
  const source = { subject, html, text }
  return {
    ...{ status: "draft", recipients: null, accepted: 0, suppressed: 0, started_at: null, ended_at: null },
    ...{ subject, content: { ...content, ...source }, template: { id: null, personal: { source, values: {} } } },
  }
}

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
