import { createHash, randomUUID } from "node:crypto"
import pg from "pg"
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest"
import { measured } from "@/e2e/support/measured"
import { emptyDatabase, type TestDatabase } from "@/e2e/support/database"
import { differenceFrom, migrate, readDatabaseFiles } from "@/lib/platform/database/migrations"
import type { SqlFile } from "@/lib/platform/database/function-files"

const first: SqlFile = { name: "0001_first", sql: "create table first (id int); insert into first values (1);" }
const second: SqlFile = { name: "0002_second", sql: "create table second (id int)" }
const databases: TestDatabase[] = []
let url = ""

beforeEach(async () => {
  const database = await emptyDatabase(`migrations_${randomUUID().slice(0, 8)}`)
  databases.push(database)
  url = database.url
})

afterAll(() => Promise.all(databases.map((database) => database.drop())))

it("applies in order what is missing, once, and writes it down as Prisma would", async () => {
  expect(await apply([first])).toEqual(["0001_first"])
  expect(await apply([first, second])).toEqual(["0002_second"])
  expect(await apply([first, second])).toEqual([])
  const rows = await ask(
    "select migration_name, checksum, applied_steps_count, finished_at is not null as finished from _prisma_migrations order by started_at",
  )
  const checksum = createHash("sha256").update(first.sql).digest("hex")
  expect(rows[0]).toEqual({ migration_name: "0001_first", checksum, applied_steps_count: 1, finished: true })
  expect(await ask("select id from first")).toEqual([{ id: 1 }])
})

it("applies each once when several processes start together", async () => {
  const applied = await Promise.all([1, 2, 3, 4].map(() => apply([first, second])))
  expect(applied.flat().sort()).toEqual(["0001_first", "0002_second"])
})

it("refuses a migration that was changed after it was applied", async () => {
  await apply([first])
  const changed = { ...first, sql: `${first.sql} -- changed` }
  await expect(apply([changed, second])).rejects.toThrow(/0001_first was changed/)
  expect(await ask("select to_regclass('second') as second")).toEqual([{ second: null }])
})

describe("two releases that follow each other", () => {
  const third: SqlFile = { name: "0003_third", sql: "create table third (id int)" }
  const of = (release: number, ...migrations: SqlFile[]) => ({ migrations, functions: [], release })

  it("run on one database in either order, and the older one changes nothing there", async () => {
    expect(await migrate(url, of(1, first))).toEqual(["0001_first"])
    expect(await migrate(url, of(2, first, second))).toEqual(["0002_second"])
    const told: string[] = []
    expect(await migrate(url, of(1, first), { tell: (sentence) => told.push(sentence) })).toEqual([])
    expect(told).toEqual([
      "The database has 0002_second of a newer version, which this one runs on. It changes nothing there.",
    ])
    expect(await migrate(url, of(2, first, second))).toEqual([])
  })

  it("are the limit: one further back is refused with the release to start", async () => {
    await migrate(url, of(2, first, second))
    await migrate(url, of(3, first, second, third))
    await expect(migrate(url, of(1, first))).rejects.toThrow(
      /0003_third of release 3, and this version is of release 1: .* Start release 2 or a later one/,
    )
    expect(await migrate(url, of(2, first, second))).toEqual([])
  })

  it("are not two working copies of which each has a migration of its own", async () => {
    await migrate(url, of(2, first, second))
    await expect(migrate(url, of(2, first, third))).rejects.toThrow(/0002_second, which this version does not know/)
    expect(await ask("select to_regclass('third') as third")).toEqual([{ third: null }])
  })
})

