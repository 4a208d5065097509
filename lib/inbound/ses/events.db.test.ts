import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { deliveryRows, eventRows, eventTypes, newSending, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { inEnvelope, sesEvent, startEventQueue } from "@/e2e/support/inbound/ses-events"
import { size } from "@/e2e/support/chaos/size"
import { openEventQueue } from "@/lib/delivery/ses/queue"
import { takeFromQueue } from "@/lib/inbound/ses/poll-events"
import { takeEvents } from "@/lib/inbound/ses/events-sql"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import type { SesTarget } from "@/lib/regions/settings"

const region = "eu-west-1"
const target: SesTarget = {
  ...{ awsRegion: region, credentials: { accessKeyId: "KEY", secretAccessKey: "SECRET" }, maxConnections: 5 },
}

let sender: Sending
beforeAll(async () => {
  sender = await newSending(region)
})
beforeEach(() => {
  for (const level of ["warn", "error"] as const) vi.spyOn(log, level).mockReturnValue()
})
afterEach(() => vi.restoreAllMocks())
afterAll(closeDatabase)

type Sent = { emailId: string; deliveryId: string; address: string }

/** Emails that a region handed to SES, which will report on them. */
async function sentMail(count = 1, status = "sent"): Promise<Sent[]> {
  const addresses = Array.from({ length: count }, () => `reader-${newId()}@lovelace.example`)
  for (let at = 0; at < count; at += 50) await sendMail(sender, { to: addresses.slice(at, at + 50) })
  const { rows } = await pool().query<Sent>(
    `WITH sent AS (
        UPDATE deliveries SET status = $2, due_at = NULL, sent_at = now(), first_attempt_at = now() WHERE address = ANY ($1)
          RETURNING email_id, id, address
      ), emails AS (UPDATE emails e SET status = $2 FROM sent s WHERE e.id = s.email_id)
      SELECT email_id AS "emailId", id AS "deliveryId", address FROM sent`,
    [addresses, status],
  )
  return rows
}

const one = async (status?: string) => (await sentMail(1, status))[0] as Sent
const body = (type: string, sent: Sent, details = {}) =>
  JSON.stringify(sesEvent(type, sent, withAddress(type, sent, details)))

/** The recipient of a bounce is that of the delivery. */
function withAddress(type: string, { address }: Sent, details: Record<string, unknown>) {
  if (type !== "Bounce") return details
  const recipient = { emailAddress: address, status: "5.1.1", diagnosticCode: "smtp; 550 5.1.1 user unknown" }
  return { bouncedRecipients: [recipient], ...details }
}

const statusOf = async ({ emailId }: Sent) => (await deliveryRows(emailId))[0]?.status
const suppressionOf = async ({ address }: Sent) =>
  (
    await pool().query("SELECT reason FROM suppressions WHERE project_id = $1 AND email = $2", [
      sender.projectId,
      address,
    ])
  ).rows[0]?.reason

describe("what SES reports", () => {
  test("moves a delivery: delivered, bounced and suppressed, or marked as spam", async () => {
    const [delivered, bounced, complained] = (await sentMail(3)) as [Sent, Sent, Sent]
    await takeEvents(
      [
        ...["Send", "Delivery"].map((type) => body(type, delivered)),
        body("Bounce", bounced),
        ...["Delivery", "Complaint"].map((type) => body(type, complained)),
      ],
      [region],
    )
    expect(await statusOf(delivered)).toBe("delivered")
    expect(await suppressionOf(delivered)).toBeUndefined()
    expect((await deliveryRows(bounced.emailId))[0]).toMatchObject({
      ...{ status: "bounced", bounce_type: "hard", bounce_code: "5.1.1", diagnostic: "550 5.1.1 user unknown" },
    })
    expect(await suppressionOf(bounced)).toBe("bounce")
    expect(await statusOf(complained)).toBe("complained")
    expect(await suppressionOf(complained)).toBe("complaint")
    expect(await eventTypes(complained.emailId)).toEqual(["queued", "delivered", "complained"])
  })

  test("that an address is on SES's own suppression list bounces the email, and is no proof to us", async () => {
    const sent = await one()
    await takeEvents([body("Bounce", sent, { bounceSubType: "OnAccountSuppressionList" })], [region])
    expect((await deliveryRows(sent.emailId))[0]).toMatchObject({ status: "bounced", bounce_type: "block" })
    expect(await suppressionOf(sent)).toBeUndefined()
  })

  test("has its effect once, in either envelope and however often it comes", async () => {
    const sent = await one()
    const delivery = sesEvent("Delivery", sent)
    const events = ["Bounce", "DeliveryDelay"].map((type) => body(type, sent))
    for (let nth = 0; nth < 3; nth++)
      await takeEvents([inEnvelope(delivery), JSON.stringify(delivery), ...events, ...events], [region])
    expect((await eventTypes(sent.emailId)).toSorted()).toEqual(["bounced", "delivered", "queued"])
  })

  test("of a delivery before the complaint about it counts, although it comes after", async () => {
    const sent = await one()
    await takeEvents([body("Complaint", sent)], [region])
    await takeEvents([body("Delivery", sent)], [region])
    expect(await statusOf(sent)).toBe("complained")
    expect((await eventTypes(sent.emailId)).toSorted()).toEqual(["complained", "delivered", "queued"])
  })
})

describe("T118: what is not for us changes nothing", () => {
  test("an unknown delivery, a tag that we did not make, no tag, and the tag of another region's email", async () => {
    const sent = await one()
    const foreign = [
      JSON.stringify(sesEvent("Bounce", { ...sent, deliveryId: newId() })),
      JSON.stringify(sesEvent("Bounce", { ...sent, tag: sent.deliveryId })),
      JSON.stringify(sesEvent("Bounce", { ...sent, tag: "a".repeat(39) })),
      JSON.stringify({ ...sesEvent("Bounce", sent), mail: { messageId: "1" } }),
    ]
    expect(await takeEvents(foreign, [region])).toEqual(["done", "done", "done", "done"])
    expect(await takeEvents([body("Bounce", sent)], ["us-east-1"])).toEqual(["done"])
    expect(await statusOf(sent)).toBe("sent")
    expect(await takeEvents([body("Bounce", sent)], ["us-east-1", region])).toEqual(["done"])
    expect(await statusOf(sent), "by the queue of its own region").toBe("bounced")
  })

  test("a bounce that names other people is noted, and no status moves", async () => {
    const sent = await one()
    const bouncedRecipients = ["eve", "mallory"].map((name) => ({
      ...{ emailAddress: `${name}@elsewhere.example`, status: "5.1.1" },
      diagnosticCode: "smtp; 550 5.1.1 user unknown",
    }))
    await takeEvents([body("Bounce", sent, { bouncedRecipients })], [region])
    expect(await statusOf(sent)).toBe("sent")
    expect(await eventRows(sent.emailId)).toContainEqual({
      type: "mail_returned",
      data: expect.objectContaining({ note: "about_another_recipient" }),
    })
  })
})

test("an out-of-office reply, which SES reports as a bounce, is noted and leaves the email delivered", async () => {
  const sent = await one()
  await takeEvents([body("Delivery", sent)], [region])
  const bouncedRecipients = [{ emailAddress: "ada@lovelace.example" }]
  await takeEvents([body("Bounce", sent, { bounceType: "Transient", bouncedRecipients })], [region])
  expect(await statusOf(sent), "the status after the reply").toBe("delivered")
  expect(await eventRows(sent.emailId), "the events of the email").toContainEqual({
    type: "mail_returned",
    data: expect.objectContaining({ note: "automatic_answer", mail: "automatic_answer" }),
  })
})

describe("a queue of events", () => {
  let queue: Awaited<ReturnType<typeof startEventQueue>>
  let ours: Awaited<ReturnType<typeof openEventQueue>>
  const { signal } = new AbortController()

  beforeAll(async () => {
    queue = await startEventQueue()
    ours = await openEventQueue(target, queue.url, 0)
  })
  afterAll(async () => {
    ours.close()
    await queue.stop()
  })

  test("gives its messages up once what they do is committed, in both shapes", async () => {
    const [raw, wrapped] = (await sentMail(2)) as [Sent, Sent]
    await queue.send(body("Delivery", raw), inEnvelope(sesEvent("Delivery", wrapped)), "no event at all")
    expect(await takeFromQueue(ours, [region], signal), "received messages").toBe(3)
    expect([await statusOf(raw), await statusOf(wrapped)]).toEqual(["delivered", "delivered"])
    expect(queue.left(), "messages left").toBe(0)
  })

  test("keeps an event that comes before our own record of the hand-over, and one that cannot be recorded", async () => {
    const sent = await one("sending")
    await queue.send(body("Delivery", sent))
    expect(await takeFromQueue(ours, [region], signal)).toBe(1)
    expect(queue.left(), "it comes again").toBe(1)
    await pool().query("UPDATE deliveries SET status = 'sent' WHERE id = $1", [sent.deliveryId])
    await pool().query("UPDATE emails SET status = 'sent' WHERE id = $1", [sent.emailId])
    await vi.waitFor(async () => expect(await takeFromQueue(ours, [region], signal)).toBe(1), { timeout: 20_000 })
    expect(await statusOf(sent)).toBe("delivered")
    expect(queue.left()).toBe(0)
  })

  test("G43: events that come one to three times, shuffled, over workers that die, end as the model says", async () => {
    const count = size(60, 900)
    const stories: string[][] = [
      ["Delivery"],
      ["Delivery", "Complaint"],
      ["Bounce"],
      ["Delivery", "Bounce"],
      ["Complaint"],
    ]
    const all = (await sentMail(count)).map((sent, at) => ({ sent, story: stories[at % stories.length] ?? [] }))
    const events = all.flatMap(({ sent, story }, at) =>
      story.flatMap((type, nth) => {
        const event = sesEvent(type, sent, withAddress(type, sent, {}))
        return Array.from({ length: 1 + ((at + nth) % 3) }, (_, copy) =>
          copy % 2 ? inEnvelope(event) : JSON.stringify(event),
        )
      }),
    )
    await queue.send(...shuffled(events))

    // A worker that dies between its commit and the deletion of its messages gets them again, as another would.
    let deaths = 0
    const dying = {
      ...ours,
      async remove(handles: readonly string[]) {
        if (handles.length === 0 || deaths >= 10) return ours.remove(handles)
        deaths += 1
        await ours.putOff(handles.map((handle) => ({ handle, seconds: 0 })))
      },
    }
    while (queue.left() > 0) await Promise.all([1, 2, 3].map(() => takeFromQueue(dying, [region], signal)))
    expect(deaths).toBe(10)

    const model = (story: string[]) => ({
      status: story.includes("Bounce") ? "bounced" : story.includes("Complaint") ? "complained" : "delivered",
      suppression: story.includes("Bounce") ? "bounce" : story.includes("Complaint") ? "complaint" : null,
      events: [
        "queued",
        ...story.map((type) => ({ Delivery: "delivered", Bounce: "bounced", Complaint: "complained" })[type]),
      ].toSorted(),
    })
    const { rows } = await pool().query(
      `SELECT d.id, d.status, s.reason AS suppression,
          ARRAY(SELECT v.type FROM events v WHERE v.delivery_id = d.id OR (v.email_id = d.email_id AND v.delivery_id IS NULL) ORDER BY 1) AS events
        FROM deliveries d LEFT JOIN suppressions s ON s.project_id = d.project_id AND s.email = d.canonical
        WHERE d.id = ANY ($1)`,
      [all.map(({ sent }) => sent.deliveryId)],
    )
    const found = new Map(rows.map(({ id, ...row }) => [id, row]))
    for (const { sent, story } of all) expect(found.get(sent.deliveryId), story.join(", ")).toEqual(model(story))
  })
})

function shuffled<T>(given: readonly T[]): T[] {
  const all = [...given]
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1))
    const [one, two] = [all[at], all[other]]
    if (one !== undefined && two !== undefined) [all[at], all[other]] = [two, one]
  }
  return all
}
