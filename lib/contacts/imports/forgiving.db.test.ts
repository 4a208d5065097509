import { beforeEach, describe, expect, test } from "vitest"
import { expectProblem } from "@/e2e/support/expect-problem"
import { createImporting, imports, work, type Importing } from "@/e2e/support/contacts/importing"
import { api, newWorld, type World } from "@/e2e/support/world"
import { decodeId } from "@/lib/platform/ids"
import { pool } from "@/lib/platform/database/db"

let world: World
let importing: Importing

const types = { revenue: "number", newsletter: "boolean", joined: "date", seen: "date" }

beforeEach(async () => {
  world = await newWorld()
  importing = createImporting(world)
  for (const [key, type] of Object.entries(types))
    await importing.post("/v1/projects/{projectId}/contact-properties", { key, type })
})

const mapping = (...targets: (string | null)[]) => JSON.stringify(targets)
const typed = mapping("email", "properties.revenue", "properties.newsletter", "properties.joined", "properties.seen")
const run = (id: string, query: Record<string, string> = {}) =>
  api(`POST ${imports}/{importId}/run`, { ...importing.of(id), query })

/** A file in which the second date alone tells its order, and 600 rows after the first. */
const many = (dates: string[], ...more: string[]) =>
  ["E-Mail-Adr.;Umsatz EUR;Newsletter?;Kunde seit;Gesehen", ...more]
    .concat(dates.map((date, at) => `c${at}@x.test;6.489,61;ja;${date};01/02/2026`))
    .join("\n")

describe("an import", () => {
  test("reads numbers, yes and no, and dates as people write them, each column in one way", async () => {
    const done = await importing.bring(
      many(
        ["03/04/2026", ...Array<string>(600).fill("05/06/2026"), "31/03/2026"],
        "ada@x.test;7;nein;31.12.25;2026-05-06",
      ),
      { mapping: typed },
    )
    expect(done).toMatchObject({ created: 603, failed: 0, errorGroups: [] })
    expect(done.columns.map(({ format }: { format?: object }) => format ?? null)).toEqual([
      null,
      { decimal: "comma", assumed: false },
      null,
      { dates: "day_first", assumed: false },
      { dates: "day_first", assumed: true },
    ])
    expect((await importing.contact("c0@x.test")).properties).toEqual({
      ...{ revenue: "6489.61", newsletter: "true", joined: "2026-04-03", seen: "2026-02-01" },
    })
    expect((await importing.contact("ada@x.test")).properties).toEqual({
      ...{ revenue: "7", newsletter: "false", joined: "2025-12-31", seen: "2026-05-06" },
    })
  })

  test("reads dates month first where that was asked for and no value contradicts", async () => {
    const done = await importing.bring(many(["13/04/2026"]), { mapping: typed, dates: "month_first" })
    expect((await importing.contact("c0@x.test")).properties).toMatchObject({
      ...{ joined: "2026-04-13", seen: "2026-01-02" },
    })
    expect(done.columns[3].format).toEqual({ dates: "day_first", assumed: false })
  })

  test("groups what it rejects by column and reason over all batches, and gives the rows back as a file", async () => {
    const rows = Array.from({ length: 700 }, (_, at) => `c${at}@x.test;${at % 2 ? at : "viel"};vielleicht;;`)
    const csv = `E-Mail-Adr.;Umsatz EUR;Newsletter?;"Kunde, seit";Notiz\nnobody;1;ja;;"=1+1; ""x"""\n${rows.join("\n")}\n`
    const done = await importing.bring(csv, { mapping: typed, dryRun: "true" })
    expect(done).toMatchObject({ failed: 701, created: 0 })
    expect(done.errorGroups).toEqual([
      {
        column: "Newsletter?",
        detail: "Must be yes or no, true or false, or 1 or 0.",
        ...{ rows: 700, examples: ["vielleicht"] },
      },
      { column: "Umsatz EUR", detail: "Must be a number, such as 42 or -1.5.", rows: 350, examples: ["viel"] },
      { column: "E-Mail-Adr.", detail: expect.stringMatching(/[.]$/), rows: 1, examples: ["nobody"] },
      expect.objectContaining({ column: "Notiz", rows: 1 }),
    ])
    const listed = (await api(`GET ${imports}`, importing.at())).json.data
    expect(listed[0]).not.toHaveProperty("errorGroups")

    const download = await api(`GET ${imports}/{importId}/rejected`, importing.of(done.id))
    expect(download.response.headers.get("content-disposition")).toContain("rejected.csv")
    const text = await download.response.text()
    const [header, first, second, ...more] = text.trimEnd().split("\r\n")
    expect(header).toBe('"E-Mail-Adr.","Umsatz EUR","Newsletter?","Kunde, seit","Notiz","reason"')
    expect(first).toMatch(/^"nobody","1","ja","","'=1[+]1; ""x""","E-Mail-Adr[.]: .*"$/)
    expect(second).toBe(
      '"c0@x.test","viel","vielleicht","","","Umsatz EUR: Must be a number, such as 42 or -1.5. Newsletter?: Must be yes or no, true or false, or 1 or 0."',
    )
    expect(more).toHaveLength(699)

    const corrected = text
      .replaceAll('"vielleicht"', '"nein"')
      .replaceAll('"viel"', '"7"')
      .replace('"nobody"', '"ada@x.test"')
    const again = await importing.bring(corrected, {
      mapping: mapping("email", "properties.revenue", "properties.newsletter", null, null, null),
    })
    expect(again).toMatchObject({ created: 701, failed: 0 })

    const id = decodeId("imp", done.id)
    const { rows: kept } = await pool().query(
      "SELECT errors::text || (SELECT string_agg(faults::text, '') FROM import_errors WHERE import_id = id) AS kept FROM imports WHERE id = $1",
      [id],
    )
    expect(kept[0].kept, "what is stored").not.toMatch(/Must be/)
    const former = JSON.stringify([{ column: "Umsatz EUR", detail: "Must be a number as text." }])
    await pool().query("UPDATE import_errors SET faults = $2 WHERE import_id = $1 AND line = 3", [id, former])
    const errors = await api(`GET ${imports}/{importId}/errors`, importing.of(done.id))
    expect(errors.json.data[1].faults, "of an earlier release").toEqual(JSON.parse(former))
  })
})

