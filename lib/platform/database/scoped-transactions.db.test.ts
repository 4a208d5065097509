import { beforeAll, beforeEach, describe, expect, test } from "vitest"
import { newWorld, type World } from "@/e2e/support/world"
import { unscopedTransaction } from "@/lib/platform/database/db"
import { db, modelMap, type InProject, type ScopedDb } from "@/lib/platform/database/scoped-db"
import { nullIfTaken, sqlState } from "@/lib/platform/database/sql-errors"
import { newId } from "@/lib/platform/ids"
import { anHourAhead, isDatabaseTime } from "@/e2e/support/platform/clocks"
import { inDeadlock, makePairs } from "@/e2e/support/platform/rival"

let world: World
let scope: InProject
let other: InProject

beforeAll(makePairs)
beforeEach(async () => {
  world = await newWorld()
  scope = { project: { id: world.projectId } }
  other = { project: { id: (await newWorld()).projectId } }
})

const topic = (name = "News") => ({ id: newId(), name, defaultSubscription: "opt_in" })
const property = () => ({ id: newId(), key: "city", type: "string" })
const names = async (on: ScopedDb = db(scope)) =>
  (await on.topic.findMany({ select: { name: true }, orderBy: { id: "asc" } })).map(({ name }) => name)

describe("a transaction within a project", () => {
  test("stores all of its writes, or none when it throws", async () => {
    await db(scope).$transaction(async (tx) => {
      await tx.topic.create({ data: topic("A") })
      await tx.topic.create({ data: topic("B") })
      expect(await names()).toEqual([])
    })
    const failing = db(scope).$transaction(async (tx) => {
      await tx.topic.create({ data: topic("C") })
      await tx.$executeRaw`DELETE FROM topics WHERE project_id = ${world.projectId}::uuid`
      throw new Error("no")
    })
    await expect(failing).rejects.toThrow("no")
    expect(await names()).toEqual(["A", "B"])
  })

  test("undoes a savepoint alone, and runs on", async () => {
    await db(scope).$transaction(async (tx) => {
      await tx.topic.create({ data: topic("A") })
      const inner = tx.$transaction(async (savepoint) => {
        await savepoint.topic.create({ data: topic("B") })
        throw new Error("no")
      })
      await expect(inner).rejects.toThrow("no")
      await tx.$transaction((savepoint) => savepoint.topic.create({ data: topic("C") }))
    })
    expect(await names()).toEqual(["A", "C"])
  })

  test("is as confined as the client, savepoints and raw transactions included", async () => {
    const foreign = await db(other).topic.create({ data: topic("Foreign") })
    const confined = async (tx: ScopedDb) => {
      expect(await tx.topic.findUnique({ where: { id: foreign.id } })).toBeNull()
      expect(await tx.topic.deleteMany()).toEqual({ count: 0 })
      const named = tx.topic.updateMany({ data: { projectId: world.projectId } as never })
      await expect(named).rejects.toThrow("Refused on Topic")
      expect(() => (tx as unknown as { user: unknown }).user).toThrow("User belongs to no project.")
    }
    await db(scope).$transaction(confined)
    await db(scope).$transaction((tx) => tx.$transaction(confined))
    await unscopedTransaction((tx) => confined(db(scope, tx)))
    expect(await names(db(other))).toEqual(["Foreign"])
  })

  test("that loses a deadlock runs once more, and its first writes are undone", async () => {
    let runs = 0
    await inDeadlock((meet) =>
      db(scope).$transaction(async (tx) => {
        runs += 1
        await tx.topic.create({ data: topic("Once") })
        await tx.$executeRaw`SET LOCAL deadlock_timeout = '400ms'`
        await tx.$executeRaw`UPDATE pairs SET n = n + 1 WHERE id = 1`
        if (runs === 1) meet()
        await tx.$executeRaw`UPDATE pairs SET n = n + 1 WHERE id = 2`
      }),
    )
    expect(runs).toBe(2)
    expect(await names()).toEqual(["Once"])
  })

  test("waits for no network: other failures are not run again", async () => {
    let runs = 0
    await expect(
      db(scope).$transaction(() => {
        runs += 1
        return Promise.reject(new Error("no"))
      }),
    ).rejects.toThrow("no")
    expect(runs).toBe(1)
  })
})

