import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newWorld, type World } from "@/e2e/support/world"
import { followScores, scoreWaiting, stepScores } from "@/lib/contacts/engagement/data"
import { runScores } from "@/lib/contacts/worker"
import { type Clock, systemClock } from "@/lib/platform/time"
import { pool } from "@/lib/platform/database/db"
import { decodeId, newId } from "@/lib/platform/ids"
import { runSegments } from "@/lib/segments/passes/worker"
import { addContacts, followAll, membersOf, newSegment } from "@/e2e/support/segments/audience"
import { dispatchAll, runDispatcher } from "@/lib/worker/dispatcher"

const days = (count: number) => new Date(Date.now() + count * 24 * 3600_000)
const tierIs = (value: "new" | "cold" | "cool" | "warm" | "hot") => ({
  all: [{ field: "engagementTier" as const, operator: "is" as const, value }],
})

let world: World
beforeAll(async () => {
  await pool().query("UPDATE engagement_pass SET due_at = now() + interval '1 hour'")
})
beforeEach(async () => {
  world = await newWorld()
  await addVerifiedDomain(world)
})

/** A mail as it leaves, and then what its people and servers tell of it. */
async function send(to: string, types: readonly string[], data: Record<string, string> = {}) {
  const { json } = await api("POST /v1/emails", {
    key: world.apiKey,
    body: { from: "Acme <hello@acme.test>", to, subject: "Hello", text: "Hi" },
  })
  const emailId = decodeId("email", json.id)
  const { rows } = await pool().query("UPDATE deliveries SET sent_at = now() WHERE email_id = $1 RETURNING id", [
    emailId,
  ])
  for (const type of types) {
    await pool().query(
      "INSERT INTO events (id, project_id, email_id, delivery_id, type, data, occurred_at) VALUES ($1, $2, $3, $4, $5, $6, now())",
      [newId(), world.projectId, emailId, rows[0].id, type, data],
    )
  }
}

const stored = async (id: string) =>
  (await pool().query("SELECT engagement_score AS score, engagement_tier AS tier FROM contacts WHERE id = $1", [id]))
    .rows[0]

/** What the worker does for segments and scores, while `work` goes on. */
async function working(work: () => Promise<void>, clock: Clock = systemClock) {
  const stop = new AbortController()
  const ended = Promise.all([
    runDispatcher(stop.signal),
    runSegments({ signal: stop.signal, leaseMs: 60_000, followScores }),
    runScores({ clock, signal: stop.signal }),
  ])
  await work().finally(() => stop.abort())
  await ended
}

const within20s = { timeout: 20_000, interval: 50 }
const members = (segmentId: string, emails: string[]) =>
  vi.waitFor(async () => expect(await membersOf(segmentId)).toEqual(emails), within20s)
const tellAll = async () => {
  await dispatchAll()
  await followAll()
}

describe("a segment by engagement tier", () => {
  test("follows what people and servers tell of mail within 5 seconds, though nobody looks at the contact", async () => {
    await addContacts(world, [{ email: "ada@x.example" }, { email: "bob@x.example" }, { email: "cem@x.example" }])
    const [fresh, cold, hot] = [
      await newSegment(world, tierIs("new")),
      await newSegment(world, tierIs("cold")),
      await newSegment(world, tierIs("hot")),
    ]
    await working(async () => {
      await send("cem@x.example", ["sent"])
      await members(fresh, ["cem@x.example"])
      for (let mail = 0; mail < 3; mail++) await send("ada@x.example", ["sent", "delivered"])
      await members(cold, ["ada@x.example"])
      for (let mail = 0; mail < 3; mail++)
        await send("ada@x.example", ["sent", "delivered", "opened"], { machine: "true" })
      for (let mail = 0; mail < 3; mail++) await send("bob@x.example", ["sent", "delivered", "opened", "clicked"])
      await members(hot, ["bob@x.example"])
      await send("bob@x.example", ["complained"])
      await members(hot, [])
      await members(cold, ["ada@x.example", "bob@x.example"])
    })
  })

  test("holds at once whom earlier mail made so, where nobody had asked for tiers yet", async () => {
    const [ada = ""] = await addContacts(world, [{ email: "ada@x.example" }])
    await working(async () => {
      await send("ada@x.example", ["sent", "delivered", "clicked"])
      await vi.waitFor(async () => expect(await stored(ada)).toEqual({ score: 100, tier: "hot" }), within20s)
    })
    expect(await membersOf(await newSegment(world, tierIs("hot")))).toEqual(["ada@x.example"])
  })

  test("lets go as scores fade with the days, by the daily pass", async () => {
    await addContacts(world, [{ email: "ada@x.example" }, { email: "bob@x.example" }])
    const hot = await newSegment(world, tierIs("hot"))
    await working(async () => {
      await send("ada@x.example", ["delivered", "clicked"])
      await members(hot, ["ada@x.example"])
    })
    const cool = await newSegment(world, tierIs("cool"))
    await working(() => members(hot, []), { now: () => days(85) })
    expect(await membersOf(hot)).toEqual([])
    expect(await membersOf(cool)).toEqual(["ada@x.example"])
  })
})

