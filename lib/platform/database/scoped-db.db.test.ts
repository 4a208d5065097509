import { beforeAll, beforeEach, describe, expect, test } from "vitest"
import { unscoped } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import { db, modelMap } from "@/lib/platform/database/scoped-db"
import { addAnyRow, dropConstraints, rowsOf, tables, type Table } from "@/e2e/support/platform/any-row"
import { Prisma } from "@/prisma/generated/client"

type Given = Record<string, unknown>
type Delegate = Record<string, (args?: Given) => Promise<unknown>>
type Field = { name: string; kind: string; type: string; dbName?: string }
type Model = { dbName: string; fields: Field[] }

/** Prisma's own description of the schema, which carries the tables and columns too. */
const { models } = (unscoped() as unknown as { _runtimeDataModel: { models: Record<string, Model> } })._runtimeDataModel
const scoped = Object.entries(models).filter(([, { fields }]) => fields.some(({ name }) => name === "projectId"))
const [own, foreign] = [newId(), newId()]
let byName: Map<string, Table>

beforeAll(async () => {
  await dropConstraints()
  byName = await tables()
})

test("every table with a project_id is a model of the scope, and no other", () => {
  const ofProjects = [...byName.values()].filter(({ columns }) => columns.some(({ name }) => name === "project_id"))
  expect(scoped.map(([, { dbName }]) => dbName).sort()).toEqual(ofProjects.map(({ name }) => name).sort())
  expect([...modelMap().scoped].sort()).toEqual(scoped.map(([name]) => name).sort())
  for (const name of Object.keys(Prisma.ModelName).filter((name) => !modelMap().scoped.has(name))) {
    expect(() => delegateOf(own, name)).toThrow(`${name} belongs to no project.`)
  }
})

