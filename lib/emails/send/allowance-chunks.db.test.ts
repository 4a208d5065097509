import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { newSend } from "@/e2e/bench/accept-floor"
import { message } from "@/e2e/bench/messages"
import { newSending, type Sending } from "@/e2e/support/delivery/sending"
import { measured } from "@/e2e/support/measured"
import { slowCommits } from "@/e2e/support/slow-commits"
import { releaseDue } from "@/lib/delivery/scheduling/data"
import { type Accepted, acceptTogether, allowanceTaken } from "@/lib/emails/send/data"
import { type ComposedEmail, NewEmail } from "@/lib/emails/send/schema"
import { pool } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"
import { sqlState } from "@/lib/platform/database/sql-errors"
import { countAcceptedEmails, quotaCrossings, quotaNow, storageOf } from "@/lib/projects/quota/data"

// Accepts of one organization meet at the row of its day, which each of them locks until its commit. Commits are made slow
// here, as those of a database with a distant standby are.

let sender: Sending

beforeEach(async () => {
  sender = await newSending()
})

afterEach(() => slowCommits(0))

async function limit({ organizationId, projectId }: Sending, limits: { daily?: number; rate?: number }): Promise<void> {
  const { daily = null, rate = null } = limits
  await pool().query("UPDATE organizations SET daily_sends = coalesce($2, daily_sends) WHERE id = $1", [
    organizationId,
    daily,
  ])
  await pool().query("UPDATE projects SET per_second_sends = coalesce($2, per_second_sends) WHERE id = $1", [
    projectId,
    rate,
  ])
}

type Outcome = Accepted["outcome"]

/** One send, decided as the accept path decides it: anew where another accept came first. */
async function sendOne({ projectId, domain }: Sending, messages = 1): Promise<Outcome> {
  const email = NewEmail.parse(message(domain, 0)) as ComposedEmail
  const parts = Array.from({ length: messages }, () => newSend(email))
  const [first] = parts
  if (!first) throw new Error("A send has a message.")
  const send = {
    ...first,
    messages: parts
      .flatMap((part) => part.messages)
      .map((row, idx) => ({ ...row, idx, group_id: first.messages[0]?.id })),
    recipients: parts.flatMap((part) => part.recipients),
  }
  try {
    const { accepted } = await acceptTogether(projectId, [send as typeof first])
    return accepted[0]?.outcome ?? "domain_not_verified"
  } catch (error) {
    if (sqlState(error) === allowanceTaken) return sendOne({ projectId, domain } as Sending, messages)
    throw error
  }
}

/** `count` sends, so many at a time. */
async function sendMany(senders: readonly Sending[], count: number, atOnce = 8): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let left = count
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) outcomes.push(await sendOne(senders[left % senders.length] as Sending))
    }),
  )
  return outcomes
}

const times = (outcomes: readonly Outcome[], outcome: Outcome) => outcomes.filter((one) => one === outcome).length
const scopeOf = ({ projectId }: Sending) => ({ project: { id: projectId } }) as Scope

async function setAside(): Promise<number> {
  const { rows } = await pool().query(
    "SELECT coalesce(sum(messages), 0)::int AS n FROM allowance_chunks WHERE project_id = $1",
    [sender.projectId],
  )
  return rows[0].n
}

async function stored(senders: readonly Sending[]): Promise<number> {
  const ids = senders.map(({ projectId }) => projectId)
  const { rows } = await pool().query("SELECT count(*)::int AS n FROM emails WHERE project_id = ANY ($1)", [ids])
  return rows[0].n
}

/** A second project of the sender's organization. */
async function sibling(): Promise<Sending> {
  const other = await newSending()
  await pool().query("UPDATE projects SET organization_id = $2 WHERE id = $1", [other.projectId, sender.organizationId])
  return { ...other, organizationId: sender.organizationId }
}

test("accepts of one organization do not wait for each other's commits", measured, async () => {
  await limit(sender, { daily: 1_000_000, rate: 10_000 })
  await slowCommits(40)
  await sendMany([sender], 16)
  const startedAt = performance.now()
  const outcomes = await sendMany([sender], 80)
  const tookMs = performance.now() - startedAt
  expect(times(outcomes, "accepted")).toBe(80)
  // One after the other they took 80 commits; eight at a time take ten.
  expect(tookMs, "80 sends of 40 ms, 8 at a time").toBeLessThan((80 * 40) / 2)
})

test("what is used, the bucket, the number of emails and their bytes are told as if nothing had been set aside", async () => {
  await limit(sender, { daily: 10_000, rate: 1 })
  await pool().query("UPDATE projects SET per_second_sends = 500 WHERE id = $1", [sender.projectId])
  await slowCommits(5)
  await sendMany([sender], 60)
  expect(await setAside()).toBeGreaterThan(0)
  const now = await quotaNow(scopeOf(sender))
  expect({ used: now?.used, emails: await countAcceptedEmails(scopeOf(sender)) }).toEqual({ used: 60, emails: 60 })
  expect(now?.burst.size).toBe(10_000)
  expect(now?.burst.used).toBeLessThanOrEqual(60)
  const bytes = await pool().query(
    "SELECT sum(bytes_of_body(text, html, attachments, NULL))::int AS n FROM email_bodies WHERE project_id = $1",
    [sender.projectId],
  )
  await pool().query("SELECT fold_stored_bytes(10000)")
  expect((await storageOf(scopeOf(sender)))?.usedBytes).toBe(bytes.rows[0].n)
})

