import { expectProblem } from "@/e2e/support/expect-problem"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import { size } from "@/e2e/support/chaos/size"
import { api, newWorld, type World } from "@/e2e/support/world"
import { contacts, createImporting, imports, leaseMs, work, type Importing } from "@/e2e/support/contacts/importing"
import { claimImports, type DueImport, holdImports, writeBatch } from "@/lib/contacts/imports/run/data"
import { runImport } from "@/lib/contacts/imports/run/worker"
import { pool } from "@/lib/platform/database/db"
import { createRotation } from "@/lib/platform/jobs/rotation"
import { statementsOf } from "@/lib/platform/database/migrations"
import { decodeId } from "@/lib/platform/ids"
import { storage } from "@/lib/platform/storage/storage"

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

let world: World
let at: Importing["at"]
let post: Importing["post"]
let contact: Importing["contact"]
let imported: Importing["imported"]
let upload: Importing["upload"]
let bring: Importing["bring"]

beforeEach(async () => {
  world = await newWorld()
  ;({ at, post, contact, imported, upload, bring } = createImporting(world))
  for (const [key, type] of [
    ["plan", "string"],
    ["seats", "number"],
  ])
    await post("/v1/projects/{projectId}/contact-properties", { key, type })
})

afterEach(async () => {
  await pool().query("UPDATE imports SET due_at = NULL")
})

