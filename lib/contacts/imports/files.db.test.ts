import { mkdirSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
import { sweepImportFiles } from "@/lib/contacts/imports/data"
import { createImporting, imports, work, type Importing } from "@/e2e/support/contacts/importing"
import { pool } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"
import { storage } from "@/lib/platform/storage/storage"

const csv = "email,firstName\nada@lovelace.example,Ada\ngrace@hopper.example,Grace\nnobody,\n"
const hourMs = 3600_000
const never = new AbortController().signal
let world: World
let importing: Importing

beforeEach(async () => {
  world = await newWorld()
  importing = createImporting(world)
})

afterEach(async () => {
  vi.restoreAllMocks()
  await pool().query("UPDATE imports SET due_at = NULL")
})

async function files(): Promise<string[]> {
  const keys = []
  for await (const { key } of (await storage()).list(`imports/${world.projectId}/`)) keys.push(key)
  return keys
}

const pathOf = (key: string) => join(env().dataDir, "objects", key)

function age(key: string, ms: number) {
  const then = new Date(Date.now() - ms)
  utimesSync(pathOf(key), then, then)
}

const sweep = () => sweepImportFiles(new Date(), never)
const run = (importId: string) => api(`POST ${imports}/{importId}/run`, importing.of(importId))

describe("the file of an import", () => {
  test("that no import knows, or a crash left half written, goes an hour after it came, and no other", async () => {
    await importing.upload(csv)
    const [waiting = ""] = await files()
    const folder = dirname(waiting)
    const [orphan, young, part] = ["orphan.csv", "young.csv", "orphan-1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed.part"].map(
      (name) => `${folder}/${name}`,
    ) as [string, string, string]
    mkdirSync(pathOf(folder), { recursive: true })
    for (const key of [orphan, young, part]) writeFileSync(pathOf(key), csv)
    for (const key of [waiting, orphan, part]) age(key, 2 * hourMs)
    await sweep()
    expect((await files()).sort()).toEqual([waiting, young].sort())
    await work()
    expect(await files()).toEqual([young])
  })

  test("stays where the end is not stored, as while its organization is being moved", async () => {
    await importing.upload(csv)
    const [waiting = ""] = await files()
    await pool().query(
      `CREATE FUNCTION stay_open() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      CREATE TRIGGER stay_open BEFORE UPDATE ON imports FOR EACH ROW WHEN (NEW.status = 'completed') EXECUTE FUNCTION stay_open()`,
    )
    await work()
    await pool().query("DROP TRIGGER stay_open ON imports; DROP FUNCTION stay_open()")
    expect(await files()).toEqual([waiting])
    await work()
    expect(await files()).toEqual([])
  })

  test("whose half a crash left behind is listed, and can be removed", async () => {
    const objects = await storage()
    const from = join(env().dataDir, "half.csv")
    writeFileSync(from, csv)
    // What follows the copy fails as it would in a crash: the part stays.
    const taken = `imports/${world.projectId}/taken.csv`
    mkdirSync(join(pathOf(taken), "folder"), { recursive: true })
    await expect(objects.putFile(taken, from, "text/csv")).rejects.toThrow()
    const left = await files()
    expect(left).toEqual([expect.stringMatching(/\.part$/)])
    age(left[0] ?? "", 2 * hourMs)
    await sweep()
    expect(await files()).toEqual([])
  })

  test("that cannot be removed at the end does not keep the import from ending, and goes with a sweep", async () => {
    const { json } = await importing.upload(csv)
    const [key = ""] = await files()
    const remove = vi.spyOn(await storage(), "remove").mockRejectedValue(new Error("The bucket is away."))
    await work()
    expect(await importing.imported(json.id)).toMatchObject({ status: "completed", created: 2 })
    expect({ callCount: remove.mock.calls.length, files: await files() }).toEqual({ callCount: 1, files: [key] })
    remove.mockRestore()
    age(key, 2 * hourMs)
    await sweep()
    expect(await files()).toEqual([])
  })

  test("of a deleted project goes", async () => {
    await importing.upload(csv)
    const [key = ""] = await files()
    age(key, 2 * hourMs)
    await pool().query("DELETE FROM imports WHERE project_id = $1", [world.projectId])
    await sweep()
    expect(await files()).toEqual([])
  })
})

describe("the files that wait", () => {
  const hold = (bytes: number, count = 1, projectId = world.projectId) =>
    pool().query(
      `INSERT INTO imports (id, project_id, kind, status, options, object_key, bytes, ended_at)
        SELECT gen_random_uuid(), $1, 'contacts', 'completed', '{}', 'imports/held.csv', $2, now() FROM generate_series(1, $3)`,
      [projectId, bytes, count],
    )

  afterEach(() => pool().query("UPDATE imports SET object_key = NULL"))

  test.each([
    ["20 files", () => hold(1, 20)],
    ["1 GiB", () => hold(2 ** 30 - 10)],
  ])("of a project are at most %s, and what is refused leaves no file", async (_, fill) => {
    await fill()
    const refused = await importing.upload(csv)
    expect({ status: refused.status, code: refused.json.code, files: await files() }).toEqual({
      status: 409,
      code: "import.files_full",
      files: [],
    })
    await pool().query("UPDATE imports SET object_key = NULL")
    expect((await importing.upload(csv)).status).toBe(202)
  })

  test("are counted exactly when several arrive together, without an announced length too", async () => {
    await hold(1, 18)
    const streamed = () => new ReadableStream({ start: (body) => (body.enqueue(Buffer.from(csv)), body.close()) })
    const answers = await Promise.all([1, 2, 3].map(() => importing.upload(streamed(), { dryRun: "true" })))
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 409])
    expect(await files()).toHaveLength(2)
  })

  test("of all projects together are at most 20 GiB: then 503 with Retry-After", async () => {
    const other = await newWorld()
    await hold(20 * 2 ** 30, 1, other.projectId)
    const refused = await importing.upload(csv)
    expect({
      status: refused.status,
      code: refused.json.code,
      retryAfter: refused.headers.get("retry-after"),
      files: await files(),
    }).toEqual({ status: 503, code: "service.unavailable", retryAfter: "60", files: [] })
  })

  test("of a dry run go when it is cancelled", async () => {
    const dry = await importing.bring(csv, { dryRun: "true" })
    const cancelled = await api(`POST ${imports}/{importId}/cancel`, importing.of(dry.id))
    expect({ status: cancelled.json.status, fileUntil: cancelled.json.fileUntil, files: await files() }).toEqual({
      status: "completed",
      fileUntil: undefined,
      files: [],
    })
  })
})