test("owners are told of 80 percent of what was sent, not of what was set aside", async () => {
  await limit(sender, { daily: 400, rate: 10_000 })
  await slowCommits(5)
  await sendMany([sender], 310)
  expect(await quotaCrossings(10)).toEqual([])
  await sendMany([sender], 10)
  expect((await quotaCrossings(10)).map(({ used, percent }) => ({ used, percent }))).toEqual([
    { used: 320, percent: 80 },
  ])
})

describe("What is refused has really been used up:", () => {
  test("of an organization's day exactly the daily quota is sent, over several projects and with whatever is set aside", async () => {
    const other = await sibling()
    await limit(other, { rate: 10_000 })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 5, max: 260 }),
        fc.integer({ min: 2, max: 8 }),
        fc.constantFrom(0, 2, 6),
        async (daily, atOnce, commitMs) => {
          const before = await stored([sender, other])
          await limit(sender, { daily: before + daily, rate: 10_000 })
          await slowCommits(commitMs)
          const outcomes = await sendMany([sender, other], daily + 25, atOnce)
          expect({
            accepted: times(outcomes, "accepted"),
            refused: times(outcomes, "daily_exceeded"),
            used: (await quotaNow(scopeOf(sender)))?.used,
          }).toEqual({ accepted: daily, refused: 25, used: before + daily })
        },
      ),
      { numRuns: 8 },
    )
  })

  test("of a bucket no more is sent than it holds and what flows in meanwhile, and nothing is refused while a chunk holds a token", async () => {
    await limit(sender, { daily: 1_000_000, rate: 20 })
    await slowCommits(4)
    const startedAt = performance.now()
    const outcomes = await sendMany([sender], 600)
    const seconds = (performance.now() - startedAt) / 1_000
    expect(times(outcomes, "accepted")).toBeGreaterThanOrEqual(400)
    expect(times(outcomes, "accepted")).toBeLessThanOrEqual(400 + Math.ceil(20 * seconds))
    const { rows } = await pool().query(
      "SELECT coalesce(max(tokens), 0)::int AS n FROM allowance_chunks WHERE project_id = $1",
      [sender.projectId],
    )
    expect(rows[0].n, "tokens left in a chunk").toBe(0)
  })

  test("a full bucket with chunks holds no more than one without", async () => {
    await limit(sender, { daily: 1_000_000, rate: 20 })
    await slowCommits(4)
    await sendMany([sender], 40)
    expect(await setAside()).toBeGreaterThan(0)
    await pool().query(
      "UPDATE send_allowances SET refilled_at = refilled_at - interval '1 hour' WHERE project_id = $1",
      [sender.projectId],
    )
    expect(times([await sendOne(sender)], "accepted")).toBe(1)
    const { rows } = await pool().query(
      `SELECT a.tokens + coalesce((SELECT sum(c.tokens) FROM allowance_chunks c WHERE c.project_id = a.project_id), 0) AS n
        FROM send_allowances a WHERE a.project_id = $1`,
      [sender.projectId],
    )
    expect(rows[0].n).toBe(399)
  })
})

describe("Chunks that were set aside", () => {
  beforeEach(async () => {
    await limit(sender, { daily: 10_000, rate: 500 })
    await slowCommits(5)
    await sendMany([sender], 60)
    expect(await setAside()).toBeGreaterThan(100)
  })

  test("let nothing through that a lowered daily quota no longer allows", async () => {
    await limit(sender, { daily: 65 })
    const outcomes = await sendMany([sender], 40)
    expect([times(outcomes, "accepted"), times(outcomes, "daily_exceeded")]).toEqual([5, 35])
  })

  test("let nothing through at a rate that was lowered", async () => {
    await limit(sender, { rate: 1 })
    const startedAt = performance.now()
    const outcomes = await sendMany([sender], 300)
    const seconds = (performance.now() - startedAt) / 1_000
    expect(times(outcomes, "accepted")).toBeGreaterThanOrEqual(100)
    expect(times(outcomes, "accepted")).toBeLessThanOrEqual(100 + Math.ceil(seconds))
  })

  test("are of their day", async () => {
    await pool().query("UPDATE allowance_chunks SET day = day - 1 WHERE project_id = $1", [sender.projectId])
    await pool().query("UPDATE quota_days SET day = day - 1 WHERE organization_id = $1", [sender.organizationId])
    await limit(sender, { daily: 30 })
    const outcomes = await sendMany([sender], 50)
    expect([times(outcomes, "accepted"), times(outcomes, "daily_exceeded")]).toEqual([30, 20])
  })

  test("are there for scheduled mail that is due", async () => {
    await pool().query("UPDATE quota_days SET used = $2 WHERE organization_id = $1", [sender.organizationId, 10_000])
    const before = await setAside()
    await pool().query("UPDATE send_allowances SET tokens = 0 WHERE project_id = $1", [sender.projectId])
    await releaseDue(sender.projectId)
    const { rows } = await pool().query("SELECT used FROM quota_days WHERE organization_id = $1", [
      sender.organizationId,
    ])
    const allowance = await pool().query("SELECT tokens::int FROM send_allowances WHERE project_id = $1", [
      sender.projectId,
    ])
    expect({ used: rows[0].used, tokens: allowance.rows[0].tokens, setAside: await setAside() }).toEqual({
      ...{ used: 10_000 - before, tokens: before, setAside: 0 },
    })
  })
})

test("a send of several messages takes them from one chunk or none", async () => {
  await limit(sender, { daily: 3_000, rate: 10_000 })
  await slowCommits(2)
  await Promise.all(
    Array.from({ length: 8 }, async (_, at) => {
      for (let round = 0; round < 6; round++)
        expect(await sendOne(sender, 1 + ((at + round) % 3) * 20)).toBe("accepted")
    }),
  )
  const used = (await quotaNow(scopeOf(sender)))?.used
  expect(used).toBe(await stored([sender]))
})