describe("an import", () => {
  test("reads what a spreadsheet in another language saves, and tells lines as an editor does", async () => {
    const done = await bring(
      '\uFEFFsep=;\r\n;;;\r\n"Address";"E-Mail\r\nAdr.";"Seats";"Abgemeldet"\r\nMain St 1;ada@x.test;"6.489,61";WAHR\r\n;;;\r\nMain St 2;grace@x.test;7;nein\r\nMain St 3;mary@x.test;7;vielleicht\r\n;;;\r\n;;;\r\n',
    )
    expect(done).toMatchObject({ status: "completed", processed: 3, created: 2, failed: 1, bytesRead: done.bytes })
    expect(done.columns).toMatchObject([
      { name: "Address", target: null },
      { name: "E-Mail Adr.", target: "email" },
      { name: "Seats", target: "properties.seats" },
      { name: "Abgemeldet", target: "unsubscribed" },
    ])
    expect(await contact("ada@x.test")).toMatchObject({ unsubscribed: true, properties: { seats: "6489.61" } })
    expect((await contact("grace@x.test")).unsubscribed).toBe(false)
    const errors = await api(`GET ${imports}/{importId}/errors`, {
      ...at(),
      params: { projectId: world.project, importId: done.id },
    })
    expect(errors.json.data).toMatchObject([{ line: 8, faults: [{ column: "Abgemeldet" }] }])
  })

  test("finds the one column of addresses by its values, and none among several", async () => {
    expect(await bring("Kontakt,Ort\nada@x.test,Bern\n")).toMatchObject({ created: 1 })
    const several = await upload("Kunde,Betreuer\nada@x.test,grace@x.test\n")
    expect({ status: several.status, detail: several.json.errors[0].detail }).toEqual({
      status: 400,
      detail: "No column holds the email addresses.",
    })
  })

  test("adds contacts with their fields and properties, and tells what became of each row", async () => {
    const done = await bring(
      'E-Mail;First name;Plan;seats;Notes\nAda@Lovelace.example;Ada;"pro; yearly";+007;x\n\ngrace@hopper.example;;;;\n',
    )
    expect(done).toMatchObject({
      status: "completed",
      processed: 2,
      created: 2,
      updated: 0,
      skipped: 0,
      failed: 0,
      bytesRead: done.bytes,
    })
    expect(done.columns.map(({ target }: { target: string }) => target)).toEqual([
      "email",
      "firstName",
      "properties.plan",
      "properties.seats",
      null,
    ])
    expect(await contact("ada@lovelace.example")).toMatchObject({
      firstName: "Ada",
      properties: { plan: "pro; yearly", seats: "7" },
    })
    expect(await (await storage()).get(`imports/${world.projectId}/x.csv`)).toBeNull()
  })

  test("lays rows over contacts that are there, and leaves alone what a row leaves empty", async () => {
    await post(contacts, {
      email: "ada@lovelace.example",
      firstName: "Ada",
      phone: "1",
      properties: { plan: "free", seats: "3" },
    })
    const done = await bring("email,first,phone,plan\nada@lovelace.example,,22,pro\nADA@lovelace.example,Augusta,,\n")
    expect(done).toMatchObject({ processed: 2, created: 0, updated: 2, skipped: 0 })
    expect(await contact("ada@lovelace.example")).toMatchObject({
      firstName: "Augusta",
      phone: "22",
      properties: { plan: "pro", seats: "3" },
    })
  })

  test("skips contacts that are there when it is told to", async () => {
    await post(contacts, { email: "ada@lovelace.example", firstName: "Ada" })
    const done = await bring(
      "email,first\nada@lovelace.example,X\ngrace@hopper.example,Grace\ngrace@hopper.example,Y\n",
      { mode: "skip" },
    )
    expect(done).toMatchObject({ processed: 3, created: 1, updated: 0, skipped: 2 })
    expect((await contact("ada@lovelace.example")).firstName).toBe("Ada")
    expect((await contact("grace@hopper.example")).firstName).toBe("Grace")
  })

  test("reports every bad row with its line, column and reason, and takes the good ones", async () => {
    const done = await bring(
      'email,seats\nnobody,1\nada@lovelace.example,many\n"two\n lines",x\ngrace@hopper.example,5\n',
    )
    expect(done).toMatchObject({ status: "completed", processed: 4, created: 1, failed: 3 })
    const { json } = await api(`GET ${imports}/{importId}/errors`, {
      key: world.apiKey,
      params: { projectId: world.project, importId: done.id },
    })
    expect(
      json.data.map(({ line, faults }: { line: number; faults: { column: string }[] }) => [
        line,
        faults.map(({ column }) => column),
      ]),
    ).toEqual([
      [2, ["email"]],
      [3, ["seats"]],
      [4, ["email", "seats"]],
    ])
    expect(json.data.map(({ row }: { row: string }) => row)).toEqual([
      "nobody,1",
      "ada@lovelace.example,many",
      "two\n lines,x",
    ])
    expect(json.page.total).toBe(3)
  })

  test("takes files of every encoding that spreadsheets write, and says which it was", async () => {
    const text = (address: string) => `E-Mail;Vorname;Nachname\n${address};Jörg;Weiß\n`
    const wide = (address: string) => Buffer.from(`\uFEFF${text(address)}`, "utf16le")
    const files = [
      ["utf-8", "u8@x.example", Buffer.from(text("u8@x.example"))],
      ["windows-1252", "l1@x.example", Buffer.from(text("l1@x.example"), "latin1")],
      ["utf-16le", "le@x.example", wide("le@x.example")],
      ["utf-16be", "be@x.example", wide("be@x.example").swap16()],
    ] as const
    for (const [encoding, address, file] of files) {
      expect(await bring(file)).toMatchObject({ encoding, created: 1, failed: 0, columns: { length: 3 } })
      expect(await contact(address)).toMatchObject({ firstName: "Jörg", lastName: "Weiß" })
    }
    const broken = Buffer.concat([
      Buffer.from(text("ok@x.example")),
      Buffer.from("bad@x.example;J\xf6rg;x\n", "latin1"),
    ])
    expect(await bring(broken)).toMatchObject({ encoding: "utf-8", created: 1, failed: 1 })
  })

  test("that is a dry run writes nothing and counts the same", async () => {
    await post(contacts, { email: "ada@lovelace.example", firstName: "Ada" })
    const csv = "email,first\nada@lovelace.example,X\ngrace@hopper.example,Grace\nnobody,\n"
    const dry = await bring(csv, { dryRun: "true" })
    expect({
      firstName: (await contact("ada@lovelace.example")).firstName,
      contact: await contact("grace@hopper.example"),
    }).toEqual({ firstName: "Ada", contact: undefined })
    const { processed, created, updated, skipped, failed } = await bring(csv)
    expect(dry).toMatchObject({ status: "completed", dryRun: true, processed, created, updated, skipped, failed })
  })

  test("takes each of several columns of the same name to where the list of targets says", async () => {
    await bring("mail,note,note\nada@lovelace.example,Ada,pro\n", {
      mapping: '["email","firstName","properties.plan"]',
    })
    expect(await contact("ada@lovelace.example")).toMatchObject({ firstName: "Ada", properties: { plan: "pro" } })
  })

  test("sets unsubscribed and never clears it, whatever the row says", async () => {
    await post(contacts, { email: "ada@lovelace.example", unsubscribed: true })
    await bring("email,unsubscribed\nada@lovelace.example,false\ngrace@hopper.example,yes\nalan@turing.example,no\n")
    const states = ["ada@lovelace.example", "grace@hopper.example", "alan@turing.example"].map(
      async (email) => (await contact(email)).unsubscribed,
    )
    expect(await Promise.all(states)).toEqual([true, true, false])
    const { json } = await api("GET /v1/projects/{projectId}/suppressions", at())
    expect(json.data.map(({ email, reason }: { email: string; reason: string }) => [email, reason]).sort()).toEqual([
      ["ada@lovelace.example", "unsubscribe"],
      ["grace@hopper.example", "unsubscribe"],
    ])
  })

  test("lets its contacts join a segment", async () => {
    const segment = await post("/v1/projects/{projectId}/segments", { name: "Imported" })
    await bring("email\nada@lovelace.example\ngrace@hopper.example\n", { segmentId: segment.json.id })
    expect((await contact("ada@lovelace.example")).segments).toEqual([segment.json.id])
    const { json } = await api("GET /v1/projects/{projectId}/segments/{segmentId}", {
      key: world.apiKey,
      params: { projectId: world.project, segmentId: segment.json.id },
    })
    expect(json.contactCount).toBe(2)
  })

  test("that breaks in the middle keeps what came before and says where", async () => {
    const done = await bring(`email\nada@lovelace.example\n"grace@hopper.example\n`)
    expect(done.status).toBe("failed")
    expect(done.failure).toMatch(/a quoted cell never ends/)
  })

  test.each([
    ["The file is missing.", "file_missing", {}],
    [
      "The import stopped after row 12,500 and made no progress in 7 attempts. The log of the worker has the cause.",
      "no_progress",
      { row: 12_500, attempts: 7 },
    ],
    ["Near line 12 the file is no CSV: a quoted cell never ends.", "quote_not_closed", { line: 12 }],
    [
      "Near line 3 the file is no CSV: a row is longer than 262144 characters.",
      "row_too_long",
      { line: 3, charsMax: 262_144 },
    ],
    ["It was another reason.", "recorded", { text: "It was another reason." }],
  ])(
    "that failed before its reason was a code says the same once it is migrated: %s",
    async (sentence, code, facts) => {
      const { id } = await bring("email\nada@x.test\n")
      await pool().query("UPDATE imports SET status = 'failed', failure = $1 WHERE id = $2", [
        sentence,
        decodeId("imp", id),
      ])
      expect((await imported(id)).failure, "as a host of the release before has written it").toBe(sentence)
      await pool().query(migrated)
      const { rows } = await pool().query("SELECT failure_code, failure_facts FROM imports WHERE id = $1", [
        decodeId("imp", id),
      ])
      expect(rows).toEqual([{ failure_code: code, failure_facts: facts }])
      expect((await imported(id)).failure).toBe(sentence)
    },
  )
})