describe("scores", () => {
  test("of whoever had mail before they became a contact are made when they do", async () => {
    await send("late@x.example", ["sent", "delivered", "opened"])
    await tellAll()
    const { json } = await api("POST /v1/projects/{projectId}/contacts", {
      key: world.apiKey,
      params: { projectId: world.project },
      body: { email: "late@x.example" },
    })
    expect(await scoreWaiting(world.projectId, 10, new Date())).toBe(1)
    expect(await stored(decodeId("con", json.id) ?? "")).toEqual({ score: 60, tier: "warm" })
  })

  test("that change within a tier are no matter for segments, of a gone contact no matter at all", async () => {
    const [ada = "", bob = ""] = await addContacts(world, [{ email: "ada@x.example" }, { email: "bob@x.example" }])
    const round = async () => {
      await dispatchAll()
      await followAll()
      await scoreWaiting(world.projectId, 10, new Date())
      return (await pool().query("SELECT contact_id AS id FROM segment_work WHERE project_id = $1", [world.projectId]))
        .rows
    }
    for (let mail = 0; mail < 9; mail++) await send("ada@x.example", ["delivered", "opened"])
    expect(await round()).toEqual([{ id: ada }])
    await send("ada@x.example", ["delivered"])
    await send("bob@x.example", ["delivered"])
    await tellAll()
    await pool().query("DELETE FROM contacts WHERE id = $1", [bob])
    expect(await round()).toEqual([])
    expect(await stored(ada)).toEqual({ score: 54, tier: "warm" })
    expect(await scoreWaiting(world.projectId, 10, new Date())).toBe(0)
  })

  test("wait for nobody who is changing the contact, and are made when that is over", async () => {
    const [ada = ""] = await addContacts(world, [{ email: "ada@x.example" }, { email: "bob@x.example" }])
    for (const to of ["ada@x.example", "bob@x.example"]) await send(to, ["delivered", "opened"])
    await tellAll()
    const other = await pool().connect()
    await other.query("BEGIN")
    await other.query("SELECT 1 FROM contacts WHERE id = $1 FOR NO KEY UPDATE", [ada])
    expect(await scoreWaiting(world.projectId, 10, new Date())).toBe(1)
    expect(await stored(ada)).toEqual({ score: null, tier: null })
    await other.query("COMMIT")
    other.release()
    expect(await scoreWaiting(world.projectId, 10, new Date())).toBe(1)
    expect(await stored(ada)).toEqual({ score: 60, tier: "warm" })
  })

  test("are made anew once a day for every contact, in steps that go on where the last one ended", async () => {
    await pool().query("DELETE FROM contacts")
    const ids = await addContacts(
      world,
      ["ada", "bob", "cem"].map((name) => ({ email: `${name}@x.example` })),
    )
    for (const name of ["ada", "bob", "cem"]) await send(`${name}@x.example`, ["delivered", "opened"])
    await pool().query("UPDATE engagement_pass SET due_at = now() - interval '1 second'")
    const scored = async () => (await Promise.all(ids.map(stored))).filter(({ tier }) => tier === "warm").length
    const now = days(1)
    expect(await stepScores(2, now)).toBe("more")
    expect(await scored()).toBe(2)
    expect(await stepScores(2, now)).toBe("ended")
    expect(await scored()).toBe(3)
    expect(await stepScores(2, now)).toBe("idle")
    expect(await stepScores(2, days(1.9))).toBe("idle")
    expect(await stepScores(2, days(2.1))).toBe("more")
  })

  test("cost a project without contacts nothing", async () => {
    await send("ada@x.example", ["sent", "delivered", "opened"])
    await dispatchAll()
    expect((await pool().query("SELECT 1 FROM segment_events WHERE project_id = $1", [world.projectId])).rows).toEqual(
      [],
    )
  })
})
