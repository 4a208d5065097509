import type { Letter } from "@/lib/demo/letters"
import { insert } from "@/lib/demo/rows-store"
import { idAt, type Seeded } from "@/lib/demo/seeded"
import type { Story } from "@/lib/demo/story"
import { bodiesOf } from "@/lib/demo/templates"
import type { Queryable } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import { dayMs } from "@/lib/platform/time"

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