/** The statement by which the migration gives each failure its code. */
const [migrated = ""] = statementsOf(
  readFileSync(join("prisma", "migrations", "0039_import_failures", "migration.sql"), "utf8"),
).filter((statement) => statement.includes("UPDATE imports"))

describe("a file is refused at once", () => {
  test.each<[string, string, Record<string, string>, string]>([
    ["without a column of addresses", "name\nAda\n", {}, "query/mapping"],
    ["when it is empty", "", {}, "body"],
    ["with a mapping to a column that is not there", "a\nx\n", { mapping: '{"b":"email"}' }, "query/mapping/b"],
    [
      "with a mapping to an unknown property",
      "a,b\nx,y\n",
      { mapping: '{"a":"email","b":"properties.age"}' },
      "query/mapping/b",
    ],
    [
      "with a mapping by name to one of two columns of that name",
      "a,b,b\nx,y,z\n",
      { mapping: '{"a":"email","b":"phone"}' },
      "query/mapping/b",
    ],
    ["with a list of targets that leaves a column out", "a,b\nx,y\n", { mapping: '["email"]' }, "query/mapping"],
    ["with a list that has a target twice", "a,b\nx,y\n", { mapping: '["email","email"]' }, "query/mapping/1"],
    ["with a mapping that is no JSON", "a\nx\n", { mapping: "{" }, "query/mapping"],
    ["with a segment of nobody", "email\n", { segmentId: "seg_01h455vb4pex5vsknk084sn02q" }, "query/segmentId"],
  ])("%s", async (_, csv, query, pointer) => {
    const { status, json } = await upload(csv, query)
    expect({ status, code: json.code, pointer: json.errors[0].pointer }).toEqual({
      status: 400,
      code: "request.invalid",
      pointer,
    })
    expect((await api(`GET ${imports}`, at())).json.page.total).toBe(0)
  })

  test("when it is another type, or the sixth that is open", async () => {
    expect((await upload("email\n", {}, { "content-type": "application/json" })).status).toBe(415)
    for (let i = 0; i < 5; i++) expect((await upload("email\na@x.test\n")).status).toBe(202)
    const sixth = await upload("email\na@x.test\n")
    expectProblem(sixth, 409, "import.too_many")
  })
})

