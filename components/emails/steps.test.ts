import { expect, it } from "vitest"
import { stepsOf } from "@/components/emails/steps"
import type { Delivery, Email, EmailEvent } from "@/components/emails/queries"

const moment = (ms: number) => new Date(Date.UTC(2026, 10, 21, 14, 2, 10, ms)).toISOString()
const email: Email = {
  id: "email_1",
  status: "bounced",
  from: "billing@acme.com",
  to: ["ada@b.example"],
  subject: "Hi",
  testMode: false,
  createdAt: moment(0),
}
const event = (type: string, ms: number, payload: Record<string, string> = {}): EmailEvent => ({
  id: `evt_${type}`,
  type,
  occurredAt: moment(ms),
  createdAt: moment(ms),
  payload,
})
const delivery = (address: string, outcome: string, ms: number, over: Partial<Delivery> = {}): Delivery => ({
  id: `dlv_${address}`,
  role: "to",
  address,
  status: "bounced",
  ...over,
  attempts: [
    {
      id: `att_${address}`,
      attempt: 1,
      outcome,
      phase: "rcpt",
      code: 550,
      text: "5.1.1 unknown",
      remote: "mx.b.example:25",
      startedAt: moment(ms),
    },
  ],
})

it("steps are in the order in which they happened, whatever the order of the lists", () => {
  const steps = stepsOf(
    email,
    [event("bounced", 300), event("queued", 1)],
    [delivery("ada@b.example", "refused", 250, { bounceType: "hard" })],
  )
  expect(steps.map(({ title }) => title)).toEqual(["Accepted", "Refused by mx.b.example:25"])
})

it("steps of the same millisecond are in the order of their kinds", () => {
  const steps = stepsOf(
    email,
    [event("clicked", 260), event("delivered", 260), event("opened", 260), event("queued", 260)],
    [delivery("ada@b.example", "accepted", 260)],
  )
  expect(steps.map(({ title }) => title)).toEqual([
    "Accepted",
    "Handed over",
    "Delivered",
    "Opened by a person",
    "Clicked by a person",
  ])
})

it("a try takes the place of the event that it caused, and keeps its kind of bounce", () => {
  const [, refused] = stepsOf(
    email,
    [event("queued", 1), event("bounced", 251)],
    [delivery("ada@b.example", "refused", 250, { bounceType: "hard" })],
  )
  expect(refused).toMatchObject({ tone: "bad", detail: "550 5.1.1 unknown, hard bounce" })
})

it("a reply that is a sentence keeps its full stop", () => {
  const [, refused] = stepsOf(
    email,
    [event("queued", 1), event("bounced", 251, { diagnostic: "550 5.1.1 No such user.", bounceType: "hard" })],
    [],
  )
  expect(refused).toMatchObject({ detail: "550 5.1.1 No such user. Hard bounce" })
})

it("with several recipients only the event of the same recipient is replaced, and each step names whom it is about", () => {
  const steps = stepsOf(
    email,
    [event("bounced", 400, { to: "eve@b.example", diagnostic: "550 later" })],
    [delivery("ada@b.example", "refused", 250), delivery("eve@b.example", "accepted", 260)],
  )
  expect(steps.map(({ title }) => title)).toEqual(["Refused by mx.b.example:25", "Handed over", "Bounced"])
  expect(steps.every(({ detail }) => /@b\.example/.test(detail ?? ""))).toBe(true)
})

it("an email that was handed over says to whom, how safely and from where", () => {
  const { attempts, ...ada } = delivery("ada@b.example", "accepted", 260)
  const safe = { tls: "TLSv1.3", tlsLevel: "valid", tlsPolicy: "mta-sts", source: "203.0.113.5" }
  const [, handed] = stepsOf(
    email,
    [event("queued", 1)],
    [{ ...ada, attempts: attempts.map((one) => ({ ...one, ...safe })) }],
  )
  expect(handed).toMatchObject({
    title: "Handed over",
    detail: "to mx.b.example:25, TLS 1.3 verified by MTA-STS, from 203.0.113.5",
  })
})

it("an event of an unknown kind is shown by its name", () => {
  expect(stepsOf(email, [event("teleported", 5)], [])[0]).toMatchObject({ title: "teleported", tone: "wait" })
})

it("tells who opened and clicked: a person with a mail program, a proxy for one, or a machine", () => {
  const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
  const gmail = "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)"
  const steps = stepsOf(
    email,
    [
      event("opened", 1, { userAgent: phone }),
      event("opened", 2, { userAgent: gmail, proxied: "true" }),
      event("opened", 3, { machine: "true", userAgent: "curl/8.5.0" }),
      event("clicked", 4, { url: "https://shop.example/", userAgent: phone }),
      event("clicked", 5, { url: "https://shop.example/", machine: "true" }),
      event("read_engaged", 6, { readTimeSeconds: "12" }),
    ],
    [],
  )
  expect(steps.map(({ title, detail, tone }) => [title, detail, tone])).toEqual([
    ["Opened by a person", "Apple Mail on iOS", "good"],
    ["Opened by a person", "Gmail, through its image proxy", "good"],
    ["Opened by a machine", "curl/8.5.0", "wait"],
    ["Clicked by a person", "https://shop.example/, Apple Mail on iOS", "good"],
    ["Clicked by a machine", "https://shop.example/", "wait"],
    ["Read", "for 12 seconds", "good"],
  ])
})

it("a response that repeats is quoted once, and the attempt that delayed an email stands for the delay", () => {
  const waiting = delivery("ada@b.example", "deferred", 250)
  const [first] = waiting.attempts
  const again = { ...first, id: "att_2", attempt: 2, startedAt: moment(400) } as Delivery["attempts"][number]
  const steps = stepsOf(
    email,
    [event("queued", 1), event("delivery_delayed", 400)],
    [{ ...waiting, attempts: [...waiting.attempts, again] }],
  )
  expect(steps.slice(1).map(({ title, detail }) => [title, detail])).toEqual([
    ["Deferred, attempt 1", "550 5.1.1 unknown"],
    ["Deferred, attempt 2", "the same response"],
  ])
})

it("a delivery quotes the server's response where the event does not tell it", () => {
  const taken = delivery("ada@b.example", "accepted", 250)
  const attempts = taken.attempts.map((attempt) => ({ ...attempt, code: 250, text: "2.0.0 Ok: queued as 8F2C1D" }))
  const steps = stepsOf(email, [event("delivered", 300)], [{ ...taken, attempts }])
  expect(steps.at(-1)).toMatchObject({ detail: "250 2.0.0 Ok: queued as 8F2C1D", quoted: true })
  expect(stepsOf(email, [event("delivered", 300)], []).at(-1)).toMatchObject({
    detail: "accepted by the recipient's server",
  })
})

it("an automatic answer that SES reports is a step that says what came back", () => {
  const [step] = stepsOf(email, [event("mail_returned", 300, { note: "automatic_answer" })], [])
  expect(step?.detail, "the detail of the step").toBe("it is an automatic answer, such as an out-of-office reply")
})
