import fc from "fast-check"
import { beforeAll, expect, test } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { newWorld, type World } from "@/e2e/support/world"
import { indexQueued, searchEmails, searchGroups } from "@/lib/emails/search/data"
import { pool } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"
import { assertInTime } from "@/e2e/support/properties"

const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff"
const names = ["ada", "ben", "clara", "diego", "elif"]
const emailCount = 64 * 60

let world: World
let scope: Scope

beforeAll(async () => {
  world = await newWorld()
  await addVerifiedDomain(world)
  scope = { project: { id: world.projectId } } as Scope
  // Ids in the order of time, as the accept makes them, and some of another time: groups that reach into each other.
  await pool().query(
    `INSERT INTO emails (id, project_id, group_id, status, admitted_status, domain_id, from_header, to_headers, cc_headers,
        bcc_headers, subject, message_id, tags)
      SELECT (left(first_id_at(to_timestamp(1772000000 + CASE WHEN n % 97 = 0 THEN n * 7 % $3 ELSE n END))::text, 15)
            || substr(md5(n::text || 'a'), 1, 3) || '-8' || substr(md5(n::text), 1, 3) || '-' || substr(md5(n::text), 4, 12))::uuid,
          $1, gen_random_uuid(), CASE WHEN n % 11 = 0 THEN 'sent' ELSE 'delivered' END, 'queued', (SELECT id FROM domains WHERE project_id = $1 LIMIT 1),
          'Shop <shop@acme.test>', ARRAY[($2::text[])[1 + n % 5] || n % 400 || '@mail.example'], '{}', '{}', 'Order ' || n, '<' || n || '@acme.test>', '{}'
        FROM generate_series(1, $3::int) n`,
    [world.projectId, names, emailCount],
  )
  while (await indexQueued());
}, 60_000)

test("the newest groups and the index answer the same, wherever the search has come to", async () => {
  const words = fc.constantFrom(
    "order",
    "ada",
    "ben1",
    "clara39",
    "order 38",
    "order 3840",
    "nobody",
    "a",
    "mail elif",
    "12",
  )
  await assertInTime(
    fc.asyncProperty(words, fc.integer({ min: 1, max: emailCount }), fc.boolean(), async (typed, from, sent) => {
      const filter = sent ? { statuses: ["sent"] } : {}
      const behind = await idAt(from)
      const both = await Promise.all(
        (["newest", "indexed"] as const).map((way) =>
          searchGroups(scope, typed.split(" "), filter, { behind, groups: 10_000, way }),
        ),
      )
      const [newest, indexed] = both.map(({ found }) => found.map(({ id }) => id).sort())
      expect(newest).toEqual(indexed)
    }),
    { numRuns: 40 },
  )
})

test.each([
  ["order", emailCount],
  ["ada", emailCount / 5],
  ["order 3840", 1],
  ["nobody", 0],
])("%s is found in every email that holds it, once and newest first, whichever way was gone", async (typed, count) => {
  const found: string[] = []
  for await (const { matches } of searchEmails(scope, typed.split(" "), {})) found.push(...matches.map(({ id }) => id))
  expect(found).toHaveLength(count)
  expect(found).toEqual([...new Set(found)].sort().reverse())
})

/** The end of the group that lies so far back. */
async function idAt(emails: number): Promise<string> {
  const { rows } = await pool().query<{ id: string }>(
    "SELECT last_id AS id FROM email_search_groups WHERE project_id = $1 ORDER BY last_id DESC OFFSET $2 LIMIT 1",
    [world.projectId, Math.floor(emails / 64)],
  )
  return rows[0]?.id ?? lastId
}
