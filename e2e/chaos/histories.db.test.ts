import fc from "fast-check"
import { expect, test } from "vitest"
import { blocked, SendModel, type Answer, type SendRequest } from "@/e2e/support/chaos/send-model"
import { size } from "@/e2e/support/chaos/size"
import { api, newKey, newWorld, type World } from "@/e2e/support/world"
import { usedToday } from "@/e2e/support/used-today"
import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

const histories = size(40, 500)

/** How a request ends without an answer: the first two are told from the outside, the third hits it anywhere. */
type Crash = "before the commit" | "after the commit" | number

type Step =
  | { do: "send"; request: SendRequest }
  | { do: "retry" }
  | { do: "race"; request: SendRequest; times: number }
  | { do: "batch"; requests: SendRequest[] }
  | { do: "crash"; request: SendRequest & { key: string }; how: Crash }
  | { do: "cancel"; key: string }
  | { do: "raise"; by: number }

const keys = fc.constantFrom("order-1", "order-2", "order-3")
const addresses = fc.constantFrom("ada@lovelace.example", "alan@turing.example", "grace@hopper.example", blocked)
const kind = fc.oneof(
  { weight: 6, arbitrary: fc.constant<SendRequest["kind"]>("plain") },
  { weight: 4, arbitrary: fc.constantFrom<SendRequest["kind"]>("test", "scheduled", "no subject", "foreign domain") },
)
const content = { subject: fc.constantFrom("Hello", "Changed", "Again"), kind }
const to = fc.uniqueArray(addresses, { minLength: 1, maxLength: 3 })
const maybeKey = fc.option(keys, { nil: null, freq: 4 })
const request = fc.record<SendRequest>({ key: maybeKey, to, ...content })
const item = fc.record<SendRequest>({ key: maybeKey, to: addresses.map((one) => [one]), ...content })
const how = fc.oneof(fc.constantFrom<Crash>("before the commit", "after the commit"), fc.integer({ min: 0, max: 12 }))

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("send" as const), request }) },
  { weight: 2, arbitrary: fc.constant({ do: "retry" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("race" as const), request, times: fc.integer({ min: 2, max: 4 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("batch" as const),
      requests: fc.array(item, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("crash" as const), request: fc.record({ key: keys, to, ...content }), how }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("cancel" as const), key: keys }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("raise" as const), by: fc.integer({ min: 1, max: 3 }) }) },
)

test(
  `${histories} histories of sends, repeats, races, batches, crashes and quota refusals agree with the model`,
  async () => {
    const history = fc.record({
      daily: fc.integer({ min: 0, max: 8 }),
      steps: fc.array(step, { minLength: 4, maxLength: 16 }),
    })
    const runs = { numRuns: histories, interruptAfterTimeLimit: size(100_000, 1_500_000), markInterruptAsFailure: true }
    await fc.assert(
      fc.asyncProperty(history, ({ daily, steps }) => live(daily, steps)),
      runs,
    )
  },
  size(120_000, 1_800_000),
)

async function live(daily: number, steps: readonly Step[]) {
  const world = await newSender(daily)
  const second = await newKey(world.projectId)
  const model = new SendModel(daily)
  let last: SendRequest | null = null
  let turn = 0
  // Two API keys of the project take turns: the claim belongs to the project.
  const apiKey = () => (turn++ % 2 ? second.apiKey : world.apiKey)
  const send = async (request: SendRequest) =>
    toAnswer(await api("POST /v1/emails", { key: apiKey(), body: bodyOf(request) }))

  for (const step of steps) {
    if (step.do === "send") {
      model.answered(step.request, await send(step.request))
      last = step.request
    } else if (step.do === "retry" && last) {
      model.answered(last, await send(last))
    } else if (step.do === "race") {
      const same = Array.from({ length: step.times }, (_, at) => ({
        ...step.request,
        subject: `${step.request.subject} ${at}`,
      }))
      const answers = await Promise.all(same.map(send))
      model.raced(same, answers)
    } else if (step.do === "batch") {
      const requests = withOneBodyAKey(step.requests)
      const { status, json } = await api("POST /v1/emails/batch", {
        key: apiKey(),
        body: { items: requests.map(bodyOf) },
      })
      expect(status).toBe(200)
      for (const at of repeatsLast(requests)) model.itemAnswered(requests[at] as SendRequest, json.results[at])
    } else if (step.do === "crash") {
      await crash(world, () => send(step.request), step.how)
      model.repeated(step.request, await send(step.request))
      last = step.request
    } else if (step.do === "cancel") {
      const emailId = model.idOf(step.key) ?? "email_none"
      model.cancelAnswered(
        step.key,
        (await api("DELETE /v1/emails/{emailId}", { key: apiKey(), params: { emailId } })).status,
      )
    } else if (step.do === "raise") {
      model.daily += step.by
      await pool().query("UPDATE organizations SET daily_sends = $2 WHERE id = $1", [world.organizationId, model.daily])
    }
  }
  expect(await kept(world)).toEqual({ used: model.used, emails: model.emails, events: model.events })
}

