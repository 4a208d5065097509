import fc from "fast-check"
import { beforeAll, describe, expect, test, vi } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newWorld, type World } from "@/e2e/support/world"
import { wordsOf, lineOf, hasWords } from "@/lib/emails/search/rules"
import { groupSize, indexQueued } from "@/lib/emails/search/data"
import { pool } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import { removalSteps } from "@/lib/worker/removal-sql"
import { assertInTime } from "@/e2e/support/properties"

type Mail = {
  subject: string
  to?: string[]
  cc?: string[]
  bcc?: string[]
  from?: string
  tags?: Record<string, string>
  status?: string
  /** Milliseconds after the others of its kind; its id says so. */
  at?: number
}

const start = Date.parse("2026-03-01T00:00:00Z")

/** Emails as the accept path leaves them, one a second from `start`; their ids, in the order given. */
async function add({ projectId }: World, mails: Mail[]): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `INSERT INTO emails (id, project_id, group_id, status, admitted_status, domain_id, from_header, to_headers, cc_headers, bcc_headers,
        subject, message_id, tags)
      SELECT (left(first_id_at(to_timestamp(m.at / 1000.0))::text, 15) || substr(gen_random_uuid()::text, 16))::uuid, $1,
          gen_random_uuid(), coalesce(m.status, 'delivered'), 'queued', (SELECT id FROM domains WHERE project_id = $1 LIMIT 1),
          coalesce(m."from", 'Shop <shop@acme.test>'), ARRAY(SELECT json_array_elements_text(m."to")),
          ARRAY(SELECT json_array_elements_text(m.cc)), ARRAY(SELECT json_array_elements_text(m.bcc)), m.subject,
          '<' || m.n || '@acme.test>', m.tags
        FROM json_to_recordset($2) AS m(n int, at float8, subject text, "from" text, status text, "to" json, cc json, bcc json, tags jsonb)
        ORDER BY m.n
      RETURNING id`,
    [
      projectId,
      JSON.stringify(
        mails.map((mail, n) => ({
          to: ["ada@lovelace.example"],
          cc: [],
          bcc: [],
          ...mail,
          n,
          at: mail.at ?? start + n * 1_000,
        })),
      ),
    ],
  )
  return rows.map(({ id }) => id)
}

async function list(world: World, query: Record<string, string>) {
  const { status, json } = await api("GET /v1/projects/{projectId}/emails", {
    key: world.apiKey,
    params: { projectId: world.project },
    query: { size: "100", ...query },
  })
  expect({ status, code: json.code }).toEqual({ status: 200, code: undefined })
  return json as {
    data: { id: string; subject: string }[]
    page: { total: number; hasNextPage: boolean }
    totalIsMinimum?: true
  }
}

const subjects = async (world: World, search: string, query: Record<string, string> = {}) =>
  (await list(world, { search, ...query })).data.map(({ subject }) => subject)

const filler = (count: number, mail: Partial<Mail> = {}) =>
  Array.from({ length: count }, (_, n) => ({ subject: `Filler ${n}`, to: [`nobody${n}@void.example`], ...mail }))

const known: Mail[] = [
  { subject: "Your receipt", to: ["Tariq Novak <novak.tariq@inbox.example>"] },
  { subject: "Invoice 8841 for Mila Novák", from: "Billing <billing@acme.test>" },
  { subject: "Nothing special", cc: ["Zoë Ångström <zoe@lakeside.example>"] },
  { subject: "Blind", bcc: ["secret.reader@inbox.example"] },
  { subject: "Labelled", tags: { kind: "receipt", "plan:a": "pro-2" } },
  { subject: "100% off_today \\ now" },
  { subject: "1000 offXtoday" },
  { subject: "注文の確認 王偉" },
  { subject: "Rocket 🚀 launch" },
]

