import { describe, expect, test } from "vitest"
import { expectProblem } from "@/e2e/support/expect-problem"
import { expectWithin } from "@/e2e/support/within"
import { api, newMember, newSession, newWorld, sessionCookie } from "@/e2e/support/world"
import { openSession } from "@/lib/access/credentials/data"
import { pool } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"

describe("the list of one's sessions", () => {
  test("says of each where, how and with what it was opened, and which of them asks", async () => {
    const { userId } = await newWorld()
    const elsewhere = await openSession(userId, { by: "link", ip: "192.0.2.7", userAgent: firefox })
    const { json } = await api("GET /v1/sessions", { cookie: await newSession(userId) })
    expect(json.data.map(({ current }: { current: boolean }) => current)).toEqual([true, false])
    expect(json.data[1]).toMatchObject({
      id: encodeId("ses", elsewhere ?? ""),
      ...{ signedInBy: "link", ip: "192.0.2.7", browser: "Firefox", system: "Linux" },
    })
    expect(JSON.stringify(json)).not.toContain("Gecko")
  })

  test("leaves out sessions that were ended, are idle or too old, and those of others", async () => {
    const world = await newWorld()
    await newMember(world, "admin")
    for (const change of ["revoked_at = now()", "expires_at = now()", "last_seen_at = now() - interval '25 hours'"]) {
      const id = await openSession(world.userId, {})
      await pool().query(`UPDATE sessions SET ${change} WHERE id = $1`, [id])
    }
    const { json } = await api("GET /v1/sessions", { cookie: await newSession(world.userId) })
    expect(json.data).toHaveLength(1)
  })
})

describe("signing out one session", () => {
  test("ends that one within a second, leaves the others, and is in the audit log", async () => {
    const { userId, organizationId } = await newWorld()
    const id = (await openSession(userId, { ip: "192.0.2.8", userAgent: firefox })) ?? expect.fail("no session")
    const [lost, here, other] = [await sessionCookie(id), await newSession(userId), await newSession(userId)]
    expect((await api("GET /v1/session", { cookie: lost })).status).toBe(200)
    const params = { sessionId: encodeId("ses", id) }
    expect((await api("DELETE /v1/sessions/{sessionId}", { cookie: here, params })).status).toBe(204)
    await expectWithin(1_200, async () => (await api("GET /v1/session", { cookie: lost })).status, 401)
    for (const cookie of [here, other]) expect((await api("GET /v1/session", { cookie })).status).toBe(200)
    expectProblem(await api("DELETE /v1/sessions/{sessionId}", { cookie: here, params }), 404, "session.not_found")
    expect(await entriesOf(organizationId)).toEqual([
      {
        action: "user.session_ended",
        changes: expect.objectContaining({ ip: "192.0.2.8", browser: "Firefox", system: "Linux" }),
      },
    ])
  })

  test("is not somebody else's to do, and does not tell whether the session exists", async () => {
    const world = await newWorld()
    const { cookie } = await newMember(world, "owner")
    const id = (await openSession(world.userId, {})) ?? expect.fail("no session")
    const params = { sessionId: encodeId("ses", id) }
    expectProblem(await api("DELETE /v1/sessions/{sessionId}", { cookie, params }), 404, "session.not_found")
    expect((await api("GET /v1/session", { cookie: await sessionCookie(id) })).status).toBe(200)
  })
})

test("signing out all others keeps the session that asks, and ends every other one of the person", async () => {
  const world = await newWorld()
  const member = await newMember(world, "admin")
  const [here, there] = [await newSession(world.userId), await newSession(world.userId)]
  const query = { keepCurrent: "true" }
  expect((await api("DELETE /v1/sessions", { cookie: here, query })).status).toBe(204)
  await expectWithin(1_200, async () => (await api("GET /v1/session", { cookie: there })).status, 401)
  for (const cookie of [here, member.cookie]) expect((await api("GET /v1/session", { cookie })).status).toBe(200)
  expect(await entriesOf(world.organizationId)).toMatchObject([{ action: "user.signed_out_elsewhere" }])
})

async function entriesOf(organizationId: string) {
  const { rows } = await pool().query<{ action: string; changes: Record<string, unknown> }>(
    "SELECT action, changes FROM audit_entries WHERE organization_id = $1 AND action LIKE 'user.%' ORDER BY id",
    [organizationId],
  )
  return rows
}