async function newSender(daily: number): Promise<World> {
  const world = await newWorld()
  await pool().query(
    `INSERT INTO domains (id, project_id, name, region, mail_from_domain, tracking_domain, status, records)
      VALUES ($1, $2, 'acme.test', 'eu-west-1', $3, 'links.acme.test', 'verified', '{}')`,
    [newId(), world.projectId, `${world.projectId}.acme.test`],
  )
  await pool().query("INSERT INTO suppressions (id, project_id, email, reason) VALUES ($1, $2, $3, 'manual')", [
    newId(),
    world.projectId,
    blocked,
  ])
  await pool().query("UPDATE organizations SET daily_sends = $2 WHERE id = $1", [world.organizationId, daily])
  return world
}

const later = new Date(Date.now() + 24 * 3600_000).toISOString()

function bodyOf({ key, to, subject, kind }: SendRequest) {
  return {
    from: `hello@${kind === "foreign domain" ? "other.test" : "acme.test"}`,
    to,
    text: "Hi",
    ...(kind === "no subject" ? {} : { subject }),
    ...(kind === "test" ? { testMode: true } : {}),
    ...(kind === "scheduled" ? { scheduledAt: later } : {}),
    ...(key === null ? {} : { idempotencyKey: key }),
  }
}

function toAnswer({ status, headers, json }: Awaited<ReturnType<typeof api>>): Answer {
  return { status, json, replayed: headers.has("idempotent-replayed") }
}

/** The order of two bodies with one key within a batch is not guaranteed. */
function withOneBodyAKey(requests: readonly SendRequest[]): SendRequest[] {
  return requests.map((request) => requests.find(({ key }) => key !== null && key === request.key) ?? request)
}

/** A repeat of a key waits for the outcome of the first. */
function repeatsLast(requests: readonly SendRequest[]): number[] {
  const isRepeat = ({ key }: SendRequest, at: number) =>
    key !== null && requests.findIndex((one) => one.key === key) < at
  const positions = requests.map((request, at) => ({ at, repeat: isRepeat(request, at) }))
  return positions.sort((one, other) => Number(one.repeat) - Number(other.repeat)).map(({ at }) => at)
}

/** The request is made, and dies; its response is not read. Settles when the process has whole connections again. */
async function crash(world: World, request: () => Promise<Answer>, how: Crash) {
  if (how === "after the commit") return void (await request())
  const answer = typeof how === "number" ? await killedAfter(how, request) : await killedBeforeCommit(world, request)
  expect([201, 400, 422, 429, 503]).toContain(answer.status)
  await connectionsHeal()
}

async function killedAfter(ms: number, request: () => Promise<Answer>): Promise<Answer> {
  const answer = request()
  await new Promise((resolve) => setTimeout(resolve, ms))
  await pool().query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  )
  return answer
}

/** Held at the project's allowance, which the accept function locks, until its connection is cut. */
async function killedBeforeCommit(world: World, request: () => Promise<Answer>): Promise<Answer> {
  const locker = await pool().connect()
  let answered = false
  try {
    await locker.query("BEGIN")
    await locker.query("SELECT 1 FROM send_allowances WHERE project_id = $1 FOR UPDATE", [world.projectId])
    const answer = request().finally(() => (answered = true))
    while (!answered) {
      // Not over the locker: within a transaction the view shows what it showed first.
      const { rowCount } = await pool().query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%accept_emails%'`,
      )
      if (rowCount) break
    }
    return await answer
  } finally {
    await locker.query("ROLLBACK")
    locker.release()
  }
}

async function connectionsHeal() {
  let whole = 0
  while (whole < 20) {
    const probes = await Promise.allSettled(Array.from({ length: 10 }, () => pool().query("SELECT 1")))
    whole = probes.every(({ status }) => status === "fulfilled") ? whole + 10 : 0
  }
}

async function kept(world: World) {
  const { rows } = await pool().query(
    `SELECT (SELECT count(*) FROM emails WHERE project_id = $1)::int AS emails, (SELECT count(*) FROM events WHERE project_id = $1)::int AS events`,
    [world.projectId],
  )
  return { used: await usedToday(world), ...rows[0] }
}