describe("a row that a unique index refuses", () => {
  test("is null outside of a transaction", async () => {
    await db(scope).contactProperty.create({ data: property() })
    expect(await nullIfTaken(db(scope).contactProperty.create({ data: property() }))).toBeNull()
  })

  test("aborts its transaction, unless it is in a savepoint or skipped", async () => {
    await db(scope).contactProperty.create({ data: property() })
    const aborted = db(scope).$transaction(async (tx) => {
      expect(await nullIfTaken(tx.contactProperty.create({ data: property() }))).toBeNull()
      await tx.topic.create({ data: topic() })
    })
    expect(sqlState(await aborted.catch((error: unknown) => error))).toBe("25P02")
    await db(scope).$transaction(async (tx) => {
      const added = tx.$transaction((savepoint) => savepoint.contactProperty.create({ data: property() }))
      expect(await nullIfTaken(added)).toBeNull()
      expect(await tx.contactProperty.createMany({ data: [property()], skipDuplicates: true })).toEqual({ count: 0 })
      await tx.topic.create({ data: topic("Stored") })
    })
    expect(await names()).toEqual(["Stored"])
  })
})

test("undefined leaves a column alone, and is refused in a filter", async () => {
  const { id } = await db(scope).topic.create({ data: { ...topic(), description: undefined } })
  await db(scope).topic.update({ where: { id }, data: { name: "Changed", visibility: undefined } })
  expect(await db(scope).topic.findUnique({ where: { id } })).toMatchObject({ name: "Changed", visibility: "private" })
  await expect(db(scope).topic.deleteMany({ where: { id: undefined } })).rejects.toThrow()
  expect(await names()).toEqual(["Changed"])
})

test("a change moves updatedAt to the database's time, whatever the clock of the application says", async () => {
  const { id } = await db(scope).topic.create({ data: { ...topic(), updatedAt: new Date(0) } })
  const [row] = await anHourAhead(() =>
    db(scope).topic.updateManyAndReturn({ where: { id }, data: { name: "Changed" } }),
  )
  expect(await isDatabaseTime(row?.updatedAt ?? new Date(0))).toBe(true)
})

test("reads relations within the project, in answers, filters and orders", async () => {
  const { id: topicId } = await db(scope).topic.create({ data: topic() })
  const contact = { id: newId(), email: "ada@lovelace.example" }
  await db(scope).contact.create({ data: contact })
  await db(scope).topicPreference.create({ data: { topicId, contactId: contact.id, subscription: "opt_in" } })
  const select = {
    preferences: { where: { subscription: "opt_in" }, select: { contact: { select: { email: true } } } },
  }
  const where = { preferences: { some: { contact: { email: contact.email } } } }
  expect(await db(scope).topic.findMany({ where, select })).toEqual([
    { preferences: [{ contact: { email: contact.email } }] },
  ])
  const key = { projectId_topicId_contactId: { topicId, contactId: contact.id } }
  expect(await db(scope).topicPreference.findUnique({ where: key, select: { subscription: true } })).toEqual({
    subscription: "opt_in",
  })
  expect(await db(other).topicPreference.findUnique({ where: key })).toBeNull()
  const foreign = db(other).topicPreference.create({ data: { topicId, contactId: contact.id, subscription: "opt_in" } })
  expect(sqlState(await foreign.catch((error: unknown) => error))).toBe("23503")
})

test("JSON may have any keys, those that a scope refuses included", async () => {
  const properties = { project: "x", connect: "y", projectId: "z" }
  const { id } = await db(scope).contact.create({ data: { id: newId(), email: "ada@lovelace.example", properties } })
  const found = await db(scope).contact.findMany({
    where: { properties: { equals: properties } },
    select: { id: true },
  })
  expect(found).toEqual([{ id }])
})

test("the client still carries the schema that the scope reads", () => {
  expect(modelMap().relations.get("Topic")?.get("preferences")).toBe("TopicPreference")
  expect(modelMap().scoped.size).toBeGreaterThan(30)
})