describe.each(scoped)("%s", (name, model) => {
  const ours = delegateOf(own, name)
  const theirs = delegateOf(foreign, name)
  let table: Table
  let before: string[]
  /** The key of the foreign row; empty where the project itself is the key. */
  let where: Given = {}
  let data: Given = {}

  beforeEach(async () => {
    table = byName.get(model.dbName) ?? expect.fail("no table")
    await theirs.deleteMany?.()
    await ours.deleteMany?.()
    await addAnyRow(table, own)
    await addAnyRow(table, foreign)
    before = await rowsOf(table, foreign)
    const row = (await theirs.findFirst?.()) as Given
    where = keyOf(model, table, row)
    data = changeOf(model, table, row)
  })
  const untouched = async () => expect(await rowsOf(table, foreign)).toEqual(before)

  test("a row of another project is not found, counted or grouped", async () => {
    const [[key, value] = []] = Object.entries(where)
    const filter = key && !key.includes("_") ? { [key]: value } : ((value as Given | undefined) ?? {})
    expect(await theirs.findUnique?.({ where })).toMatchObject({ projectId: foreign })
    if (Object.keys(where).length) {
      expect(await ours.findUnique?.({ where })).toBeNull()
      await expect(ours.findUniqueOrThrow?.({ where })).rejects.toThrow()
      expect(await ours.findFirst?.({ where: filter })).toBeNull()
      await expect(ours.findFirstOrThrow?.({ where: filter })).rejects.toThrow()
      expect(await ours.findMany?.({ where: { OR: [filter, { NOT: filter }] } })).toMatchObject([{ projectId: own }])
    }
    expect(await ours.findMany?.()).toMatchObject([{ projectId: own }])
    expect(await ours.count?.()).toBe(1)
    expect(await ours.aggregate?.({ _count: true })).toEqual({ _count: 1 })
    expect(await ours.groupBy?.({ by: ["projectId"], _count: true })).toEqual([{ projectId: own, _count: 1 }])
  })

  test("a row of another project is neither changed nor deleted", async () => {
    if (Object.keys(where).length) {
      await expect(ours.update?.({ where, data })).rejects.toThrow()
      await expect(ours.delete?.({ where })).rejects.toThrow()
    }
    expect(await ours.updateMany?.({ data })).toEqual({ count: 1 })
    expect(await ours.updateManyAndReturn?.({ data })).toMatchObject([{ projectId: own }])
    expect(await ours.deleteMany?.()).toEqual({ count: 1 })
    await untouched()
  })

  test("a new row belongs to the project, even with the key of a row of another", async () => {
    const row = (await ours.findFirst?.()) as Given
    const { projectId: _, ...rest } = row
    await ours.deleteMany?.()
    expect(await ours.create?.({ data: rest })).toMatchObject({ projectId: own })
    await ours.deleteMany?.()
    expect(await ours.createMany?.({ data: [rest] })).toEqual({ count: 1 })
    await ours.deleteMany?.()
    expect(await ours.createManyAndReturn?.({ data: [rest] })).toMatchObject([{ projectId: own }])
    await ours.upsert?.({ where, create: rest, update: data }).catch(() => undefined)
    await untouched()
  })

  test("a project among the arguments is refused", async () => {
    const calls = [
      ours.findMany?.({ where: { projectId: foreign } }),
      ours.create?.({ data: { projectId: foreign } }),
      ours.createMany?.({ data: [{ projectId: foreign }] }),
      ours.createManyAndReturn?.({ data: [{ projectId: foreign }] }),
      ours.updateMany?.({ data: { projectId: foreign } }),
      ours.updateManyAndReturn?.({ data: { projectId: foreign } }),
      ours.update?.({ where, data: { projectId: foreign } }),
      ours.upsert?.({ where, create: { projectId: foreign }, update: {} }),
      ours.upsert?.({ where, create: {}, update: { projectId: foreign } }),
      ours.findMany?.({ where: { projectId_id: { projectId: foreign, id: newId() } } }),
      ours.findMany?.({ cursor: where }),
    ]
    for (const call of calls) await expect(call).rejects.toThrow(`Refused on ${name}`)
    await untouched()
  })

  test("no relation is written, and none that leads out is read, at any depth", async () => {
    for (const { name: relation } of model.fields.filter(({ kind }) => kind === "object")) {
      for (const write of ["connect", "connectOrCreate", "create", "update"]) {
        await expect(ours.create?.({ data: { [relation]: { [write]: {} } } })).rejects.toThrow(`Refused on ${name}`)
        await expect(ours.updateMany?.({ data: { [relation]: { [write]: {} } } })).rejects.toThrow(`Refused on ${name}`)
      }
    }
    for (const path of pathsOut(name)) {
      const calls = [
        {
          select: path.reduceRight<unknown>((inner, at) => ({ [at]: inner === true ? true : { select: inner } }), true),
        },
        {
          include: path.reduceRight<unknown>(
            (inner, at) => ({ [at]: inner === true ? true : { include: inner } }),
            true,
          ),
        },
        { where: path.reduceRight<unknown>((inner, at) => ({ AND: [{ [at]: { is: inner } }] }), {}) },
        { where: path.reduceRight<unknown>((inner, at) => ({ [at]: { some: inner } }), {}) },
        { where: path.reduceRight<unknown>((inner, at) => ({ OR: { [at]: inner } }), {}) },
        { orderBy: [path.reduceRight<unknown>((inner, at) => ({ [at]: inner }), { id: "asc" })] },
      ]
      for (const call of calls) await expect(ours.findMany?.(call as Given)).rejects.toThrow("leads out of the project")
    }
  })
})

function delegateOf(projectId: string, model: string): Delegate {
  const name = model.charAt(0).toLowerCase() + model.slice(1)
  return (db({ project: { id: projectId } }) as unknown as Record<string, Delegate>)[name] ?? expect.fail("no model")
}

/** Relations from a model to one that belongs to no project, over up to two others. */
function pathsOut(model: string, depth = 0): string[][] {
  return (models[model]?.fields ?? [])
    .filter(({ kind }) => kind === "object")
    .flatMap(({ name, type }) => {
      if (!modelMap().scoped.has(type)) return [[name]]
      return depth < 2 ? pathsOut(type, depth + 1).map((path) => [name, ...path]) : []
    })
}

function fieldOf(model: Model, column: string): string {
  return model.fields.find(({ name, dbName }) => (dbName ?? name) === column)?.name ?? expect.fail(column)
}

/** The unique key of a row, without the project. */
function keyOf(model: Model, table: Table, row: Given): Given {
  const fields = table.primaryKey.map((column) => fieldOf(model, column))
  const key = Object.fromEntries(fields.filter((field) => field !== "projectId").map((field) => [field, row[field]]))
  return fields.length === 1 ? key : { [fields.join("_")]: key }
}

/** A change of one column to the value that it has; of the key where there is no other. */
function changeOf(model: Model, table: Table, row: Given): Given {
  const key = new Set(table.primaryKey.map((column) => fieldOf(model, column)))
  const fields = Object.keys(row).filter((field) => field !== "projectId")
  const field = fields.find((field) => !key.has(field)) ?? fields[0]
  return field ? { [field]: row[field] } : expect.fail("nothing to change")
}
