import { expectProblem } from "@/e2e/support/expect-problem"
import { dispatchAll } from "@/lib/worker/dispatcher"
import { afterEach, beforeEach, expect, test } from "vitest"
import { api, newKey, newMember, newWorld, type Call } from "@/e2e/support/world"
import type { Relays } from "@/lib/delivery/regions/relays"
import { releaseRound } from "@/lib/delivery/scheduling/data"
import { faultServer, type Faults, type FaultServer } from "@/e2e/support/delivery/fault-server"
import { deliverDue, newSending, relayAt, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"
import { newWebhook } from "@/e2e/support/webhooks/receiver"

let sender: Sending
let server: FaultServer | undefined
let relays: Relays | undefined

beforeEach(async () => {
  sender = await newSending()
})
afterEach(async () => {
  await pool().query("DELETE FROM region_outages")
  await pool().query("UPDATE deliveries SET due_at = NULL WHERE project_id = $1", [sender.projectId])
  await relays?.close()
  await server?.close()
  relays = server = undefined
})

async function deliver(faults: Faults = {}) {
  server = await faultServer(faults)
  relays = relayAt(server.port)
  await deliverDue(relays)
}

const route = "GET /v1/projects/{projectId}/emails/{emailId}/explanation"
const explain = (emailId: string, call: Call = {}) =>
  api(route, {
    ...(call.cookie ? {} : { key: sender.apiKey }),
    ...call,
    params: { projectId: sender.project, emailId: encodeId("email", emailId) },
  })

async function sendOne(body: Record<string, unknown> = {}): Promise<string> {
  const [id = ""] = await sendMail(sender, body)
  return id
}

async function explanationOf(emailId: string) {
  const { status, json } = await explain(emailId)
  expect(status).toBe(200)
  return json
}

test("an email that bounced tells the server's words, the cause and the fix, with the SMTP session and the events", async () => {
  const id = await sendOne()
  await deliver({ RCPT: "550 5.1.1 User unknown" })
  const told = await explanationOf(id)
  expect(told).toMatchObject({
    emailId: encodeId("email", id),
    status: "bounced",
    severity: "critical",
    cause: "The mailbox ada@lovelace.example does not exist.",
    fix: "The address is on the suppression list now; ask the recipient for their current address.",
    page: "suppressions",
  })
  expect(told.recipients).toHaveLength(1)
  const [ada] = told.recipients
  expect(ada).toMatchObject({ address: "ada@lovelace.example", cause: told.cause, fix: told.fix })
  expect(ada.evidence).toBe("The server said “550 5.1.1 User unknown”.")
  expect(ada.decisions).toMatchObject([{ decision: "accepted" }])
  expect(ada.attempts).toMatchObject([{ outcome: "refused", phase: "rcpt", code: 550 }])
  expect(ada.attempts[0].conversation).toContain("C: RCPT TO:<ada@lovelace.example>")
  expect(told.events.map(({ type }: { type: string }) => type)).toEqual(["queued", "bounced"])
})

test("what came back after a server took the message is told without the reply that took it", async () => {
  const id = await sendOne({ to: ["ada@lovelace.example"] })
  await deliver({})
  await pool().query(
    "UPDATE deliveries SET status = 'bounced', bounce_type = 'soft', diagnostic = 'mail for mx1 loops back to myself' WHERE email_id = $1",
    [id],
  )
  const [ada] = (await explanationOf(id)).recipients
  expect(ada.evidence).toBe("The report that came back says “mail for mx1 loops back to myself”.")
})

test("each recipient of a message has their own cause, and the email names the worst", async () => {
  await api("POST /v1/projects/{projectId}/suppressions/import", {
    key: sender.apiKey,
    params: { projectId: sender.project },
    body: { suppressions: [{ email: "eve@lovelace.example", reason: "complaint" }] },
  })
  const id = await sendOne({ to: ["ada@lovelace.example"], cc: ["bob@lovelace.example", "eve@lovelace.example"] })
  await deliver({ RCPT: (_, count) => (count === 2 ? "550 5.7.1 Blocked by policy" : "250 2.1.5 ok") })
  const told = await explanationOf(id)
  // Which of the two others comes second is up to the pool of connections.
  const refused = told.recipients.find(({ status }: { status: string }) => status === "bounced").address
  const taken = refused.startsWith("ada") ? "bob@lovelace.example" : "ada@lovelace.example"
  const causes = Object.fromEntries(told.recipients.map((one: Record<string, string>) => [one.address, one.cause]))
  expect(causes).toEqual({
    [taken]: `The mail server of lovelace.example took the message for ${taken}.`,
    [refused]: `The server of lovelace.example refused mail for ${refused} by its policy.`,
    "eve@lovelace.example":
      "Nothing was sent to eve@lovelace.example because its owner marked an earlier email as spam.",
  })
  expect(told.cause).toBe(
    `2 of 3 recipients did not get this email: the server of lovelace.example refused mail for ${refused} by its policy.`,
  )
  const eve = told.recipients.find(({ address }: { address: string }) => address.startsWith("eve"))
  expect(eve.decisions).toMatchObject([{ decision: "suppressed", reason: "complaint" }])
})

test("a recipient who is out of the topic is told by its name", async () => {
  const inProject = { key: sender.apiKey, params: { projectId: sender.project } }
  const topic = await api("POST /v1/projects/{projectId}/topics", {
    ...inProject,
    body: { name: "Product news", defaultSubscription: "opt_out" },
  })
  await api("POST /v1/projects/{projectId}/contacts", { ...inProject, body: { email: "ada@lovelace.example" } })
  const id = await sendOne({ topicId: topic.json.id })
  expect(await explanationOf(id)).toMatchObject({
    status: "suppressed",
    severity: "info",
    cause: "Nothing was sent to ada@lovelace.example, which is not subscribed to the topic Product news.",
    page: "topics",
    recipients: [{ decisions: [{ decision: "suppressed", reason: "topic_opt_out" }] }],
  })
})

test("an email whose region is down waits for it, and whose server defers waits for the next attempt", async () => {
  const id = await sendOne()
  await pool().query(
    "INSERT INTO region_outages (route, phase, diagnostic, next_probe_at) VALUES ('eu-west-1', 'connect', 'x', now())",
  )
  expect(await explanationOf(id)).toMatchObject({
    severity: "warning",
    cause: "The email waits because the region eu-west-1 cannot send through its relay.",
  })
  await pool().query("DELETE FROM region_outages")
  await deliver({ RCPT: "451 4.7.1 Greylisted" })
  const told = await explanationOf(id)
  expect(told.cause).toBe("The message for ada@lovelace.example waits because 127.0.0.1 asked us to try again later.")
  expect(told.fix).toBe("Nothing to do: it is tried again until 72 hours after it was accepted.")
  expect(told.recipients[0].nextAttemptAt).toBeDefined()
})

test("test mode, a schedule and a cancel are explained without a server", async () => {
  const tested = await sendOne({ testMode: true })
  await deliver()
  expect((await explanationOf(tested)).recipients[0]).toMatchObject({
    cause: "This was a test: everything ran except delivery.",
    decisions: [{ decision: "test" }],
  })
  const scheduledAt = new Date(Date.now() + 3600_000).toISOString()
  const scheduled = await sendOne({ scheduledAt })
  expect((await explanationOf(scheduled)).cause).toContain(`${scheduledAt.slice(11, 16)} UTC`)
  await api("DELETE /v1/emails/{emailId}", { key: sender.apiKey, params: { emailId: encodeId("email", scheduled) } })
  expect(await explanationOf(scheduled)).toMatchObject({
    cause: "The email was cancelled before it was sent.",
    recipients: [{ decisions: [{ decision: "accepted" }, { decision: "cancelled" }] }],
  })
})

test("a deleted domain and a passed deadline are named as what failed", async () => {
  const [late, orphan] = [
    await sendOne({ giveUpAfterSeconds: 600 }),
    await sendOne({ scheduledAt: new Date(Date.now() + 60_000).toISOString() }),
  ]
  await pool().query("UPDATE emails SET created_at = created_at - interval '1 hour' WHERE id = $1", [late])
  await deliver()
  expect((await explanationOf(late)).cause).toBe("The deadline of the email passed before it could be sent.")
  await api("DELETE /v1/projects/{projectId}/domains/{domainId}", {
    key: sender.apiKey,
    params: { projectId: sender.project, domainId: encodeId("dom", sender.domainId) },
  })
  await pool().query("UPDATE emails SET due_at = now() - interval '1 second', scheduled_at = now() WHERE id = $1", [
    orphan,
  ])
  await releaseRound()
  expect(await explanationOf(orphan)).toMatchObject({
    status: "failed",
    cause: "The sending domain was deleted before the scheduled time.",
    page: "domains",
  })
})

test("a project that holds what is in doubt does not know whether the email arrived", async () => {
  await pool().query("UPDATE projects SET ambiguous_policy = 'hold' WHERE id = $1", [sender.projectId])
  const id = await sendOne()
  await deliver({ DOT: (socket) => void socket.destroy() })
  expect(await explanationOf(id)).toMatchObject({ status: "indeterminate", severity: "warning" })
})

test("the simulator and the sandbox are never taken for a recipient's server", async () => {
  const [simulated, captured] = [await sendOne({ to: ["delivered@simulator.mailroom.test"] }), await sendOne()]
  await pool().query(
    "UPDATE deliveries SET status = 'delivered', due_at = NULL, ended_at = now() WHERE email_id = ANY ($1)",
    [[simulated, captured]],
  )
  await pool().query(
    `INSERT INTO delivery_attempts (id, project_id, email_id, delivery_id, attempt, outcome, phase, code, remote, started_at)
      SELECT $1, project_id, email_id, id, 1, 'accepted', 'final', 250, '127.0.0.1 127.0.0.1:2525', now()
        FROM deliveries WHERE email_id = $2`,
    [newId(), captured],
  )
  expect((await explanationOf(simulated)).cause).toMatch(/^The simulator took the message/)
  expect((await explanationOf(captured)).cause).toMatch(/^The sandbox on this machine captured the message/)
})

test("the way of an email names its key, when it was signed, and the sandbox's copy with its verdicts", async () => {
  const id = await sendOne()
  expect(await explanationOf(id)).not.toHaveProperty("signedAt")
  await deliver()
  await pool().query(
    `INSERT INTO sandbox_messages (id, project_id, email_id, delivery_id, mail_from, rcpt_to, dkim, spf, dmarc, verdicts, size, raw)
      SELECT $1, project_id, email_id, id, '', address, 'pass', 'pass', 'fail', '{}', 0, '' FROM deliveries WHERE email_id = $2`,
    [newId(), id],
  )
  const { acceptedWith, signedAt, recipients } = await explanationOf(id)
  expect(acceptedWith).toMatchObject({ keyId: expect.stringMatching(/^key_/) })
  expect(Date.parse(signedAt)).toBeLessThanOrEqual(Date.parse(recipients[0].attempts[0].endedAt))
  expect(recipients[0].sandboxCopy).toMatchObject({ id: expect.stringMatching(/^msg_/), dkim: "pass", dmarc: "fail" })
})

test("deliveries of its events to webhooks are shown to who may read webhooks, and to nobody else", async () => {
  const webhook = await newWebhook(sender, "http://127.0.0.1:9/hook")
  const id = await sendOne()
  await deliver()
  await dispatchAll()
  const told = await explanationOf(id)
  const ids = told.events.map(({ id }: { id: string }) => id)
  expect(told.webhookDeliveries).not.toHaveLength(0)
  for (const delivery of told.webhookDeliveries) {
    expect(delivery.webhookEndpointId).toBe(encodeId("whk", webhook.id))
    expect(ids).toContain(delivery.eventId)
    expect(delivery).not.toHaveProperty("payload")
  }
  const { apiKey } = await newKey(sender.projectId, ["emails:read"])
  const withoutWebhooks = await explain(id, { key: apiKey })
  expect(withoutWebhooks.status).toBe(200)
  expect(withoutWebhooks.json).not.toHaveProperty("webhookDeliveries")
  const { cookie } = await newMember(sender, "viewer")
  expect((await explain(id, { cookie })).json.webhookDeliveries).toHaveLength(told.webhookDeliveries.length)
})

test("an email of another project is missing, in its own words", async () => {
  const id = await sendOne()
  const other = await newWorld()
  const answer = await api(route, {
    key: other.apiKey,
    params: { projectId: other.project, emailId: encodeId("email", id) },
  })
  expectProblem(answer, 404, "email.not_found")
})