describe("whatever dies when, a row is written once:", () => {
  const rows = size(3_000, 50_000)
  const csv = `email,seats\n${Array.from({ length: rows }, (_, i) => `c${i}@x${i % 7}.test,${i}`).join("\n")}\n`

  test("an import that is stopped again and again goes on where it was", { timeout: 300_000 }, async () => {
    const { json } = await upload(csv)
    for (let rounds = 0; rounds < rows; rounds++) {
      // Aborted before it starts, a run ends after its first batch.
      await work(AbortSignal.abort())
      if ((await imported(json.id)).status === "completed") break
    }
    expect(await imported(json.id)).toMatchObject({
      status: "completed",
      processed: rows,
      created: rows,
      updated: 0,
      failed: 0,
    })
    const { rows: counted } = await pool().query("SELECT count(*)::int AS all FROM contacts WHERE project_id = $1", [
      world.projectId,
    ])
    expect(counted[0].all).toBe(rows)
  })

  test("organizations have their turns one after the other, however many imports one of them has", async () => {
    const other = await newWorld()
    const ofOther = createImporting(other)
    for (let count = 0; count < 3; count++) await upload(csv)
    const { json } = await ofOther.upload("email\nada@lovelace.example\n")
    const rotation = createRotation<DueImport>(({ organizationId }) => organizationId)
    const turns: string[] = []
    for (let turn = 0; turn < 4; turn++) {
      const [held] = await rotation.take((served) => claimImports(1, leaseMs, served))
      if (!held) throw new Error("Nothing was due.")
      turns.push(held.organizationId)
      await runImport(held, AbortSignal.abort())
    }
    expect(turns).toEqual([world, other, world, world].map(({ organizationId }) => organizationId))
    expect(await ofOther.imported(json.id)).toMatchObject({ status: "completed", created: 1 })
  })

  test("a worker that was taken for dead writes nothing any more", async () => {
    const { json } = await upload("email\nada@lovelace.example\n")
    await pool().query("UPDATE imports SET due_at = now() - interval '1 second' WHERE due_at IS NOT NULL")
    const [late] = await claimImports(1, 0)
    if (!late) throw new Error("Nothing was due.")
    await pool().query("UPDATE imports SET due_at = now() - interval '1 second' WHERE due_at IS NOT NULL")
    await work()
    expect(await imported(json.id)).toMatchObject({ status: "completed", created: 1 })
    const rows = new Map([
      [
        "late@x.test",
        [{ line: 2, cells: ["late@x.test"], draft: { email: "late@x.test", unsubscribed: false, properties: {} } }],
      ],
    ])
    const batch = { rows, refused: [], bytesRead: 1 }
    expect(await writeBatch(late, batch)).toBe(false)
    expect(await holdImports([late], leaseMs)).toEqual([])
    expect(await contact("late@x.test")).toBeUndefined()
  })

  test("leaves no value of a property that is deleted after its rows were read", async () => {
    const { json } = await upload("email,plan,seats\nada@x.test,pro,7\n")
    await pool().query("UPDATE imports SET due_at = now() - interval '1 second' WHERE due_at IS NOT NULL")
    const held = (await claimImports(10, leaseMs)).find(({ id }) => id === decodeId("imp", json.id)) as DueImport
    const { json: properties } = await api("GET /v1/projects/{projectId}/contact-properties", at())
    const plan = properties.data.find(({ key }: { key: string }) => key === "plan")
    const params = { projectId: world.project, propertyId: plan.id }
    const deleted = await api("DELETE /v1/projects/{projectId}/contact-properties/{propertyId}", { ...at(), params })
    expect(deleted.status).toBe(204)
    const draft = { email: "ada@x.test", unsubscribed: false, properties: { plan: "pro", seats: "7" } }
    const rows = new Map([[draft.email, [{ line: 2, cells: ["ada@x.test", "pro", "7"], draft }]]])
    expect(await writeBatch(held, { rows, refused: [], bytesRead: 1 })).toBe(true)
    await post("/v1/projects/{projectId}/contact-properties", { key: "plan", type: "string" })
    expect((await contact("ada@x.test")).properties).toEqual({ seats: "7" })
  })

  test("a cancelled one writes no further row, and its file goes", async () => {
    const { json } = await upload(csv)
    await work(AbortSignal.abort())
    const params = { projectId: world.project, importId: json.id }
    const cancelled = await api(`POST ${imports}/{importId}/cancel`, { key: world.apiKey, params })
    expect({ cancelledStatus: cancelled.status, jsonStatus: cancelled.json.status }).toEqual({
      cancelledStatus: 200,
      jsonStatus: "cancelled",
    })
    await work()
    const after = await imported(json.id)
    expect(after).toMatchObject({ status: "cancelled", processed: 500 })
    const { rows: kept } = await pool().query(
      "SELECT object_key, due_at FROM imports WHERE processed = 500 AND project_id = $1",
      [world.projectId],
    )
    expect(kept).toEqual([{ object_key: null, due_at: null }])
  })
})

