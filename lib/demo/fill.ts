import { dayMs, hourMs } from "@/lib/platform/time"
import { removeOrganization } from "@/lib/access/people/data"
import { pool, transaction } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"
import { deleteProjectsOf } from "@/lib/projects/data"
import { found, type Founded } from "@/lib/projects/installation/store"
import { setLimits } from "@/lib/projects/quota/data"
import { dispatchAll } from "@/lib/worker/dispatcher"
import { addAudience, addFilters } from "@/lib/demo/audience"
import { addBroadcasts, createPost, type Letter, lettersOf } from "@/lib/demo/broadcasts"
import { addDomains, addReports } from "@/lib/demo/domains"
import { addKeys, addUsage } from "@/lib/demo/keys"
import { addMailbox } from "@/lib/demo/mailbox"
import { ann, customers, type DemoPerson } from "@/lib/demo/people"
import { addStories, insert } from "@/lib/demo/rows-store"
import { idAt, seeded, type Seeded } from "@/lib/demo/seeded"
import { newsletter, pickTemplate, type Template } from "@/lib/demo/templates"
import { addPastImport, addTemplates } from "@/lib/demo/saved"
import { addPastWebhook } from "@/lib/demo/webhook"
import { tell, tellDelayed, tellInvoice, tellScheduled, type Cast, type Story } from "@/lib/demo/story"

export const demoAddress = "mara@harborpine.example"

export type Demo = {
  userId: string
  organizationId: string
  projectId: string
  project: string
  emails: number
  events: number
}

const days = 30
/** Of a date such as 2026-11-20. */
const dayLength = 10
/** The newest mails lie so far back that their deliveries have ended. */
const quietMs = 3 * 60_000

/**
 * Fills the installation with an organization that has sent mail for 30 days, and lets the dispatcher count it.
 * Everything but keys and the password is the same each time.
 * @param withQueue also mails that are still to be sent, which the worker will send
 * @returns null when the demo is there already
 */
export async function fillDemo(plan: {
  passwordHash: string
  now: Date
  emails: number
  withQueue: boolean
}): Promise<Demo | null> {
  const { passwordHash, now, emails } = plan
  const founded = await found({
    email: demoAddress,
    name: "Mara Lindqvist",
    passwordHash,
    organization: "Harbor & Pine",
    project: { name: "Harbor & Pine shop", slug: "harbor-pine-shop", region: "eu-west-1" },
  })
  if (!founded) return null
  try {
    const random = seeded(20_240_607)
    await pool().query("SELECT ensure_partitions($1, $2)", [new Date(now.getTime() - 40 * dayMs), now])
    const scope = scopeOf(founded)
    const domains = await addDomains(scope, now, random)
    const keys = await addKeys(founded.projectId, now)
    const place = { projectId: founded.projectId, domains, keys }
    const people = customers(Math.max(60, Math.ceil(emails / 6)) - 1, random)
    const letters = lettersOf(now, random)
    const stories = storiesOf(random, plan, people, letters)
    const left = stories.flatMap(({ suppress, person }) => (suppress === "unsubscribe" ? [person.address] : []))
    await transaction(async (client) => {
      // A busy machine may take its time: nothing waits for this.
      await client.query("SET LOCAL statement_timeout = 0")
      await addByHand(client, founded.projectId, now, random)
      await addStories(client, place, stories, random)
      const arrived = stories.filter(({ deliveredAt }) => deliveredAt)
      await addMailbox(client, place, arrived.slice(-24), random)
      const news = "news.harborpine.example"
      await addReports(client, { ...place, domainId: domains[news] ?? "", domain: news }, now, random)
      await addAudience(client, founded.projectId, [...people, ann], new Set(left), now, random)
      await addBroadcasts(client, founded, letters, stories, random)
      await addTemplates(client, founded.projectId, now, random)
      await addPastImport(client, founded, now, random)
      await insert(client, "quota_days", [usedToday(founded.organizationId, stories, now)])
    })
    await addFilters(scope)
    await addUsage(founded, keys, now, Math.ceil(emails / 8), random)
    await setLimits(founded.projectId, { perSecondSends: 50, dailySends: 200_000 })
    // The dispatcher gives the events their places and counts them by the hour, here or in the worker that runs.
    await dispatchAll()
    await transaction((client) => addPastWebhook(client, founded.projectId, now, random))
    const events = stories.reduce((sum, story) => sum + story.events.length, 0)
    return { ...founded, project: encodeId("proj", founded.projectId), emails: stories.length, events }
  } catch (error) {
    await takeBack(founded)
    throw error
  }
}

