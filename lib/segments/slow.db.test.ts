import { beforeAll, expect, test, vi } from "vitest"
import { measured } from "@/e2e/support/measured"
import { api, newWorld, type World } from "@/e2e/support/world"
import { followScores } from "@/lib/contacts/engagement/data"
import { pool } from "@/lib/platform/database/db"
import { decodeId, encodeId } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import { sqlState } from "@/lib/platform/database/sql-errors"
import { createFollower } from "@/lib/segments/passes/worker"
import { claimPass, stepPass } from "@/lib/segments/passes/data"
import type { Group } from "@/lib/segments/rules"
import { addContacts, addDelivery, followAll, membersOf, newSegment } from "@/e2e/support/segments/audience"

const asksMail: Group = { all: [{ field: "engagement", event: "sent", operator: "within_days", days: 30 }] }
const asksName: Group = { all: [{ field: "firstName", operator: "equals", value: "Ada" }] }

let slow: World
let quick: World
let ids: string[]
let asking: string
beforeAll(async () => {
  slow = await newWorld()
  quick = await newWorld()
  ids = await addContacts(
    slow,
    ["a", "b"].map((name) => ({ email: `${name}@x.example` })),
  )
  for (const name of ["a", "b"]) await addDelivery(slow, `${name}@x.example`, { sentAt: new Date() })
  asking = await newSegment(slow, asksMail)
  await followAll()
})

/** Makes what filters ask of mail take 3 seconds a contact: more than a filter may, less than other statements may. */
async function slowly<T>(work: () => Promise<T>): Promise<T> {
  const { rows } = await pool().query("SELECT pg_get_functiondef('first_id_at'::regproc) AS body")
  await pool()
    .query(`CREATE OR REPLACE FUNCTION first_id_at(p_instant timestamptz) RETURNS uuid LANGUAGE plpgsql IMMUTABLE AS
    $$ BEGIN PERFORM pg_sleep(3); RETURN '00000000-0000-0000-0000-000000000000'; END $$`)
  return work().finally(() => pool().query(rows[0].body))
}

test("a filter that takes too long holds up neither other projects nor other segments, and its contacts are looked at when it can", async () => {
  const [name, other] = [await newSegment(slow, asksName), await newSegment(quick, asksName)]
  await pool().query("DELETE FROM segment_members WHERE segment_id = $1", [decodeId("seg", asking)])
  await addContacts(quick, [{ email: "ada@x.example", firstName: "Ada" }])
  await pool().query("UPDATE contacts SET first_name = 'Ada' WHERE project_id = $1", [slow.projectId])
  await slowly(async () => {
    const follow = createFollower(followScores)
    await follow()
    expect(await membersOf(other)).toEqual(["ada@x.example"])
    expect(await membersOf(asking)).toEqual([])
    await follow()
    await follow()
    expect(await membersOf(name)).toEqual(["a@x.example", "b@x.example"])
    expect(await membersOf(asking)).toEqual([])
  })
  await followAll()
  expect(await membersOf(asking)).toEqual(["a@x.example", "b@x.example"])
}, 60_000)

test("of many filters that take too long for a contact a round tries two, and every segment is evaluated in the next ones", async () => {
  const many = await newWorld()
  await addContacts(many, [{ email: "a@x.example" }])
  await addDelivery(many, "a@x.example", { sentAt: new Date() })
  for (let count = 0; count < 3; count++) await newSegment(many, asksMail)
  const name = await newSegment(many, asksName)
  await followAll()
  await pool().query("UPDATE contacts SET first_name = 'Ada' WHERE project_id = $1", [many.projectId])
  const warned = vi.spyOn(log, "warn").mockReturnValue()
  await slowly(async () => {
    const follow = createFollower(followScores)
    await follow()
    expect(warned).toHaveBeenCalledTimes(2)
    expect(await membersOf(name)).toEqual([])
    await follow()
    expect(warned).toHaveBeenCalledTimes(3)
    expect(await membersOf(name)).toEqual(["a@x.example"])
  }).finally(() => warned.mockRestore())
  await followAll()
}, 60_000)

test(
  "the step of a pass and the check of one contact end after 2 seconds, too",
  { ...measured, timeout: 60_000 },
  async () => {
    await pool().query("UPDATE segments SET pass_due_at = now() - interval '1 second' WHERE id = $1", [
      decodeId("seg", asking),
    ])
    const pass = await claimPass(slow.projectId, decodeId("seg", asking) ?? "", 60_000)
    if (!pass) throw new Error("There was no pass.")
    await slowly(async () => {
      const startedAt = performance.now()
      expect(sqlState(await stepPass(pass, 1).catch((error: unknown) => error))).toBe("57014")
      expect(performance.now() - startedAt).toBeLessThan(3_000)
      const preview = await api("POST /v1/projects/{projectId}/segments/preview", {
        key: slow.apiKey,
        params: { projectId: slow.project },
        body: { filter: asksMail, contactId: encodeId("con", ids[0] ?? "") },
      })
      expect(preview.json.code).toBe("service.unavailable")
    })
    expect(await stepPass(pass, 10)).toBe("ended")
  },
)
