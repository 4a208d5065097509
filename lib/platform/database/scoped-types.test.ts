import { expectTypeOf, test } from "vitest"
import { shown } from "@/lib/platform/database/shape"
import type { ScopedDb } from "@/lib/platform/database/scoped-db"
import type { Prisma } from "@/prisma/generated/client"

// tsc is what fails here: each refused line carries a @ts-expect-error, which is itself an error where nothing is refused.

const shape = {
  id: true,
  projectId: true,
  name: true,
  description: true,
  defaultSubscription: true,
  visibility: true,
  optInCount: false,
  optOutCount: false,
  deletedAt: false,
  createdAt: true,
  updatedAt: true,
} as const satisfies Record<Prisma.TopicScalarFieldEnum, boolean>

type Row = Prisma.TopicGetPayload<{ select: typeof shape }>
type Shown = { id: string; object: "topic"; name: string; description?: string | undefined }

const { optInCount: _, ...withoutColumn } = shape
const fresh = { id: "", name: "", defaultSubscription: "opt_in" }

/** Never called: it is there for tsc. */
async function refused(db: ScopedDb, row: Row) {
  const { id, name } = row
  // @ts-expect-error A column that the shape does not mention.
  void (withoutColumn satisfies Record<Prisma.TopicScalarFieldEnum, boolean>)
  // @ts-expect-error A column that the shape leaves out is not in the row.
  void row.deletedAt

  void shown<Shown>()({ id, name, object: "topic", description: undefined })
  // @ts-expect-error A required field is missing.
  void shown<Shown>()({ id, object: "topic", description: undefined })
  // @ts-expect-error An optional field is missing.
  void shown<Shown>()({ id, name, object: "topic" })
  // @ts-expect-error The visibility is read and not shown.
  void shown<Shown>()({ id, name, object: "topic", description: undefined, visibility: row.visibility })

  // @ts-expect-error Users belong to no project.
  void db.user
  // @ts-expect-error The scope decides on the project.
  await db.topic.findMany({ where: { projectId: "" } })
  // @ts-expect-error The scope decides on the project of a new row.
  await db.topic.create({ data: { ...fresh, projectId: "" } })
  // @ts-expect-error The same of many.
  await db.topic.createMany({ data: [{ ...fresh, projectId: "" }] })
  // @ts-expect-error The same in an upsert.
  await db.topic.upsert({ where: { id: "" }, create: { ...fresh, projectId: "" }, update: {} })
  // @ts-expect-error No row changes its project.
  await db.topic.updateMany({ data: { projectId: "" } })
  // @ts-expect-error connect
  await db.topic.create({ data: { ...fresh, project: { connect: { id: "" } } } })
  // @ts-expect-error connectOrCreate
  await db.topic.create({ data: { ...fresh, preferences: { connectOrCreate: [] } } })
  // @ts-expect-error A write through a relation.
  await db.topic.update({ where: { id: "" }, data: { preferences: { deleteMany: {} } } })

  // @ts-expect-error A relation that leads out.
  await db.topic.findMany({ select: { project: true } })
  // @ts-expect-error The same with include.
  await db.topic.findMany({ include: { project: { select: { organization: true } } } })
  // @ts-expect-error Through another relation.
  await db.topic.findMany({ select: { preferences: { select: { contact: { select: { project: true } } } } } })
  // @ts-expect-error In a filter.
  await db.topic.findMany({ where: { OR: [{ project: { name: "x" } }] } })
  // @ts-expect-error In an order.
  await db.topic.findMany({ orderBy: { project: { name: "asc" } } })
  // @ts-expect-error A cursor is searched for in all projects.
  await db.topic.findMany({ cursor: { id: "" } })

  // @ts-expect-error No such column.
  await db.topic.findMany({ where: { colour: "red" } })
  // @ts-expect-error No such column to write.
  await db.topic.create({ data: { ...fresh, colour: "red" } })
  // @ts-expect-error A required column is missing.
  await db.topic.create({ data: { id: "", name: "" } })
}

/** Never called either: the answers have the types that the arguments ask for. */
async function inferred(db: ScopedDb) {
  const topics = await db.topic.findMany({
    where: { deletedAt: null },
    select: { id: true, preferences: { select: { contact: true } } },
  })
  expectTypeOf(topics[0]?.preferences[0]?.contact.email).toEqualTypeOf<string | undefined>()
  const topic = await db.topic.findUnique({ where: { id: "", deletedAt: null }, select: shape })
  expectTypeOf(topic).toEqualTypeOf<Row | null>()
  const [changed] = await db.topic.updateManyAndReturn({
    where: { id: "" },
    data: { name: "" },
    select: { name: true },
  })
  expectTypeOf(changed).toEqualTypeOf<{ name: string } | undefined>()
  expectTypeOf(await db.topic.createMany({ data: [fresh], skipDuplicates: true })).toEqualTypeOf<{ count: number }>()
  expectTypeOf(await db.contact.count()).toEqualTypeOf<number>()
  const totals = await db.contact.groupBy({ by: ["engagementTier"], _count: true })
  expectTypeOf(totals[0]?.engagementTier).toEqualTypeOf<string | null | undefined>()
  const { _max } = await db.topic.aggregate({ _max: { optInCount: true } })
  expectTypeOf(_max.optInCount).toEqualTypeOf<number | null>()
  const member = { projectId_segmentId_contactId: { segmentId: "", contactId: "" } }
  expectTypeOf((await db.segmentMember.findUnique({ where: member }))?.origin).toEqualTypeOf<string | undefined>()
  expectTypeOf(await db.$transaction((tx) => tx.topic.count())).toEqualTypeOf<number>()
}

test("what a scope refuses does not compile, and its answers have the types that were asked for", () => {
  expectTypeOf(refused).toBeFunction()
  expectTypeOf(inferred).toBeFunction()
})