/** In the order in which they happened, so that who is suppressed is held back from then on. */
function storiesOf(
  random: Seeded,
  { now, emails, withQueue }: { now: Date; emails: number; withQueue: boolean },
  people: DemoPerson[],
  letters: readonly Letter[],
): Story[] {
  const suppressedSince = new Map<string, Date>()
  const senders = { shop: "harborpine.test", news: "news.harborpine.example" }
  const cast: Cast = { now, senders, isSuppressed: (address) => suppressedSince.has(address) }
  const queued = withQueue ? Math.min(48, Math.ceil(emails / 20)) : 0
  const askedAt = new Date(now.getTime() - 26 * hourMs)
  const post = createPost(letters, random)
  const mails = Array.from({ length: emails - queued - 1 }, () => mailOf(random, now, post, people)).sort(
    (a, b) => a.at.getTime() - b.at.getTime(),
  )

  const stories = mails.map(({ at, template, letter, person: reader }, order) => {
    // Senders mostly drop an address that has bounced; some come back to it.
    let person = reader ?? random.pick(people)
    for (let turn = 0; !reader && turn < 3 && suppressedSince.has(person.address) && random.chance(0.8); turn++)
      person = random.pick(people)
    const broadcastId = letter?.broadcastId
    const story = tell(random, cast, at, person, 41_000 + order, { template, broadcastId })
    if (story.suppress) suppressedSince.set(person.address, story.events.at(-1)?.at ?? at)
    return story
  })
  const free = people.filter(({ address }) => !suppressedSince.has(address))
  const waiting = Array.from({ length: queued }, (_, at) => {
    const [person, order] = [random.pick(free), 41_000 + mails.length + at]
    if (at % 8 === 0) return tellDelayed(random, cast, person, order)
    return tellScheduled(random, cast, new Date(now.getTime() - quietMs - random.whole(0, 2 * dayMs)), person, order)
  })
  const asked = tellInvoice(random, cast, askedAt, ann, 41_000 + mails.filter(({ at }) => at < askedAt).length)
  return [...stories, asked, ...waiting].sort((a, b) => (a.id < b.id ? -1 : 1))
}

type Mail = { at: Date; template: Template; letter?: Letter; person?: DemoPerson }

/** What is sent at some moment: a newsletter goes to its reader with the letter of that week. */
function mailOf(random: Seeded, now: Date, post: ReturnType<typeof createPost>, people: readonly DemoPerson[]): Mail {
  for (;;) {
    const [at, template] = [momentOf(random, now), pickTemplate(random)]
    if (template !== newsletter) return { at, template }
    const posted = post(at, people)
    if (posted) return { ...posted, template: posted.letter.template }
  }
}

/** What the emails of today have taken of the daily limit. */
function usedToday(organizationId: string, stories: readonly Story[], now: Date) {
  const day = now.toISOString().slice(0, dayLength)
  const used = stories.filter(({ at, status }) => at.toISOString().startsWith(day) && status !== "suppressed").length
  return { organization_id: organizationId, day, used }
}

/** A moment of the 30 days: more by day than by night, less on Sundays, more in the end than in the beginning. */
function momentOf(random: Seeded, now: Date): Date {
  for (;;) {
    const at = new Date(now.getTime() - quietMs - Math.floor(random.number() * days * dayMs))
    const hour = at.getUTCHours()
    const byHour = hour < 5 ? 0.15 : hour < 8 ? 0.5 : hour < 21 ? 1 : 0.45
    const byDay = at.getUTCDay() === 0 ? 0.55 : 1
    const growth = 1 - 0.4 * ((now.getTime() - at.getTime()) / (days * dayMs))
    if (random.chance(byHour * byDay * growth)) return at
  }
}

/** Addresses added to the suppression list by hand. */
async function addByHand(client: Parameters<typeof insert>[0], projectId: string, now: Date, random: Seeded) {
  const words = ["Asked by telephone", "Former supplier", "Test account of the agency", "Asked by letter"]
  const rows = Array.from({ length: 12 }, (_, at) => {
    const created = new Date(now.getTime() - random.whole(1, 28) * dayMs)
    return {
      id: idAt(created, random),
      project_id: projectId,
      email: `no-more-${at + 1}@oakhill-school.example`,
      reason: "manual",
      evidence: random.pick(words),
      created_at: created,
    }
  })
  await insert(client, "suppressions", rows)
}

function scopeOf({ userId, organizationId, projectId }: Founded): Scope {
  return {
    project: {
      id: projectId,
      organizationId,
      name: "Harbor & Pine shop",
      slug: "harbor-pine-shop",
      region: "eu-west-1",
      suspended: false,
      maxRecipients: 50,
    },
    organization: { id: organizationId, multiRegion: false },
    principal: {
      kind: "session",
      sessionId: userId,
      userId,
      email: demoAddress,
      name: null,
      roles: new Map([[organizationId, "owner"]]),
      withheld: new Set(),
      operator: false,
    },
    request: { id: userId, ip: "127.0.0.1", headers: new Headers(), signal: AbortSignal.timeout(60_000) },
  }
}

/** Removes an incomplete demo with all that belongs to it. */
async function takeBack(founded: Founded) {
  await deleteProjectsOf(founded.organizationId)
  await removeOrganization(founded)
}