describe("a dry run", () => {
  const csv = "Kontakt,Extra\nada@x.test,old@x.test\ngrace@x.test,1\n"
  const first = { mapping: mapping("email", "properties.revenue"), dryRun: "true" }

  test("shows its first rows, and is run again with another mapping from the file that it has", async () => {
    const dry = await importing.bring(csv, first)
    expect(dry).toMatchObject({ created: 1, failed: 1 })
    const sample = await api(`GET ${imports}/{importId}/sample`, importing.of(dry.id))
    expect(sample.json).toMatchObject({ header: ["Kontakt", "Extra"], delimiter: "," })
    expect(sample.json.rows).toEqual([
      ["ada@x.test", "old@x.test"],
      ["grace@x.test", "1"],
    ])
    expectProblem(await run(dry.id, { mapping: mapping(null, "phone") }), 400, "request.invalid")
    expectProblem(await run(dry.id, { mapping: mapping("email", "properties.gone") }), 400, "request.invalid")

    const again = await run(dry.id, { mapping: mapping("email", "firstName"), dryRun: "true" })
    expect(again.json).toMatchObject({ dryRun: true, columns: [{ target: "email" }, { target: "firstName" }] })
    expectProblem(await run(dry.id), 409, "import.file_gone")
    expectProblem(await api(`GET ${imports}/{importId}/sample`, importing.of(dry.id)), 409, "import.file_gone")
    await work()
    expect(await importing.imported(again.json.id)).toMatchObject({ created: 2, failed: 0 })

    const real = await run(again.json.id, { mode: "skip" })
    await work()
    expect(await importing.imported(real.json.id)).toMatchObject({ dryRun: false, mode: "skip", created: 2 })
    expect((await importing.contact("ada@x.test")).firstName).toBe("old@x.test")
  })

  test("decides again how dates are read when another property is mapped", async () => {
    const dry = await importing.bring("Kontakt,Seit\nada@x.test,03/04/2026\n", {
      mapping: mapping("email", null),
      dryRun: "true",
    })
    const query = { mapping: mapping("email", "properties.joined"), dates: "month_first" }
    const real = await run(dry.id, query)
    await work()
    expect((await importing.imported(real.json.id)).columns[1].format).toEqual({ dates: "month_first", assumed: true })
    expect((await importing.contact("ada@x.test")).properties).toEqual({ joined: "2026-03-04" })
  })
})

test("rows that a release before has rejected are listed and given back as far as they were kept", async () => {
  const { id } = await importing.bring("email,firstName\nnobody,Ada\n")
  await pool().query(`UPDATE import_errors SET cells = NULL, "row" = 'nobody,Ada' WHERE import_id = $1`, [
    decodeId("imp", id),
  ])
  const errors = await api(`GET ${imports}/{importId}/errors`, importing.of(id))
  expect(errors.json.data).toMatchObject([{ line: 2, row: "nobody,Ada" }])
  const download = await api(`GET ${imports}/{importId}/rejected`, importing.of(id))
  expect((await download.response.text()).split("\r\n")[1]).toMatch(/^"nobody,Ada","","email: /)
})