test("an import of another project cannot be seen or cancelled", async () => {
  const { json } = await upload("email\nada@lovelace.example\n")
  const other = await newWorld()
  const params = { projectId: other.project, importId: json.id }
  const answers = await Promise.all([
    api(`GET ${imports}/{importId}`, { key: other.apiKey, params }),
    api(`GET ${imports}/{importId}/errors`, { key: other.apiKey, params }),
    api(`POST ${imports}/{importId}/cancel`, { key: other.apiKey, params }),
  ])
  expect(answers.map(({ status, json: problem }) => [status, problem.code])).toEqual(
    Array(3).fill([404, "import.not_found"]),
  )
})

test("memory stays flat over a large file, from its first byte to its last row", { timeout: 900_000 }, async () => {
  const rows = size(8_000, 1_000_000)
  let sent = 0
  const csv = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from("email,firstName,seats\n"))
    },
    async pull(controller) {
      const from = sent
      sent = Math.min(rows, sent + 1_000)
      if (from === rows) return controller.close()
      controller.enqueue(
        Buffer.from(
          Array.from({ length: sent - from }, (_, i) => `m${from + i}@x.test,Name ${from + i},${i}\n`).join(""),
        ),
      )
    },
  })
  // What one import loads and a heap in use take is no growth.
  await bring(`email,firstName,seats\n${Array.from({ length: 8_000 }, (_, i) => `w${i}@x.test,Name,${i}\n`).join("")}`)
  const before = liveBytes()
  let most = before
  const watching = setInterval(() => (most = Math.max(most, liveBytes())), 1_000)
  const started = performance.now()
  const { json } = await upload(csv)
  const uploadedMs = performance.now() - started
  await work()
  clearInterval(watching)
  const grown = (most - before) / 2 ** 20
  expect(await imported(json.id)).toMatchObject({ status: "completed", created: rows })
  figures("import", {
    rows,
    "upload ms": uploadedMs,
    "seconds in all": (performance.now() - started) / 1_000,
    "MB grown at most": grown,
  })
  expect(grown).toBeLessThan(8)
})

/** What is in use, garbage left out: how much of that a process keeps depends on what ran in it before. */
function liveBytes(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
