import { beforeEach, expect, test } from "vitest"
import { faultServer } from "@/e2e/support/delivery/fault-server"
import { deliverDue, emailRow, newSending, relayAt, type Sending, sendMail } from "@/e2e/support/delivery/sending"
import { ageEmail, judgeAll, trackedPaths, trackingServer } from "@/e2e/support/reader"
import { api } from "@/e2e/support/world"
import { releaseRound } from "@/lib/delivery/scheduling/data"
import { pool } from "@/lib/platform/database/db"

let sender: Sending
beforeEach(async () => {
  sender = await newSending()
})

const hourMs = 3_600_000
const wholeHour = (ahead: number) => new Date((Math.floor(Date.now() / hourMs) + ahead) * hourMs)
const window = () => ({ start: new Date(Date.now() - hourMs), end: new Date(Date.now() + 24 * hourMs) })
const optimal = { scheduledAt: "optimal", sendTimeCategory: "marketing" }

async function opened(email: string, at: Date, times = 1) {
  const hours = Array<number>(24).fill(0)
  hours[at.getUTCHours()] = times
  await pool().query("INSERT INTO opening_hours (project_id, email, hours) VALUES ($1, $2, $3)", [
    sender.projectId,
    email,
    hours,
  ])
}

test("each recipient's email is scheduled for the hour in which they opened most; who never did gets it at once", async () => {
  const [evening, morning] = [wholeHour(5), wholeHour(14)]
  await opened("ada@x.example", evening)
  await opened("bob@x.example", morning)
  const to = ["ada@x.example", "bob@x.example", "new@x.example"]
  const ids = await sendMail(sender, { ...optimal, to, deliveryWindow: window() })
  const times = await Promise.all(ids.map(async (id) => (await emailRow(id)).scheduled_at as Date))
  expect(times.slice(0, 2)).toEqual([evening, morning])
  expect(Math.abs((times[2]?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
  await releaseRound()
  expect(await Promise.all(ids.map(async (id) => (await emailRow(id)).status))).toEqual([
    "scheduled",
    "scheduled",
    "queued",
  ])
})

test("transactional email never waits, with or without a window", async () => {
  await opened("ada@x.example", wholeHour(5))
  for (const deliveryWindow of [undefined, window()]) {
    const [id = ""] = await sendMail(sender, { scheduledAt: "optimal", to: ["ada@x.example"], deliveryWindow })
    expect(await emailRow(id)).toMatchObject({ status: "queued", scheduled_at: null })
  }
})

test("without a window, or with one that is over or too far, the request is refused at the field", async () => {
  const pointerOf = async (body: object) => {
    const mail = { from: `hello@${sender.domain}`, to: ["ada@x.example"], subject: "Hello", text: "Hi" }
    const { status, json } = await api("POST /v1/emails", {
      key: sender.apiKey,
      body: { ...mail, ...optimal, ...body },
    })
    return [status, json.errors?.[0]?.pointer]
  }
  const [past, far] = [new Date(Date.now() - 1_000), new Date(Date.now() + 31 * 24 * hourMs)]
  expect(await pointerOf({})).toEqual([400, "/deliveryWindow"])
  expect(await pointerOf({ deliveryWindow: { start: wholeHour(-3), end: past } })).toEqual([400, "/deliveryWindow/end"])
  expect(await pointerOf({ deliveryWindow: { start: wholeHour(1), end: far } })).toEqual([400, "/deliveryWindow/end"])
})

test("an email that a person opens counts for the hour of its first opening, and machines count for none", async () => {
  const smtp = await faultServer({})
  const relays = relayAt(smtp.port)
  const web = await trackingServer()
  const [emailId = ""] = await sendMail(sender, { html: "<p>Hi</p>", trackingSettings: { openTracking: true } })
  await deliverDue(relays)
  await ageEmail(emailId)
  const {
    images: [image = ""],
  } = await trackedPaths(smtp.messages.find((message) => message.includes("ada@lovelace.example")) ?? "")
  const hours = async () =>
    (await pool().query("SELECT email, hours FROM opening_hours WHERE project_id = $1", [sender.projectId])).rows
  await web.visit(image, { userAgent: "curl/8" })
  await judgeAll()
  expect(await hours()).toEqual([])
  for (const ip of ["203.0.113.1", "203.0.113.2"]) {
    await web.visit(image, { ip })
    await judgeAll()
  }
  const [{ email, hours: counted }] = await hours()
  expect(email).toBe("ada@lovelace.example")
  expect(counted).toHaveLength(24)
  expect(counted.reduce((sum: number, each: number) => sum + each)).toBe(1)
  web.close()
  await relays.close()
  await smtp.close()
})
