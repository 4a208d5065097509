import { expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { api, newWorld, type World } from "@/e2e/support/world"
import { serveFace, type Face } from "@/lib/faces/face"
import { mailgun } from "@/lib/faces/mailgun/api"
import { postmark } from "@/lib/faces/postmark/api"
import { resend } from "@/lib/faces/resend/api"
import { sendgrid } from "@/lib/faces/sendgrid/api"
import type { Route } from "@/lib/platform/http/endpoint"

const blockedMsMax = 500
const batch: Route = "POST /v1/emails/batch"
const imports: Route = "POST /v1/projects/{projectId}/suppressions/import"
const list = (count: number, item: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => item(at)).join(",")
const item = (fields: string) => `{"from":"a@b.test","subject":"s","text":"t",${fields}}`

const bodies: [string, Route, number, () => string][] = [
  ["1,000,000 names", "POST /v1/emails", 413, () => `{"metadata":{${list(1_000_000, (at) => `"${at}":1`)}}}`],
  ["3,000,000 empty objects", batch, 413, () => `{"items":[${list(3_000_000, () => "{}")}]}`],
  ["3,000,000 empty lists", batch, 413, () => `{"items":[${list(3_000_000, () => "[]")}]}`],
  ["a map of 90,000 entries", "POST /v1/emails", 400, () => `{"metadata":{${list(90_000, (at) => `"${at}":1`)}}}`],
  ["90,000 items", batch, 400, () => `{"items":[${list(90_000, () => "{}")}]}`],
  [
    "100 items with 900 wrong recipients each",
    batch,
    200,
    () => `{"items":[${list(100, () => item(`"to":[${list(900, () => '"bad"')}]`))}]}`,
  ],
  [
    "100 items with 900 unknown fields each",
    batch,
    200,
    () => `{"items":[${list(100, () => `{${list(900, (at) => `"f${at}":1`)}}`)}]}`,
  ],
  [
    "100 items with 900 wrong headers each",
    batch,
    200,
    () => `{"items":[${list(100, () => item(`"headers":{${list(900, (at) => `"f ${at}":1`)}}`))}]}`,
  ],
  ["100,000 wrong rows", imports, 200, () => `{"suppressions":[${list(100_000, () => '{"email":"bad"}')}]}`],
  [
    "100,000 rows",
    imports,
    200,
    () => `{"suppressions":[${list(100_000, (at) => `{"email":"a${at}@b.test","reason":"bounce"}`)}],"dryRun":true}`,
  ],
]

let world: World | undefined

test.each(bodies)("%s keep nobody else waiting for half a second", measured, async (_, route, status, bodyOf) => {
  world ??= await newWorld()
  const params = route === imports ? { params: { projectId: world.project } } : {}
  const call = { key: world.apiKey, rawBody: bodyOf(), headers: { "content-type": "application/json" }, ...params }
  const { answer, blockedMs } = await watched(() => api(route, call))
  expect(answer.status, "the status").toBe(status)
  expect(blockedMs, "milliseconds of work between two others' turns").toBeLessThan(blockedMsMax)
})

const lists = '"\\'.repeat(20_000)

test("100 items that a template makes 2 MB of keep nobody else waiting for half a second", measured, async () => {
  const world = await newWorld()
  const project = { key: world.apiKey, params: { projectId: world.project } }
  const template = { name: "large", subject: "s", html: "a".repeat(2_000_000) }
  const made = await api("POST /v1/projects/{projectId}/templates", { ...project, body: template })
  const params = { ...project.params, templateId: made.json.id }
  await api("POST /v1/projects/{projectId}/templates/{templateId}/publish", { ...project, params })
  const one = { from: "a@b.test", to: "a@b.test", subject: "", template: { id: made.json.id, variables: {} } }
  const call = { key: world.apiKey, body: { items: Array(100).fill(one) } }
  const { answer, blockedMs } = await watched(() => api(batch, call))
  expect(answer.status, "the status").toBe(413)
  expect(blockedMs, "milliseconds of work between two others' turns").toBeLessThan(blockedMsMax)
})

/** At the APIs of other services. */
const faceBodies: [string, Face, string, number, () => string][] = [
  [
    "20,000 quotes that are not closed, to Postmark's API",
    postmark,
    "email",
    422,
    () => JSON.stringify({ ...postmarkEmail, To: lists }),
  ],
  [
    "lists of 50,000 addresses in each of 100 emails, to Postmark's API",
    postmark,
    "email/batch",
    200,
    () => JSON.stringify(Array(100).fill({ ...postmarkEmail, To: "a,".repeat(50_000), Cc: "a,".repeat(50_000) })),
  ],
  [
    "20,000 quotes that are not closed, to Mailgun's API",
    mailgun,
    "v3/b.test/messages",
    400,
    () => form({ to: lists }),
  ],
  [
    "1,000,000 addresses, to Mailgun's API",
    mailgun,
    "v3/b.test/messages",
    400,
    () => form({ to: "a,".repeat(1_000_000) }),
  ],
  ["8,000,000 fields of a form", mailgun, "v3/b.test/messages", 400, () => "a&".repeat(8_000_000)],
  ["a form of 16,000,000 spaces", mailgun, "v3/b.test/messages", 400, () => `a=${"+".repeat(16_000_000)}`],
  [
    "300,000 parts of a form",
    mailgun,
    "v3/b.test/messages",
    400,
    () => `${'--form\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(300_000)}--form--\r\n`,
  ],
  [
    "400,000 names in a field of a form",
    mailgun,
    "v3/b.test/messages",
    413,
    () => form({ "recipient-variables": `{${list(400_000, (at) => `"${at}":1`)}}` }),
  ],
  [
    "400,000 names in variables of a template",
    mailgun,
    "v3/b.test/messages",
    413,
    () => form({ "t:variables": `{${list(400_000, (at) => `"${at}":1`)}}` }),
  ],
  [
    "33,000 wrong variables of a recipient",
    mailgun,
    "v3/b.test/messages",
    400,
    () => form({ "recipient-variables": `{"a@b.test":{${list(33_000, (at) => `"${at}":[]`)}}}` }),
  ],
  [
    "33,000 recipients without variables",
    mailgun,
    "v3/b.test/messages",
    400,
    () => form({ "recipient-variables": `{${list(33_000, (at) => `"a${at}@b.test":{}`)}}` }),
  ],
  [
    "33,000 variables of a template",
    mailgun,
    "v3/b.test/messages",
    400,
    () => form({ "t:variables": `{${list(33_000, (at) => `"${at}":[]`)}}` }),
  ],
  [
    "490 names alike to replace",
    sendgrid,
    "v3/mail/send",
    400,
    () => mail([{ substitutions: namesAlike(490) }], "a".repeat(120_000)),
  ],
  [
    "130 names alike to replace in 2 MB",
    sendgrid,
    "v3/mail/send",
    400,
    () => mail([{ substitutions: namesAlike(130) }], "a".repeat(2_000_000)),
  ],
  [
    "900 personalizations that make 2 MB each",
    sendgrid,
    "v3/mail/send",
    413,
    () => mail(Array(900).fill({ ...to, substitutions: { a: "b".repeat(1_000) } }), "a".repeat(2_000)),
  ],
  [
    "100 personalizations that make 600 kB each",
    sendgrid,
    "v3/mail/send",
    422,
    () => mail(Array(100).fill({ ...to, substitutions: { a: "b".repeat(1_000) } }), "a".repeat(600)),
  ],
  [
    "900 recipients whose variables make 2 MB each",
    mailgun,
    "v3/b.test/messages",
    413,
    () =>
      form({
        to: list(900, (at) => `a${at}@b.test`),
        html: "%recipient.a%".repeat(2_000),
        "recipient-variables": `{${list(900, (at) => `"a${at}@b.test":{"a":"${"b".repeat(1_000)}"}`)}}`,
      }),
  ],
  [
    "100 emails with 900 unknown fields each, to Resend's API",
    resend,
    "emails/batch",
    422,
    () => `[${list(100, () => `{${list(900, (at) => `"f${at}":1`)}}`)}]`,
  ],
  [
    "100 emails with 900 wrong recipients each, to Resend's API",
    resend,
    "emails/batch",
    422,
    () => `[${list(100, () => item(`"to":[${list(900, () => "1")}]`))}]`,
  ],
]
const postmarkEmail = { From: "a@b.test", Subject: "s", TextBody: "t" }
const to = { to: [{ email: "a@b.test" }] }
const mail = (personalizations: object[], html: string) =>
  JSON.stringify({
    ...{ from: { email: "a@b.test" }, subject: "s", content: [{ type: "text/html", value: html }] },
    personalizations: personalizations.map((one) => ({ to: [{ email: "bad" }], ...one })),
  })
const namesAlike = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${"a".repeat(at + 1)}b`, ""]))
const form = (fields: object) =>
  new URLSearchParams({ from: "a@b.test", to: "a@b.test", subject: "s", text: "t", ...fields }).toString()

test.each(faceBodies)(
  "%s keep nobody else waiting for half a second",
  measured,
  async (_, face, path, status, bodyOf) => {
    world ??= await newWorld()
    const body = bodyOf()
    const headers = { ...credentialsFor(face, world.apiKey), "content-type": typeOf(face, body) }
    const request = new Request(`http://localhost:3000/${face.name}/${path}`, { method: "POST", body, headers })
    const { answer, blockedMs } = await watched(() => serveFace(face).POST(request))
    expect(answer.status, "the status").toBe(status)
    expect(blockedMs, "milliseconds of work between two others' turns").toBeLessThan(blockedMsMax)
  },
)

function credentialsFor(face: Face, key: string): Record<string, string> {
  if (face === postmark) return { "x-postmark-server-token": key }
  return { authorization: face === mailgun ? `Basic ${btoa(`api:${key}`)}` : `Bearer ${key}` }
}

function typeOf(face: Face, body: string): string {
  if (face !== mailgun) return "application/json"
  return body.startsWith("--form") ? "multipart/form-data; boundary=form" : "application/x-www-form-urlencoded"
}

/** The answer, and for how long the process did nothing else at most, on its way. */
async function watched<T>(ask: () => Promise<T>): Promise<{ answer: T; blockedMs: number }> {
  // The CPU's clock: on a busy machine the process may stand still without doing anything.
  const cpuMs = () => (process.cpuUsage().user + process.cpuUsage().system) / 1_000
  let [blockedMs, last] = [0, cpuMs()]
  const look = () => {
    const now = cpuMs()
    blockedMs = Math.max(blockedMs, now - last)
    last = now
  }
  const timer = setInterval(look, 5)
  const answer = await ask()
  clearInterval(timer)
  look()
  return { answer, blockedMs }
}