describe.each(["in the queue", "in the index"])("An email %s", (where) => {
  let world: World
  let ids: string[]
  beforeAll(async () => {
    world = await newWorld()
    await addVerifiedDomain(world)
    ids = await add(world, known)
    if (where === "in the index") {
      await add(world, filler(groupSize - known.length, { at: start + 3_600_000 }))
      await indexQueued()
      const { rows } = await pool().query("SELECT 1 FROM email_search_queue WHERE project_id = $1", [world.projectId])
      expect(rows).toEqual([])
    }
  })

  test("is found by a part of its recipients, their names, its sender, subject or tag, without case and accents", async () => {
    expect(await subjects(world, "novak")).toEqual(["Invoice 8841 for Mila Novák", "Your receipt"])
    expect(await subjects(world, "OVAK.TAR")).toEqual(["Your receipt"])
    expect(await subjects(world, "tariq novak")).toEqual(["Your receipt"])
    expect(await subjects(world, "billing@")).toEqual(["Invoice 8841 for Mila Novák"])
    expect(await subjects(world, "angstrom")).toEqual(["Nothing special"])
    expect(await subjects(world, "secret.read")).toEqual(["Blind"])
    expect(await subjects(world, "kind:rec")).toEqual(["Labelled"])
    expect(await subjects(world, "pro-2")).toEqual(["Labelled"])
    expect(await subjects(world, "王偉")).toEqual(["注文の確認 王偉"])
    expect(await subjects(world, "🚀")).toEqual(["Rocket 🚀 launch"])
  })

  test("holds every word of the search, in any order and field", async () => {
    expect(await subjects(world, "mila invoice billing")).toEqual(["Invoice 8841 for Mila Novák"])
    expect(await subjects(world, "novak receipt")).toEqual(["Your receipt"])
    expect(await subjects(world, "novak nothing")).toEqual([])
  })

  test("is found by one and by two characters", async () => {
    expect(await subjects(world, "王")).toEqual(["注文の確認 王偉"])
    expect(await subjects(world, "\\")).toEqual(["100% off_today \\ now"])
    expect(await subjects(world, "88")).toEqual(["Invoice 8841 for Mila Novák"])
    expect(await subjects(world, "qz")).toEqual([])
  })

  test("is not found by what a pattern would match: each character matches itself", async () => {
    expect(await subjects(world, "100%")).toEqual(["100% off_today \\ now"])
    expect(await subjects(world, "off_today")).toEqual(["100% off_today \\ now"])
    expect(await subjects(world, "%")).toEqual(["100% off_today \\ now"])
    expect(await subjects(world, "re.*pt")).toEqual([])
    expect(await subjects(world, "' OR 1=1 --")).toEqual([])
  })

  test("is found by its id and by the beginning of it", async () => {
    const id = encodeId("email", ids[1] ?? "")
    expect(await subjects(world, id)).toEqual(["Invoice 8841 for Mila Novák"])
    expect(await subjects(world, id.slice("email_".length))).toEqual(["Invoice 8841 for Mila Novák"])
    expect(await subjects(world, id.slice(0, -2))).toEqual(["Invoice 8841 for Mila Novák"])
    expect(await subjects(world, "email_7zzzzzzzzz")).toEqual([])
  })

  test("is found with other filters, exported, counted, and nowhere but in its project", async () => {
    expect(await subjects(world, "novak", { subject: "invoice", status: "delivered" })).toEqual([
      "Invoice 8841 for Mila Novák",
    ])
    expect(await subjects(world, "novak", { status: "bounced" })).toEqual([])
    expect(await subjects(world, "novak", { before: new Date(start + 500).toISOString() })).toEqual(["Your receipt"])
    expect(await subjects(world, "novak", { after: new Date(start + 500).toISOString() })).toEqual([
      "Invoice 8841 for Mila Novák",
    ])
    const params = { projectId: world.project }
    const { response } = await api("GET /v1/projects/{projectId}/emails/export", {
      key: world.apiKey,
      params,
      query: { search: "novak" },
    })
    const lines = (await response.text()).trimEnd().split("\r\n").slice(1)
    expect(lines.map((line) => /Your receipt|Invoice 8841/.exec(line)?.[0])).toEqual(["Invoice 8841", "Your receipt"])
    const { json } = await api("GET /v1/projects/{projectId}/emails/counts", {
      key: world.apiKey,
      params,
      query: { search: "novak" },
    })
    expect(json).toEqual({ total: 2, complete: true, statuses: [{ status: "delivered", count: 2 }] })
    const other = await newWorld()
    await addVerifiedDomain(other)
    await add(other, filler(groupSize, { subject: "Another novak" }))
    await indexQueued()
    expect(await subjects(other, "tariq")).toEqual([])
    expect(await subjects(other, encodeId("email", ids[0] ?? ""))).toEqual([])
    expect(await subjects(world, "another")).toEqual([])
  })

  test("is found once and newest first, page by page, whenever it was written", async () => {
    const paged = await newWorld()
    await addVerifiedDomain(paged)
    const many = Array.from({ length: 5 * groupSize + 7 }, (_, n) => ({
      subject: `Number ${n}`,
      at: start + n * 1_000,
    }))
    const late = many.filter((_, n) => n % 10 === 3)
    await add(
      paged,
      many.filter((_, n) => n % 10 !== 3),
    )
    if (where === "in the index") await indexQueued()
    await add(paged, late)
    if (where === "in the index") await indexQueued()
    const all: string[] = []
    for (let page = 1; ; page++) {
      const { data, page: about } = await list(paged, { search: "number", size: "20", page: String(page) })
      all.push(...data.map(({ subject }) => subject))
      if (!about.hasNextPage) break
    }
    expect(all).toEqual(many.map(({ subject }) => subject).toReversed())
  })
})

