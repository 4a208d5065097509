import { expectProblem } from "@/e2e/support/expect-problem"
import { beforeAll, describe, expect, test } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"

type Page = {
  data: { id: string; email: string }[]
  page: { total: number; hasNextPage: boolean }
  cursor: { nextCursor: string | null; previousCursor: string | null }
}

let world: World
const segment = newId()
beforeAll(async () => {
  world = await newWorld()
  await pool().query("INSERT INTO segments (id, project_id, name) VALUES ($1, $2, 'Threes')", [
    segment,
    world.projectId,
  ])
  for (let at = 0; at < 60; at++) await addContact(at)
})

async function addContact(at: number) {
  const id = newId()
  const values = [id, world.projectId, `n${at}@list.example`, at % 2 ? "Odd" : "Even", at < 7]
  await pool().query(
    "INSERT INTO contacts (id, project_id, email, first_name, unsubscribed) VALUES ($1, $2, $3, $4, $5)",
    values,
  )
  if (at % 3) return
  await pool().query(
    "INSERT INTO segment_members (project_id, segment_id, contact_id, origin) VALUES ($1, $2, $3, 'added')",
    [world.projectId, segment, id],
  )
}

const read = (query: Record<string, string | number>, of = world) =>
  api("GET /v1/projects/{projectId}/contacts", { key: of.apiKey, params: { projectId: of.project }, query })
const emails = ({ data }: Page) => data.map(({ email }) => email)

async function readOn(filter: Record<string, string>): Promise<string[]> {
  const seen: string[] = []
  for (let after: string | null = ""; after !== null;) {
    const json: Page = (await read({ ...filter, size: 7, ...(after ? { after } : {}) })).json
    expect(json.page.hasNextPage).toBe(json.cursor.nextCursor !== null)
    seen.push(...emails(json))
    after = json.cursor.nextCursor
  }
  return seen
}

describe("the list read on from cursors", () => {
  test("gives what the pages give, once each and in order, under every filter", async () => {
    const filters: Record<string, string>[] = [
      {},
      { search: "odd" },
      { unsubscribed: "true" },
      { unsubscribed: "false" },
      { segmentId: encodeId("seg", segment) },
      { segmentId: encodeId("seg", segment), search: "even" },
    ]
    for (const filter of filters) {
      const whole: Page = (await read({ ...filter, size: 100 })).json
      expect(await readOn(filter), JSON.stringify(filter)).toEqual(emails(whole))
      expect(whole.data.length).toBeGreaterThan(6)
    }
  })

  test("leads back to where it came from", async () => {
    const first: Page = (await read({ size: 20 })).json
    const second: Page = (await read({ size: 20, after: first.cursor.nextCursor ?? "" })).json
    expect(second.page.total).toBe(first.page.total)
    const back: Page = (await read({ size: 20, after: second.cursor.previousCursor ?? "" })).json
    expect({ emails: emails(back), previousCursor: back.cursor.previousCursor }).toEqual({
      emails: emails(first),
      previousCursor: null,
    })
    expect((await read({ page: 2, size: 20 })).json.cursor).toEqual(second.cursor)
  })

  test("is not shifted by contacts that come and go meanwhile", async () => {
    const first: Page = (await read({ size: 10 })).json
    await addContact(1_000)
    await pool().query("DELETE FROM contacts WHERE id = $1", [decodeId("con", first.data[9]?.id ?? "")])
    const second: Page = (await read({ size: 3, after: first.cursor.nextCursor ?? "" })).json
    expect(emails(second)).toEqual(["n49@list.example", "n48@list.example", "n47@list.example"])
  })

  test("leads back from a page whose contacts have all gone meanwhile, to the one there was before it", async () => {
    const other = await newWorld()
    const ids = Array.from({ length: 6 }, () => newId())
    for (const [nth, id] of ids.entries())
      await pool().query("INSERT INTO contacts (id, project_id, email) VALUES ($1, $2, $3)", [
        ...[id, other.projectId, `g${nth}@gone.example`],
      ])
    const remove = (...nths: number[]) =>
      pool().query("DELETE FROM contacts WHERE id = ANY ($1::uuid[])", [nths.map((nth) => ids[nth])])
    const names = (page: Page) => emails(page).map((email) => email.slice(0, 2))
    const go = async (cursor: string | null): Promise<Page> =>
      (await read({ size: 2, ...(cursor !== null && { after: cursor }) }, other)).json

    const first = await go(null)
    const second = await go(first.cursor.nextCursor)
    expect([names(first), names(second)]).toEqual([
      ["g5", "g4"],
      ["g3", "g2"],
    ])
    await remove(0, 1)
    const emptied = await go(second.cursor.nextCursor)
    expect({ data: emptied.data, nextCursor: emptied.cursor.nextCursor }).toEqual({ data: [], nextCursor: null })
    expect(names(await go(emptied.cursor.previousCursor))).toEqual(["g3", "g2"])

    await remove(4, 5)
    const before = await go(second.cursor.previousCursor)
    expect({ data: before.data, previousCursor: before.cursor.previousCursor }).toEqual({
      data: [],
      previousCursor: null,
    })
    expect(names(await go(before.cursor.nextCursor))).toEqual(["g3", "g2"])
  })

  test("goes on from page and cursor beyond a total that stops at 10,000", async () => {
    const other = await newWorld()
    await pool().query(
      `INSERT INTO contacts (id, project_id, email, first_name)
        SELECT gen_random_uuid(), $1, 'm' || n || '@many.example', 'Many' FROM generate_series(1, 10150) n`,
      [other.projectId],
    )
    const readMany = async (place: Record<string, string | number>) => {
      const { data, page, cursor }: Page = (await read({ search: "many", size: 100, ...place }, other)).json
      return { emails: data.map(({ email }) => email), hasNextPage: page.hasNextPage, next: cursor.nextCursor }
    }
    const hundredth = await readMany({ page: 100 })
    expect(hundredth).toMatchObject({ hasNextPage: true, next: expect.any(String) })
    const behind = await readMany({ page: 101 })
    expect(behind).toMatchObject({ hasNextPage: true, next: expect.any(String) })
    expect(behind.emails).toHaveLength(100)
    expect((await readMany({ after: hundredth.next ?? "" })).emails).toEqual(behind.emails)
    const last = await readMany({ page: 102 })
    expect({ rows: last.emails.length, hasNextPage: last.hasNextPage, next: last.next }).toEqual({
      rows: 50,
      hasNextPage: false,
      next: null,
    })
  })

  test("takes a cursor of these filters and this project alone", async () => {
    const { nextCursor }: Page["cursor"] = (await read({ size: 5 })).json.cursor
    const other = await newWorld()
    for (const answer of [
      await read({ after: nextCursor ?? "", search: "odd" }),
      await read({ after: nextCursor ?? "" }, other),
      await read({ after: "x" }),
    ]) {
      expectProblem(answer, 404, "cursor.not_found")
    }
  })
})
