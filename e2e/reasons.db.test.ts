import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { reasonOf } from "@/components/emails/email-rows"
import { stepsOf } from "@/components/emails/steps"
import { faultServer, type FaultServer } from "@/e2e/support/delivery/fault-server"
import { deliverDue, newSending, passWait, relayAt, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { newWebhook } from "@/e2e/support/webhooks/receiver"
import { api } from "@/e2e/support/world"
import type { Relays } from "@/lib/delivery/regions/relays"
import { releaseRound } from "@/lib/delivery/scheduling/data"
import { failureCodes, type FailureCode, type OwnWaitCode, type ReasonCode } from "@/lib/explanation/codes"
import { pool } from "@/lib/platform/database/db"
import { statementsOf } from "@/lib/platform/database/migrations"
import { encodeId, newId } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import { dispatchAll } from "@/lib/worker/dispatcher"

let server: FaultServer
let relays: Relays

beforeAll(async () => {
  vi.spyOn(log, "error").mockReturnValue()
  server = await faultServer({ RCPT: "451 4.7.1 greylisted" })
  relays = relayAt(server.port)
})
afterAll(async () => {
  vi.restoreAllMocks()
  await relays.close()
  await server.close()
})

const sendOne = async (sender: Sending, body: Record<string, unknown> = {}) => (await sendMail(sender, body))[0] ?? ""
const soon = () => new Date(Date.now() + 60_000).toISOString()

async function release(id: string) {
  await pool().query(
    `UPDATE emails SET due_at = now() - interval '1 second', scheduled_at = scheduled_at - interval '73 hours'
      WHERE id = $1`,
    [id],
  )
  await releaseRound()
}

/** How an email comes to fail for each reason; returns its id. */
const ways: Record<FailureCode, (sender: Sending) => Promise<string>> = {
  async attempts(sender) {
    const id = await sendOne(sender)
    do await deliverDue(relays)
    while (await passWait(id))
    return id
  },
  async deadline(sender) {
    const id = await sendOne(sender, { giveUpAfterSeconds: 600 })
    await pool().query("UPDATE emails SET created_at = created_at - interval '1 hour' WHERE id = $1", [id])
    await deliverDue(relays)
    return id
  },
  async domain_deleted(sender) {
    const id = await sendOne(sender)
    await pool().query("DELETE FROM domains WHERE id = $1", [sender.domainId])
    await deliverDue(relays)
    return id
  },
  async schedule_domain_deleted(sender) {
    const id = await sendOne(sender, { scheduledAt: soon() })
    await pool().query("DELETE FROM domains WHERE id = $1", [sender.domainId])
    await release(id)
    return id
  },
  async crashed(sender) {
    const id = await sendOne(sender)
    await pool().query("UPDATE deliveries SET unfinished = 10 WHERE email_id = $1", [id])
    await deliverDue(relays)
    return id
  },
  async unprepared(sender) {
    const id = await sendOne(sender)
    await pool().query("UPDATE emails SET from_header = 'no address' WHERE id = $1", [id])
    do await deliverDue(relays)
    while (await passWait(id))
    return id
  },
  async quota(sender) {
    const id = await sendOne(sender, { scheduledAt: soon() })
    await pool().query("UPDATE organizations SET daily_sends = 0 WHERE id = $1", [sender.organizationId])
    await release(id)
    return id
  },
}

/** The sentence of each failure and the title of its step. */
const expected: Record<FailureCode, { sentence: string; title: string }> = {
  attempts: {
    sentence: "The message could not be delivered before its deadline, so it was given up.",
    title: "Failed: no attempt succeeded",
  },
  deadline: {
    sentence: "The deadline of the email passed before it could be sent.",
    title: "Failed: deadline passed",
  },
  domain_deleted: {
    sentence: "The sending domain was deleted before the message was sent.",
    title: "Failed: sending domain deleted",
  },
  schedule_domain_deleted: {
    sentence: "The sending domain was deleted before the scheduled time.",
    title: "Failed: sending domain deleted",
  },
  crashed: {
    sentence: "The worker's process crashed in each of 10 attempts.",
    title: "Failed: the worker crashed",
  },
  unprepared: {
    sentence: "The message could not be prepared for sending.",
    title: "Failed: could not be prepared",
  },
  quota: {
    sentence: "The daily allowance was used up for 72 hours after the scheduled time, so the mail was given up.",
    title: "Failed: daily limit used up",
  },
}

type Shown = Awaited<ReturnType<typeof shownOf>>

/** What each place says of an email that failed. */
async function shownOf(sender: Sending, id: string) {
  const project = { key: sender.apiKey, params: { projectId: sender.project } }
  const ofEmail = { key: sender.apiKey, params: { ...project.params, emailId: encodeId("email", id) } }
  const list = await api("GET /v1/projects/{projectId}/emails", project)
  const { json: email } = await api("GET /v1/projects/{projectId}/emails/{emailId}", ofEmail)
  const { json: timeline } = await api("GET /v1/projects/{projectId}/emails/{emailId}/events", ofEmail)
  const { json: explanation } = await api("GET /v1/projects/{projectId}/emails/{emailId}/explanation", ofEmail)
  const listed = list.json.data.find((one: { id: string }) => one.id === email.id)
  const step = stepsOf(email, explanation.events, explanation.recipients).find(({ kind }) => kind === "failed")
  const event = timeline.items.find(({ type }: { type: string }) => type === "failed")
  const { rows } = await pool().query<{ body: string }>(
    "SELECT body FROM webhook_deliveries WHERE project_id = $1 AND event_type = 'email.failed' ORDER BY id DESC LIMIT 1",
    [sender.projectId],
  )
  return {
    status: email.status,
    list: reasonOf(listed, false),
    api: email.error,
    step: step?.title,
    stepDetail: step?.detail,
    timeline: event?.payload.reason,
    timelineCode: event?.payload.reasonCode,
    webhook: rows[0] && JSON.parse(rows[0].body).data.reason,
    webhookCode: rows[0] && JSON.parse(rows[0].body).data.reasonCode,
    card: explanation.cause,
    recipient: explanation.recipients[0].cause,
    fix: explanation.fix,
    evidence: explanation.recipients[0].evidence,
    diagnostic: explanation.recipients[0].diagnostic,
  }
}

function expectOneCause(code: FailureCode, shown: Shown) {
  const { sentence, title } = expected[code]
  const { status, list, api, step, timeline, timelineCode, card, recipient } = shown
  expect({ status, list, api, step, timeline, timelineCode }).toEqual({
    status: "failed",
    list: sentence,
    api: sentence,
    step: title,
    timeline: sentence,
    timelineCode: code,
  })
  expect(recipient).toBe(card)
  if (code === "attempts") {
    // The card says in addition how often and why; the server's last reply is its evidence.
    expect(card).toMatch(/^We gave up on ada@lovelace\.example after \d+ attempts because 127\.0\.0\.1 asked us to try/)
    expect(shown.stepDetail).toBe(`${sentence} 451 4.7.1 greylisted`)
    expect(shown.diagnostic).toBe("451 4.7.1 greylisted")
    expect(shown.evidence).toMatch(/^The server said “451 4\.7\.1 greylisted”/)
  } else {
    expect([card, shown.stepDetail, shown.diagnostic]).toEqual([sentence, sentence, sentence])
    expect(shown.evidence).toBeUndefined()
  }
}

/** The rows as the release before wrote them: sentences, and no codes. */
async function asBefore(id: string, sentence: string) {
  await pool().query("UPDATE emails SET error = $2 WHERE id = $1", [id, sentence])
  await pool().query("UPDATE emails SET reason = NULL, reason_facts = NULL WHERE id = $1", [id])
  await pool().query(
    `UPDATE deliveries SET reason = NULL, reason_facts = NULL, diagnostic = coalesce(diagnostic, $2) WHERE email_id = $1`,
    [id, sentence],
  )
  await pool().query(
    `UPDATE events SET data = (data - ARRAY['reasonCode', 'domain', 'claims', 'hours']) || jsonb_build_object('reason', $2::text)
      WHERE email_id = $1 AND type = 'failed'`,
    [id, sentence],
  )
}

/** As it is sent: each statement by itself. */
async function migrate() {
  const sql = readFileSync(join("prisma", "migrations", "0034_reasons", "migration.sql"), "utf8")
  for (const statement of statementsOf(sql)) await pool().query(statement)
}

describe.each(failureCodes)("an email that failed by %s", (code) => {
  test("shows one cause in the list, its step, the timeline, the card, the API and the webhook, also once it is migrated", async () => {
    const sender = await newSending()
    await newWebhook(sender, "http://127.0.0.1:9/hook", { events: ["email.failed"] })
    const id = await ways[code](sender)
    await dispatchAll()
    const shown = await shownOf(sender, id)
    expectOneCause(code, shown)
    expect([shown.webhook, shown.webhookCode]).toEqual([expected[code].sentence, code])
    if (code.endsWith("domain_deleted")) expect(shown.fix).toContain(sender.domain)

    await asBefore(id, expected[code].sentence)
    // Once more as after a failure half way.
    await migrate()
    await migrate()
    const migrated = await shownOf(sender, id)
    // Which domain it was had not been stored.
    expect({ ...migrated, fix: "" }).toEqual({ ...shown, fix: "" })
    const { rows } = await pool().query("SELECT data FROM events WHERE email_id = $1 AND type = 'failed'", [id])
    expect(rows.map(({ data }) => data.reason)).toEqual([undefined])
  })
})

/** What the release before stored with emails that wait or have ended otherwise. */
const before: {
  [C in Exclude<ReasonCode, FailureCode | OwnWaitCode | "domain_unverified">]: [sentence: string, facts: object][]
} = {
  rate_limit: [
    ["This project sends 14 messages a second; the email is sent as soon as the rate allows.", { perSecond: 14 }],
  ],
  daily_limit: [
    [
      "The daily allowance of 200 messages is used up; the email waits until 2026-11-27 00:00 UTC.",
      { daily: 200, until: "2026-11-27T00:00:00.000Z" },
    ],
  ],
  region_down: [["The relay of this region is unreachable. The email is sent when the relay is back.", {}]],
  region_refusing: [
    ["The relay of this region refuses every email. The email is sent when the relay accepts mail again.", {}],
  ],
  region_fault: [
    [
      "The relay of this region does not accept our user and password. The email is sent when the relay is back.",
      { phase: "auth", code: 535 },
    ],
    ["The relay of this region cannot be reached. The email is sent when the relay is back.", { phase: "connect" }],
  ],
  deferred: [
    ["The next server asked to try again later; it will be retried.", { phase: "rcpt", code: 451 }],
    ["The connection ended before the message was accepted; it will be retried.", { phase: "data" }],
  ],
  // Not of that release.
  destination: [],
  unconfirmed: [["The whole message was sent, but no reply confirms that the server accepted it.", {}]],
  bounced: [
    [
      "The receiving server refused the message because the mailbox is full; the address itself may be fine.",
      { bounceType: "soft", enhanced: "5.2.2", phase: "rcpt", code: 552 },
    ],
    [
      "The address does not exist or is closed, so no more mail is sent to it.",
      { bounceType: "hard", enhanced: "5.1.1", phase: "rcpt", code: 550 },
    ],
  ],
  suppressed: [["The recipient is on the suppression list.", {}]],
  topic_opt_out: [
    ["Left the topic Product news.", { topic: "Product news", byDefault: "opt_in" }],
    ["Not subscribed to the topic A. B.", { topic: "A. B", byDefault: "opt_out" }],
  ],
  // Not of that release.
  topic_deleted: [],
  indeterminate: [["The message was sent, but no reply came; by this project's policy it is not sent again.", {}]],
  recorded: [["A sentence that nobody knows any more.", { text: "A sentence that nobody knows any more." }]],
}
const outcomeOf: Partial<Record<string, string>> = {
  region_fault: "region_fault",
  deferred: "deferred",
  bounced: "refused",
}

describe("emails of the release before", () => {
  const stored = async (id: string) =>
    (await pool().query("SELECT reason, reason_facts FROM emails WHERE id = $1", [id])).rows[0]
  const errorOf = async (sender: Sending, id: string) =>
    (await api("GET /v1/emails/{emailId}", { key: sender.apiKey, params: { emailId: encodeId("email", id) } })).json
      .error

  test("have the code of what was stored as a sentence, and the API says the same of them", async () => {
    const sender = await newSending()
    const rows = Object.entries(before).flatMap(([code, all]) =>
      all.map(([sentence, facts]) => ({ code, sentence, facts: facts as Record<string, unknown> })),
    )
    const ids: string[] = []
    for (const { code, sentence, facts } of rows) {
      const id = await sendOne(sender)
      ids.push(id)
      if (outcomeOf[code])
        await pool().query(
          `INSERT INTO delivery_attempts (id, project_id, email_id, delivery_id, attempt, outcome, phase, code, enhanced, started_at)
            SELECT $1, project_id, email_id, id, 1, $3, $4, $5, $6, now() FROM deliveries WHERE email_id = $2`,
          [newId(), id, outcomeOf[code], facts.phase, facts.code, facts.enhanced],
        )
      await pool().query("UPDATE deliveries SET due_at = NULL, bounce_type = $2 WHERE email_id = $1", [
        id,
        facts.bounceType,
      ])
      await asBefore(id, sentence)
    }
    await migrate()
    for (const [at, { code, sentence, facts }] of rows.entries()) {
      expect(await stored(ids[at] ?? "")).toEqual({ reason: code, reason_facts: facts })
      expect(await errorOf(sender, ids[at] ?? "")).toBe(sentence)
    }
  })

  test("and those that its hosts write meanwhile say what they say, until these hosts take it back", async () => {
    const sender = await newSending()
    const id = await sendOne(sender)
    const sentence = "The deadline of the email passed before it could be sent."
    await pool().query("UPDATE emails SET reason = 'deferred', reason_facts = '{}' WHERE id = $1", [id])
    await pool().query("UPDATE emails SET status = 'failed', error = $2 WHERE id = $1", [id, sentence])
    await pool().query("UPDATE deliveries SET status = 'failed', diagnostic = $2, due_at = NULL WHERE email_id = $1", [
      id,
      sentence,
    ])
    expect(await stored(id)).toEqual({ reason: "recorded", reason_facts: { text: sentence } })
    const shown = await shownOf(sender, id)
    expect([shown.list, shown.api, shown.card, shown.diagnostic]).toEqual([sentence, sentence, sentence, sentence])
    await pool().query("UPDATE emails SET status = 'sent', error = NULL WHERE id = $1", [id])
    expect(await stored(id)).toEqual({ reason: null, reason_facts: null })
  })
})
