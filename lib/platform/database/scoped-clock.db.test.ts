import { beforeAll, expect, test } from "vitest"
import { pool, unscoped } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { newId } from "@/lib/platform/ids"
import { addAnyRow, dropConstraints, tables } from "@/e2e/support/platform/any-row"
import { anHourAhead, isDatabaseTime } from "@/e2e/support/platform/clocks"

type Given = Record<string, unknown>
type Delegate = { findFirst(): Promise<Given>; deleteMany(): Promise<unknown>; create(args: Given): Promise<Given> }
type Model = { dbName: string; fields: { name: string; dbName?: string }[] }

const { models } = (unscoped() as unknown as { _runtimeDataModel: { models: Record<string, Model> } })._runtimeDataModel
const projectId = newId()

beforeAll(dropConstraints)

test("every time that a new row leaves to its default is the database's, whatever the clock of the application says", async () => {
  const byName = await tables()
  const { rows } = await pool().query<{ table: string; column: string }>(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type = 'timestamp with time zone' AND column_default IS NOT NULL`,
  )
  let checked = 0
  for (const [name, { dbName, fields }] of Object.entries(models)) {
    const timed = rows.filter(({ table }) => table === dbName).map(({ column }) => fieldOf(fields, column))
    const table = byName.get(dbName)
    if (!table || !timed.length || !fields.some(({ name }) => name === "projectId")) continue
    const delegate = delegateOf(name)
    await addAnyRow(table, projectId)
    const row = await delegate.findFirst()
    await delegate.deleteMany()
    const data = Object.fromEntries(
      Object.entries(row).filter(([field]) => field !== "projectId" && !timed.includes(field)),
    )
    const added = await anHourAhead(() => delegate.create({ data }))
    for (const field of timed) expect(await isDatabaseTime(added[field] as Date), `${name} ${field}`).toBe(true)
    checked += 1
  }
  expect(checked).toBeGreaterThan(20)
})

function delegateOf(model: string): Delegate {
  const name = model.charAt(0).toLowerCase() + model.slice(1)
  return (db({ project: { id: projectId } }) as unknown as Record<string, Delegate>)[name] ?? expect.fail("no model")
}

function fieldOf(fields: Model["fields"], column: string): string {
  return fields.find(({ name, dbName }) => (dbName ?? name) === column)?.name ?? expect.fail(column)
}
