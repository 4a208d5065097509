import { expect, test } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"

async function add({ projectId }: World, count: number, status: string, tag: string) {
  await pool().query(
    `INSERT INTO emails (id, project_id, group_id, status, admitted_status, domain_id, from_header, to_headers, cc_headers,
        bcc_headers, subject, message_id, tags)
      SELECT uuidv7(), $1, uuidv7(), $3, 'queued', (SELECT id FROM domains WHERE project_id = $1), 'hello@acme.test',
        '{ada@lovelace.example}', '{}', '{}', 'Number ' || n, '<' || n || '@acme.test>', jsonb_build_object('kind', $4::text)
        FROM generate_series(1, $2) AS n`,
    [projectId, count, status, tag],
  )
}

const counts = async (world: World, query: Record<string, string> = {}) =>
  (
    await api("GET /v1/projects/{projectId}/emails/counts", {
      key: world.apiKey,
      params: { projectId: world.project },
      query,
    })
  ).json

test("emails are counted by status in the order of their life, within the other filters and the project", async () => {
  const [world, other] = [await newWorld(), await newWorld()]
  await addVerifiedDomain(world)
  await addVerifiedDomain(other)
  await add(world, 3, "bounced", "a")
  await add(world, 5, "delivered", "a")
  await add(world, 2, "delivered", "b")
  await add(world, 1, "scheduled", "b")
  await add(other, 4, "clicked", "a")
  expect(await counts(world)).toEqual({
    total: 11,
    complete: true,
    statuses: [
      { status: "scheduled", count: 1 },
      { status: "delivered", count: 7 },
      { status: "bounced", count: 3 },
    ],
  })
  expect((await counts(world, { tag: "kind:b" })).statuses).toEqual([
    { status: "scheduled", count: 1 },
    { status: "delivered", count: 2 },
  ])
  expect(await counts(world, { tag: "kind:c" })).toEqual({ total: 0, complete: true, statuses: [] })
})

test("beyond 25,000 emails, and 1,000 matches, the counts are minimums and say so", async () => {
  const world = await newWorld()
  await addVerifiedDomain(world)
  await add(world, 25_001, "delivered", "a")
  expect(await counts(world)).toEqual({
    total: 25_000,
    complete: false,
    statuses: [{ status: "delivered", count: 25_000 }],
  })
  expect(await counts(world, { search: "number" })).toEqual({
    total: 1_000,
    complete: false,
    statuses: [{ status: "delivered", count: 1_000 }],
  })
})