describe("a disk without room for a file", () => {
  test("is 503 with Retry-After, keeps nothing of it, and takes the next one", async () => {
    const full = Object.assign(new Error("no room"), { code: "ENOSPC" })
    const put = vi.spyOn(await storage(), "putFile").mockRejectedValueOnce(full)
    const refused = await importing.upload(csv)
    put.mockRestore()
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get("retry-after")) > 0).toBe(true)
    expect(await files()).toEqual([])
    expect((await importing.upload(csv)).status).toBe(202)
  })
})

describe("a dry run", () => {
  test("keeps its file for a day, and its rows are imported from it once", async () => {
    const dry = await importing.bring(csv, { dryRun: "true", mode: "skip", fileName: "people.csv" })
    expect(Date.parse(dry.fileUntil) - Date.parse(dry.endedAt)).toBe(24 * hourMs)
    const [key = ""] = await files()
    age(key, 23 * hourMs)
    await sweep()
    expect(await files()).toEqual([key])

    const answers = await Promise.all([run(dry.id), run(dry.id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409])
    expect(answers.find(({ status }) => status === 409)?.json.code).toBe("import.file_gone")
    const started = answers.find(({ status }) => status === 202)
    expect(started?.headers.get("location")).toBe(`/v1/projects/${world.project}/contact-imports/${started?.json.id}`)
    expect(started?.json).toMatchObject({
      status: "queued",
      dryRun: false,
      mode: "skip",
      fileName: "people.csv",
      bytes: dry.bytes,
      columns: dry.columns,
    })
    await work()
    expect(await importing.imported(started?.json.id)).toMatchObject({
      status: "completed",
      processed: 3,
      created: 2,
      failed: 1,
    })
    expect((await importing.contact("ada@lovelace.example")).firstName).toBe("Ada")
    expect({ fileUntil: (await importing.imported(dry.id)).fileUntil, files: await files() }).toEqual({
      fileUntil: undefined,
      files: [],
    })
  })

  test("that nobody ran for a day cannot be run, and its file goes", async () => {
    const dry = await importing.bring(csv, { dryRun: "true" })
    const [key = ""] = await files()
    age(key, 25 * hourMs)
    await pool().query("UPDATE imports SET ended_at = ended_at - interval '25 hours' WHERE project_id = $1", [
      world.projectId,
    ])
    expect((await importing.imported(dry.id)).fileUntil).toBeUndefined()
    expect((await run(dry.id)).json.code).toBe("import.file_gone")
    await sweep()
    expect(await files()).toEqual([])
  })

  test("that was cancelled or broke off, and an import, have no file to run", async () => {
    const { json: waiting } = await importing.upload(csv, { dryRun: "true" })
    expect((await run(waiting.id)).json.code).toBe("import.file_gone")
    await api(`POST ${imports}/{importId}/cancel`, importing.of(waiting.id))
    const broken = await importing.bring('email\n"never\n', { dryRun: "true" })
    const done = await importing.bring(csv)
    expect(broken.status).toBe("failed")
    for (const { id } of [waiting, broken, done]) expect((await run(id)).json.code).toBe("import.file_gone")
    expect(await files()).toEqual([])
  })
})

describe("an import whose rows cannot be written", () => {
  beforeEach(() =>
    pool()
      .query(`CREATE OR REPLACE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'poison'; END $$;
      CREATE TRIGGER poison BEFORE INSERT ON contacts FOR EACH ROW WHEN (NEW.email = 'poison@x.test') EXECUTE FUNCTION refuse_poison()`),
  )
  afterEach(() => pool().query("DROP FUNCTION refuse_poison CASCADE"))

  const rows = (count: number, of: string) => Array.from({ length: count }, (_, at) => `${of}${at}@x.test`).join("\n")
  const pauses = async () => {
    const {
      rows: [row],
    } = await pool().query(
      "SELECT round(extract(epoch FROM due_at - now()))::int AS pause FROM imports WHERE project_id = $1",
      [world.projectId],
    )
    return row.pause
  }

  test("is tried again after longer and longer pauses, then ends as failed with what came before kept and a reason", async () => {
    const { json } = await importing.upload(`email\n${rows(500, "good")}\npoison@x.test\n`)
    const waited = []
    for (let tries = 0; tries < 7; tries++) {
      await expect(work()).rejects.toThrow("poison")
      waited.push(await pauses())
    }
    // The first try wrote a batch: the next is the first that came no further.
    expect(waited.map((seconds) => Math.round(seconds / 10) * 10)).toEqual([30, 30, 60, 120, 240, 480, 960])
    expect((await importing.imported(json.id)).status).toBe("running")
    await expect(work()).rejects.toThrow("poison")
    expect(await pauses()).toBeLessThanOrEqual(0)
    await work()
    expect(await importing.imported(json.id)).toMatchObject({
      status: "failed",
      processed: 500,
      created: 500,
      failure: expect.stringContaining("after row 500 and made no progress in 7 attempts"),
    })
    expect(await files()).toEqual([])
    await work()
    expect(await importing.imported(json.id)).toMatchObject({ status: "failed", processed: 500 })
  })
})