test("the search decides as the rules do, for any emails and any words", async () => {
  const world = await newWorld()
  await addVerifiedDomain(world)
  const word = fc.constantFrom(..."ada ann annex novak order orders 8841 88 é É ß 王偉 a%b a_b n".split(" "))
  const field = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "))
  const mails = fc.sample(
    fc.record({ subject: field, to: fc.array(field, { minLength: 1, maxLength: 2 }), from: field }),
    {
      numRuns: 3 * groupSize + 20,
      seed: 12,
    },
  )
  const ids = await add(world, mails)
  await indexQueued()
  const lines = mails.map(({ subject, to, from }) =>
    lineOf({ fromHeader: from, toHeaders: to, ccHeaders: [], bccHeaders: [], subject, tags: null }),
  )
  await assertInTime(
    fc.asyncProperty(field, async (search) => {
      const expected = ids.filter((_, at) => hasWords(lines[at] ?? "", wordsOf(search))).toReversed()
      const { data, page } = await list(world, { search })
      expect(data.map(({ id }) => id)).toEqual(expected.slice(0, 100).map((id) => encodeId("email", id)))
      expect(page.total).toBe(expected.length)
    }),
    { numRuns: 60 },
  )
})

test("a list of matches ends at 1,000 and says that there are more", async () => {
  const world = await newWorld()
  await addVerifiedDomain(world)
  await add(world, filler(1_100))
  const listed = await list(world, { search: "filler", page: "10" })
  expect({
    dataCount: listed.data.length,
    total: listed.page.total,
    hasNextPage: listed.page.hasNextPage,
    totalIsMinimum: listed.totalIsMinimum,
  }).toEqual({ dataCount: 100, total: 1_000, hasNextPage: false, totalIsMinimum: true })
  const { response } = await api("GET /v1/projects/{projectId}/emails/export", {
    key: world.apiKey,
    params: { projectId: world.project },
    query: { search: "filler" },
  })
  expect((await response.text()).trimEnd().split("\r\n")).toHaveLength(1_101)
})

test("half of a character finds nothing, a NUL and a blank are refused, and a search that the database ends is no fault of ours", async () => {
  const world = await newWorld()
  await addVerifiedDomain(world)
  await add(world, [{ subject: "Rocket 🚀 launch" }])
  expect(await subjects(world, "\ud83d")).toEqual([])
  expect(await subjects(world, "\u0301")).toEqual([])
  const ask = (search: string) =>
    api("GET /v1/projects/{projectId}/emails", {
      key: world.apiKey,
      params: { projectId: world.project },
      query: { search },
    })
  for (const search of ["a\0b", "  ", "x".repeat(201)]) {
    const { status, json } = await ask(search)
    expect({ status, pointer: json.errors?.[0]?.pointer }).toEqual({ status: 400, pointer: "query/search" })
  }
  const query = pool().query.bind(pool())
  const cancelled = Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" })
  const asked = vi
    .spyOn(pool(), "query")
    .mockImplementation((...given: Parameters<typeof query>) =>
      String(given[0]).includes("email_search_groups") ? Promise.reject(cancelled) : query(...given),
    )
  const { status, headers } = await ask("rocket")
  asked.mockRestore()
  expect({ status, retryAfter: headers.get("retry-after") }).toEqual({ status: 503, retryAfter: expect.any(String) })
})

test("what leaves the log leaves the search, and a removed project leaves nothing of it", async () => {
  const world = await newWorld()
  await addVerifiedDomain(world)
  const ids = await add(world, [...filler(groupSize + 5), { subject: "Forget me" }])
  await indexQueued()
  await pool().query("DELETE FROM emails WHERE id = $1", [ids.at(-1)])
  await pool().query("DELETE FROM emails WHERE id = $1", [ids[0]])
  expect(await subjects(world, "forget")).toEqual([])
  expect(await subjects(world, "nobody0@")).toEqual([])
  for (const step of removalSteps.filter(({ table }) => table.startsWith("email_search")))
    while ((await step.run(pool(), world.projectId)) !== null) continue
  const { rows } = await pool().query(
    `SELECT 1 FROM email_search_queue WHERE project_id = $1 UNION ALL SELECT 1 FROM email_search_groups WHERE project_id = $1`,
    [world.projectId],
  )
  expect(rows).toEqual([])
})
