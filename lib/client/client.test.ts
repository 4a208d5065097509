import { afterEach, expect, test, vi } from "vitest"
import { createMailroom, MailroomError } from "@/lib/client/index"

afterEach(() => vi.useRealTimers())

const email = { from: "Shop <orders@shop.example>", to: ["ada@lovelace.example"], subject: "Hello", text: "Hi" }
const problem = (status: number, code: string) => ({ type: "about:blank", title: "A title", status, code })

/** A client whose requests get these answers one after the other; an Error is a lost connection. */
function answering(...answers: (Error | { status: number; body: unknown; headers?: Record<string, string> })[]) {
  const asked: { url: string; body: string; authorization: string | null }[] = []
  const fetch = async (request: Request) => {
    asked.push({ url: request.url, body: await request.text(), authorization: request.headers.get("authorization") })
    const answer = answers[asked.length - 1]
    if (!answer || answer instanceof Error) throw answer ?? new Error("Nothing more was to be asked.")
    const { status, body, headers = {} } = answer
    return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } })
  }
  return { asked, mailroom: createMailroom({ baseUrl: "https://mail.example", apiKey: "mr_live_x", fetch }) }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = []
  for await (const item of items) read.push(item)
  return read
}

test("a send is repeated with the same idempotency key after a lost answer, and after what a 429 tells to wait", async () => {
  vi.useFakeTimers()
  const wait = { status: 429, body: problem(429, "rate_limit.exceeded"), headers: { "Retry-After": "7" } }
  const { asked, mailroom } = answering(new TypeError("reset"), wait, { status: 201, body: { id: "email_1" } })
  const sent = mailroom.send(email)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(6_900)
  expect(asked).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(100)
  expect(await sent).toEqual({ id: "email_1" })
  expect(new Set(asked.map(({ body }) => (JSON.parse(body) as { idempotencyKey: string }).idempotencyKey)).size).toBe(1)
  expect(asked[0]).toMatchObject({ url: "https://mail.example/v1/emails", authorization: "Bearer mr_live_x" })
})

test("a send that has to wait for the next day's quota is an error at once, which says how long", async () => {
  const used = { status: 429, body: problem(429, "quota.daily_exceeded"), headers: { "Retry-After": "36000" } }
  const { asked, mailroom } = answering(used)
  vi.useFakeTimers()
  let end: unknown = "still waits"
  void mailroom.send(email).catch((thrown: unknown) => (end = thrown))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(end).toMatchObject({ retryAfterSeconds: 36_000, problem: { code: "quota.daily_exceeded" } })
  expect(asked).toHaveLength(1)
})

test("what repeating does not help is an error with the problem, at once", async () => {
  const errors = [{ pointer: "/to/0", detail: "Must be an email address." }]
  const { asked, mailroom } = answering({ status: 400, body: { ...problem(400, "request.invalid"), errors } })
  const error = await mailroom.send(email).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(MailroomError)
  expect(error).toMatchObject({ message: "request.invalid: A title", problem: { code: "request.invalid", errors } })
  expect(asked).toHaveLength(1)
})

test("items reads pages by number and by cursor until the last one", async () => {
  const numbered = answering(
    { status: 200, body: { data: [{ id: "a" }, { id: "b" }], page: { hasNextPage: true } } },
    { status: 200, body: { data: [{ id: "c" }], page: { hasNextPage: false } } },
  )
  const path = { projectId: "proj_1" }
  const topics = numbered.mailroom.items((query) =>
    numbered.mailroom.api.GET("/v1/projects/{projectId}/topics", { params: { path, query } }),
  )
  expect((await all(topics)).map(({ id }) => id)).toEqual(["a", "b", "c"])
  expect(numbered.asked.map(({ url }) => new URL(url).search)).toEqual(["?size=100", "?size=100&page=2"])

  const cursors = answering(
    { status: 200, body: { data: [{ contactId: "a" }], cursor: { nextCursor: "x" } } },
    { status: 200, body: { data: [{ contactId: "b" }], cursor: { nextCursor: null } } },
  )
  const ids = { projectId: "proj_1", segmentId: "seg_1" }
  const members = cursors.mailroom.items((query) =>
    cursors.mailroom.api.GET("/v1/projects/{projectId}/segments/{segmentId}/contacts", {
      params: { path: ids, query },
    }),
  )
  expect((await all(members)).map(({ contactId }) => contactId)).toEqual(["a", "b"])
  expect(cursors.asked.map(({ url }) => new URL(url).search)).toEqual(["?size=100", "?size=100&after=x"])
})
