import { expect, test } from "vitest"
import { api } from "@/e2e/support/world"
import { hurryPostponed, releaseRound } from "@/lib/delivery/scheduling/data"
import { deliveryRows, emailRow, eventTypes, newSending, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { usedToday } from "@/e2e/support/used-today"
import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

test("scheduled mail is queued when its time has come, and costs then", async () => {
  const sender = await newSending()
  const [id = ""] = await schedule(sender)
  await releaseRound()
  expect(await emailRow(id)).toMatchObject({ status: "scheduled" })
  expect(await usedToday(sender)).toBe(0)

  await comeDue(sender)
  await releaseRound()
  expect(await emailRow(id)).toMatchObject({ status: "queued", due_at: null })
  expect(await deliveryRows(id)).toMatchObject([{ status: "queued", due_at: expect.any(Date) }])
  expect(await eventTypes(id)).toEqual(["scheduled", "queued"])
  expect(await usedToday(sender)).toBe(1)
})

test("whoever was suppressed meanwhile is left out, and mail for nobody costs nothing", async () => {
  const sender = await newSending()
  const [shared = ""] = await schedule(sender, { to: ["no@x.example"], cc: ["yes@x.example"] })
  const [alone = ""] = await schedule(sender, { to: ["no@x.example"] })
  await pool().query(
    "INSERT INTO suppressions (id, project_id, email, reason) VALUES ($1, $2, 'no@x.example', 'manual')",
    [newId(), sender.projectId],
  )
  await comeDue(sender)
  await releaseRound()
  expect(await emailRow(shared)).toMatchObject({ status: "queued" })
  expect((await deliveryRows(shared)).map(({ status }) => status).sort()).toEqual(["queued", "suppressed"])
  expect(await emailRow(alone)).toMatchObject({ status: "suppressed" })
  expect(await eventTypes(alone)).toEqual(["scheduled", "suppressed"])
  expect(await usedToday(sender)).toBe(1)
})

test("without allowance it waits until the next day with that reason, and is given up after 72 hours", async () => {
  const sender = await newSending()
  const [id = ""] = await schedule(sender)
  await pool().query("UPDATE organizations SET daily_sends = 0 WHERE id = $1", [sender.organizationId])
  await comeDue(sender)
  await releaseRound()
  const held = await emailRow(id)
  expect(held).toMatchObject({
    status: "scheduled",
    reason: "daily_limit",
    reason_facts: { daily: 0, until: expect.stringMatching(/T00:00:00\.000Z$/) },
  })
  expect(held.due_at.getUTCHours()).toBe(0)

  await comeDue(sender, 73)
  await releaseRound()
  expect(await emailRow(id)).toMatchObject({ status: "failed", due_at: null })
  expect(await deliveryRows(id)).toMatchObject([{ status: "failed" }])
  expect(await eventTypes(id)).toEqual(["scheduled", "failed"])
})

test("what waits for the next day goes today when the limit is raised, and no more than that allows", async () => {
  const sender = await newSending()
  const ids = [...(await schedule(sender)), ...(await schedule(sender)), ...(await schedule(sender))]
  const limit = (daily: number) =>
    pool().query("UPDATE organizations SET daily_sends = $2 WHERE id = $1", [sender.organizationId, daily])
  await limit(0)
  await comeDue(sender)
  await releaseRound()
  expect(await hurryPostponed()).toBe(0)

  await limit(2)
  expect(await hurryPostponed()).toBe(3)
  while ((await releaseRound()).more);
  expect((await statuses(ids)).toSorted()).toEqual(["queued", "queued", "scheduled"])
  expect(await usedToday(sender)).toBe(2)
  const [held] = (
    await pool().query("SELECT reason, due_at FROM emails WHERE id = ANY ($1) AND status = 'scheduled'", [ids])
  ).rows
  expect(held).toMatchObject({ reason: "daily_limit" })
  expect(held.due_at > new Date()).toBe(true)
  expect(await hurryPostponed()).toBe(0)
})

test("behind a used-up send bucket it waits with that reason and goes as the bucket fills", async () => {
  const sender = await newSending()
  const ids = [...(await schedule(sender)), ...(await schedule(sender)), ...(await schedule(sender))]
  await comeDue(sender)
  await setTokens(sender, 2, "1 hour")
  await releaseRound()
  expect(await statuses(ids)).toEqual(["queued", "queued", "scheduled"])
  await setTokens(sender, 0, "1 hour")
  await releaseRound()
  const { rows } = await pool().query(
    "SELECT reason, reason_facts FROM emails WHERE id = ANY ($1) AND status = 'scheduled'",
    [ids],
  )
  expect(rows).toEqual([{ reason: "rate_limit", reason_facts: { perSecond: 14 } }])
  await setTokens(sender, 0, "-1 second")
  await releaseRound()
  expect(await statuses(ids)).toEqual(["queued", "queued", "queued"])
})

test("with the highest rate that can be set it is queued when its time has come", async () => {
  const sender = await newSending()
  await pool().query("UPDATE projects SET per_second_sends = 2147483647 WHERE id = $1", [sender.projectId])
  const ids = await schedule(sender)
  await comeDue(sender)
  await releaseRound()
  expect(await statuses(ids)).toEqual(["queued"])
})

test("of 1,000 that are due while all are cancelled, none is both and none is neither", async () => {
  const sender = await newSending()
  await pool().query("UPDATE projects SET per_second_sends = 1000 WHERE id = $1", [sender.projectId])
  for (let at = 0; at < 10; at += 1) {
    const items = Array.from({ length: 100 }, (_, place) => scheduled(sender, { to: [`r${at}-${place}@x.example`] }))
    await api("POST /v1/emails/batch", { key: sender.apiKey, body: { items } })
  }
  await comeDue(sender)
  const release = async () => {
    while ((await releaseRound()).more);
  }
  const cancel = () => api("DELETE /v1/emails", { key: sender.apiKey })
  await Promise.all([release(), cancel(), release(), cancel()])
  await release()

  const { rows } = await pool().query(
    `SELECT e.status AS email, d.status AS delivery, d.due_at IS NOT NULL AS due, array_agg(v.type ORDER BY v.id) AS events, count(*) OVER () AS kinds
      FROM emails e JOIN deliveries d ON d.email_id = e.id JOIN events v ON v.email_id = e.id
      WHERE e.project_id = $1 GROUP BY e.id, d.id`,
    [sender.projectId],
  )
  expect(rows).toHaveLength(1_000)
  for (const { email, delivery, due, events } of rows) {
    const end = email === "cancelled" ? "cancelled" : "queued"
    expect({ email, delivery, due, events }).toEqual({
      email: end,
      delivery: end,
      due: end === "queued",
      events: ["scheduled", end],
    })
  }
})

function scheduled(sender: Sending, body: Record<string, unknown> = {}) {
  const mail = { from: `hello@${sender.domain}`, to: ["ada@x.example"], subject: "Later", text: "Hi" }
  return { ...mail, scheduledAt: new Date(Date.now() + 3600_000).toISOString(), ...body }
}

function schedule(sender: Sending, body: Record<string, unknown> = {}): Promise<string[]> {
  return sendMail(sender, scheduled(sender, body))
}

async function comeDue(sender: Sending, hoursAgo = 0) {
  await pool().query(
    `UPDATE emails SET due_at = now() - interval '1 second', scheduled_at = now() - make_interval(hours => $2) WHERE project_id = $1 AND status = 'scheduled'`,
    [sender.projectId, hoursAgo],
  )
}

async function setTokens(sender: Sending, tokens: number, ahead: string) {
  await pool().query(
    "UPDATE send_allowances SET tokens = $2, refilled_at = now() + $3::interval WHERE project_id = $1",
    [sender.projectId, tokens, ahead],
  )
}

async function statuses(ids: string[]): Promise<string[]> {
  const { rows } = await pool().query("SELECT status FROM emails WHERE id = ANY ($1) ORDER BY status", [ids])
  return rows.map(({ status }) => status)
}