it(
  "gives up a lock after a second, so that readers pass, says who holds it, and goes on once it is free",
  measured,
  async () => {
    await apply([first])
    const backup = new pg.Client({ connectionString: url, application_name: "pg_dump" })
    await backup.connect()
    await backup.query("begin; select * from first")
    const told: string[] = []
    const adding = { name: "0002_adding", sql: "alter table first add column note text" }
    const migrating = migrate(
      url,
      { migrations: [first, adding], functions: [] },
      { tell: (sentence) => told.push(sentence) },
    )

    const reader = await connected()
    let longestMs = 0
    const begun = performance.now()
    while (performance.now() - begun < 1_600) {
      const askedAt = performance.now()
      await reader.query("select * from first")
      longestMs = Math.max(longestMs, performance.now() - askedAt)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(longestMs).toBeGreaterThan(300)
    expect(longestMs).toBeLessThan(1_500)
    expect(told).toEqual([
      expect.stringMatching(
        /^The migration 0002_adding waits for pg_dump \(role \w+, process \d+, in a transaction since \d{4}-.*Z\)\. It tries again/,
      ),
    ])
    await backup.query("commit")
    expect(await migrating).toEqual(["0002_adding"])
    await Promise.all([backup.end(), reader.end()])
  },
)

it("is compared without being changed: what is missing, what is newer, and an empty one", async () => {
  const files = (...migrations: SqlFile[]) => ({ migrations, functions: [] })
  expect(await differenceFrom(url, files(first))).toBeNull()
  await apply([first])
  expect(await differenceFrom(url, files(first, second))).toEqual({ missing: [second], unknown: [] })
  expect(await ask("select to_regclass('second') as second")).toEqual([{ second: null }])
})

it("refuses, with one sentence, a database that an older working copy has made", async () => {
  const old = ["0001_init", "0002_accept_sends", "0003_domain_hosting"]
  await apply(old.map((name) => ({ name, sql: `create table "${name}" ()` })))
  await expect(migrate(url)).rejects.toThrow(
    "The database has the migration 0002_accept_sends, which this version does not know: a newer one has run on it.",
  )
  expect(await ask("select to_regclass('organizations') as made")).toEqual([{ made: null }])
})

it("takes a failed migration back whole and keeps those before it", async () => {
  const broken = { name: "0002_broken", sql: "create table half (id int); select no_such_column;" }
  await expect(apply([first, broken])).rejects.toThrow(/0002_broken failed/)
  expect(await ask("select to_regclass('half') as half, to_regclass('first') is not null as first")).toEqual([
    { half: null, first: true },
  ])
})

it("waits for another process that migrates, but not for ever", async () => {
  const other = await connected()
  await other.query("select pg_advisory_lock(72707369)")
  await expect(migrate(url, { migrations: [first], functions: [] }, { lockWaitMs: 300 })).rejects.toThrow(
    /Another process is still/,
  )
  const waiting = apply([first])
  await other.end()
  expect(await waiting).toEqual(["0001_first"])
})

it("says once after two seconds that it waits for another process, and ends at a signal", async () => {
  const other = await connected()
  await other.query("select pg_advisory_lock(72707369)")
  const told: string[] = []
  const stopping = new AbortController()
  const options = { tell: (sentence: string) => void told.push(sentence), signal: stopping.signal }
  const waiting = migrate(url, { migrations: [first], functions: [] }, options)
  await vi.waitFor(() => expect(told).toHaveLength(1), 10_000)
  stopping.abort()
  await expect(waiting, "while the other process still migrates").rejects.toThrow()
  expect(told).toEqual(["Another process migrates the database: waiting until it has finished."])
  await other.end()
})

it("rolls a migration back that is under way at a signal", async () => {
  const stopping = new AbortController()
  const slow = { name: "0002_slow", sql: "create table slow (id int); select pg_sleep(60);" }
  const applying = migrate(url, { migrations: [first, slow], functions: [] }, { signal: stopping.signal })
  const asleep =
    "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'"
  await vi.waitFor(async () => expect(await ask(asleep)).toEqual([{ n: 1 }]), 10_000)
  stopping.abort()
  await expect(applying).rejects.toThrow(/0002_slow failed/)
  expect(await ask("select to_regclass('slow') as slow")).toEqual([{ slow: null }])
})

it("makes the whole database from the files of the product", async () => {
  const { migrations, functions } = readDatabaseFiles()
  expect(functions.at(-1)?.name).toBe("after-functions")
  expect(await migrate(url)).toEqual(migrations.map(({ name }) => name))
  expect(await migrate(url)).toEqual([])
})

describe("a migration outside a transaction", () => {
  const doubled = { ...first, sql: `${first.sql} insert into first values (1);` }
  const index = { name: "0002_index", sql: outside("index", "first_id") }
  const unique = { name: "0002_index", sql: outside("unique index", "first_id") }

  it("builds an index concurrently while another process waits its turn", async () => {
    await apply([first])
    const writer = await connected()
    await writer.query("begin; insert into first values (2)")
    const starts = [apply([first, index]), apply([first, index])]
    // The index waits for the writer, and the second process for the first.
    const state = "select count(*)::int as n from pg_stat_activity where datname = current_database() and"
    await vi.waitFor(async () => {
      expect(await ask(`${state} application_name = 'mailroom migrations'`)).toEqual([{ n: 2 }])
      expect(await ask(`${state} query like 'create index concurrently%' and wait_event_type = 'Lock'`)).toEqual([
        { n: 1 },
      ])
    }, 10_000)
    await writer.query("commit")
    expect((await Promise.all(starts)).flat()).toEqual(["0002_index"])
    await writer.end()
    expect(await validity()).toEqual([{ indisvalid: true }])
  })

  it("says of nobody that it waits for them while nobody else is connected", async () => {
    await apply([first])
    const rebuilds = Array.from({ length: 250 }, () => [
      "drop index concurrently if exists turn",
      "create index concurrently turn on first (id)",
    ])
    const many = { name: "0002_rebuilds", sql: `-- outside a transaction\n${rebuilds.flat().join(";\n")};` }
    const told: string[] = []
    await migrate(url, { migrations: [first, many], functions: [] }, { tell: (sentence) => told.push(sentence) })
    expect(told).toEqual([])
  })

  it("runs again from its first statement after it failed half way", async () => {
    await expect(apply([doubled, unique])).rejects.toThrow(
      /0002_index failed half way and runs again from its first statement/,
    )
    expect(await validity()).toEqual([{ indisvalid: false }])
    expect(await ask("select migration_name from _prisma_migrations")).toEqual([{ migration_name: "0001_first" }])

    await ask("delete from first where ctid in (select max(ctid) from first)")
    expect(await apply([doubled, unique])).toEqual(["0002_index"])
    expect(await validity()).toEqual([{ indisvalid: true }])
  })

  it("is not taken for finished while it leaves an unfinished index", async () => {
    const careless = {
      name: "0002_careless",
      sql: "-- outside a transaction\ncreate unique index concurrently if not exists first_id on first (id);\n",
    }
    await expect(apply([doubled, careless])).rejects.toThrow(/half way/)
    await ask("delete from first where ctid in (select max(ctid) from first)")
    await expect(apply([doubled, careless])).rejects.toThrow(/found the index first_id unfinished: drop it/)
    expect(await ask("select migration_name from _prisma_migrations")).toEqual([{ migration_name: "0001_first" }])
  })

  it("makes an index on every partition of a table, those that come later too, and goes on where it stopped", async () => {
    const parted = { name: "0001_parted", sql: "create table parted (id int) partition by range (id)" }
    await apply([parted])
    for (const at of [1, 2, 3])
      await ask(`create table parted_${at} partition of parted for values from (${at}) to (${at + 1})`)
    await ask("insert into parted values (2), (3), (3)")
    const each = {
      name: "0002_each",
      sql: "-- outside a transaction\ncreate table if not exists other (id int);\n-- Not twice.\ncreate index concurrently parted_odd on parted ((1 / (id - 3)), id) where id > 0;\n",
    }
    await expect(apply([parted, each])).rejects.toThrow(/half way.*division by zero/)
    const partial =
      "select relname as name, indisvalid as valid, indrelid::regclass::text as of from pg_index join pg_class on oid = indexrelid where relname like 'parted%odd' order by 1"
    expect(await ask(partial)).toEqual([
      { name: "parted_1_odd", valid: true, of: "parted_1" },
      { name: "parted_2_odd", valid: true, of: "parted_2" },
      { name: "parted_3_odd", valid: false, of: "parted_3" },
      { name: "parted_odd", valid: false, of: "parted" },
    ])
    await ask("delete from parted where id = 3")
    expect(await apply([parted, each])).toEqual(["0002_each"])
    await ask("create table parted_4 partition of parted for values from (4) to (5)")
    const found = (await ask(
      "select indrelid::regclass::text as of, indisvalid as valid, inhparent::regclass::text as part_of from pg_index left join pg_inherits on inhrelid = indexrelid where indrelid::regclass::text like 'parted%' order by 1",
    )) as object[]
    expect(found).toEqual([
      { of: "parted", valid: true, part_of: null },
      ...[1, 2, 3, 4].map((at) => ({ of: `parted_${at}`, valid: true, part_of: "parted_odd" })),
    ])
  })

  const validity = () => ask("select indisvalid from pg_index where indexrelid = 'first_id'::regclass")
})

function outside(kind: string, name: string): string {
  return `-- outside a transaction
-- A comment; with a semicolon.
drop index concurrently if exists ${name};
create ${kind} concurrently ${name} on first (id);
`
}

function apply(migrations: SqlFile[]): Promise<string[]> {
  return migrate(url, { migrations, functions: [] })
}

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

async function ask(sql: string): Promise<unknown[]> {
  const client = await connected()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
