import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { PrismaPg } from "@prisma/adapter-pg"
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils"
import * as engineBindings from "@prisma/schema-engine-wasm/schema_engine_bg"
import { expect, test } from "vitest"
import { pool } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"

const charOid = 18
const textOid = 25

test("the migrations make exactly the database that the Prisma schema describes", async () => {
  const folder = join(import.meta.dirname, "schema")
  const files = readdirSync(folder).map((name) => ({ path: name, content: readFileSync(join(folder, name), "utf8") }))
  const engine = await openEngine(files)
  const result = await engine.diff({
    from: { tag: "schemaDatasource", configDir: folder, files },
    to: { tag: "schemaDatamodel", files },
    script: true,
    exitCode: false,
    // Written by lib/platform/database/function-files.ts and migrations.ts alone.
    filters: { externalTables: ["public._mailroom_functions", "public._mailroom_releases"], externalEnums: [] },
    shadowDatabaseUrl: null,
  })
  expect(result.stdout.trim()).toBe("-- This is an empty migration.")
})

test("events, attempts and usage are partitioned by month of their time-ordered id, emails are not", async () => {
  const { rows } = await pool().query(
    `SELECT c.relname AS name, pg_get_partkeydef(c.oid) AS key, count(i.inhrelid)::int AS partitions
      FROM pg_class c JOIN pg_partitioned_table t ON t.partrelid = c.oid JOIN pg_inherits i ON i.inhparent = c.oid
      GROUP BY c.oid, c.relname ORDER BY 1`,
  )
  expect(rows.map(({ name, key }) => `${name} ${key}`)).toEqual([
    "api_key_requests RANGE (id)",
    "delivery_attempts RANGE (id)",
    "events RANGE (id)",
  ])
  for (const { partitions } of rows) expect(partitions).toBeGreaterThanOrEqual(4)
})

test("what Prisma cannot say is there: partial indexes, storage, the guard of the audit log", async () => {
  const { rows: indexes } = await pool().query<{ indexname: string; indexdef: string }>(
    "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND indexdef LIKE '% WHERE %'",
  )
  const names = indexes.map(({ indexname }) => indexname)
  for (const name of [
    "emails_idempotency",
    "emails_due",
    "emails_topic",
    "emails_tags",
    "deliveries_queue",
    "deliveries_queue_due",
    "events_undispatched",
    "events_undispatched_by_shard",
    "domains_due",
    "api_keys_live",
  ]) {
    expect(names).toContain(name)
  }
  expect(indexes.find(({ indexname }) => indexname === "emails_idempotency")?.indexdef).toMatch(/^CREATE UNIQUE INDEX/)
  const { rows: unlogged } = await pool().query(
    "SELECT relname FROM pg_class WHERE relpersistence = 'u' AND relkind = 'r'",
  )
  expect(unlogged.map(({ relname }) => relname)).toEqual(["rate_windows"])
  await expect(pool().query("DELETE FROM audit_entries")).rejects.toThrow(/never changed or deleted/)
  await expect(pool().query("UPDATE audit_entries SET action = 'x'")).rejects.toThrow(/never changed or deleted/)
})

test("every table of a project refuses a row that points into another project", async () => {
  const { rows } = await pool().query<{ table: string; columns: string[] }>(
    `SELECT c.conrelid::regclass::text AS "table", array_agg(a.attname::text ORDER BY k.place) AS columns
      FROM pg_constraint c CROSS JOIN LATERAL unnest(c.conkey) WITH ORDINALITY AS k(number, place)
      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number
      WHERE c.contype = 'f' AND c.confrelid::regclass::text NOT IN ('projects', 'organizations', 'users', 'audit_entries', 'delivery_workers', 'destinations', 'egress_addresses', 'delivery_queues')
      GROUP BY c.oid, c.conrelid`,
  )
  expect(rows.length).toBeGreaterThan(5)
  for (const { table, columns } of rows) expect(columns[0], table).toBe("project_id")
})

type Engine = { diff(request: unknown): Promise<{ stdout: string }> }

async function openEngine(files: { path: string; content: string }[]): Promise<Engine> {
  const wasm = join(
    dirname(createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg")),
    "schema_engine_bg.wasm",
  )
  const { instance } = await WebAssembly.instantiate(readFileSync(wasm), {
    "./schema_engine_bg.js": engineBindings as never,
  })
  const bindings = engineBindings as unknown as {
    __wbg_set_wasm(exports: unknown): void
    SchemaEngine: { new: (...a: unknown[]) => Promise<Engine> }
  }
  bindings.__wbg_set_wasm(instance.exports)
  ;(instance.exports as { __wbindgen_start(): void }).__wbindgen_start()
  const factory = readingCharColumns(new PrismaPg({ connectionString: env().databaseUrl }, { schema: "public" }))
  const adapter = bindMigrationAwareSqlAdapterFactory(factory)
  return bindings.SchemaEngine.new({ datamodels: files.map(({ path, content }) => [path, content]) }, () => {}, adapter)
}

type Field = { dataTypeID: number }
type Adapter = {
  performIO(query: unknown): Promise<{ fields: Field[] }>
  queryRaw(query: unknown): Promise<{ columnTypes: number[] }>
}

/** The catalog speaks in PostgreSQL's "char", a type that the adapter does not know: it is read as text. */
function readingCharColumns(factory: PrismaPg): PrismaPg {
  const connect = factory.connect.bind(factory)
  factory.connect = async () => {
    const adapter = await connect()
    const inner = adapter as unknown as Adapter
    const [performIO, queryRaw] = [inner.performIO.bind(inner), inner.queryRaw.bind(inner)]
    let charColumns: number[] = []
    inner.performIO = async (query) => {
      const result = await performIO(query)
      charColumns = result.fields.flatMap((field, index) => (field.dataTypeID === charOid ? [index] : []))
      result.fields = result.fields.map((field) =>
        field.dataTypeID === charOid ? { ...field, dataTypeID: textOid } : field,
      )
      return result
    }
    inner.queryRaw = async (query) => {
      const result = await queryRaw(query)
      for (const index of charColumns) result.columnTypes[index] = ColumnTypeEnum.Character
      return result
    }
    return adapter
  }
  return factory
}
