import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import type { Prisma } from "@/prisma/generated/client"

/** A project to act on: a `Scope`, or for later work the project of the row at hand. */
export type InProject = { project: { id: string } }

const operations = new Set([
  ...["findUnique", "findUniqueOrThrow", "findFirst", "findFirstOrThrow", "findMany", "count", "aggregate", "groupBy"],
  ...["create", "createMany", "createManyAndReturn", "update", "updateMany", "updateManyAndReturn", "upsert"],
  ...["delete", "deleteMany"],
])

/**
 * Prisma within one project: every filter and every new row gets its `projectId`, models and relations that belong to no
 * project are refused, by the types and at run time. Raw SQL passes through and names `project_id` itself.
 */
export function db(scope: InProject, on: Prisma.TransactionClient = unscoped()): ScopedDb {
  return new Proxy({}, { get: (_, name) => memberOf(on, scope.project.id, name) }) as ScopedDb
}

function memberOf(on: Prisma.TransactionClient, projectId: string, name: string | symbol): unknown {
  if (name === "$queryRaw" || name === "$executeRaw") return on[name].bind(on)
  if (name === "$transaction") return (work: (tx: ScopedDb) => Promise<unknown>) => begin(on, projectId, work)
  const model = models().get(String(name))
  if (!model) return undefined
  if (!modelMap().scoped.has(model)) throw new Error(`${model} belongs to no project.`)
  return delegateOf(on, projectId, model, String(name))
}

function begin(on: Prisma.TransactionClient, projectId: string, work: (tx: ScopedDb) => Promise<unknown>) {
  const within = (tx: Prisma.TransactionClient) => work(db({ project: { id: projectId } }, tx))
  return on === unscoped() ? unscopedTransaction(within) : on.$transaction(within)
}

type Delegate = Record<string, (args: unknown) => Promise<unknown>>

function delegateOf(on: Prisma.TransactionClient, projectId: string, model: string, name: string): unknown {
  const delegate = (on as unknown as Record<string, Delegate>)[name]
  const run = (operation: string) => {
    const method = delegate?.[operation]
    if (!method || !operations.has(operation)) return undefined
    // Async, so that the answer is a plain promise: Prisma's own has methods that follow relations.
    return async (args: Record<string, unknown> = {}) => method(confine(modelMap(), model, operation, args, projectId))
  }
  return new Proxy({}, { get: (_, operation) => run(String(operation)) })
}

type DataModel = { models: Record<string, { fields: { name: string; kind: string; type: string }[] }> }

/** The client carries the schema it was generated from; Prisma declares no type for it, so tests hold what is read here. */
function dataModel(): DataModel {
  return (unscoped() as unknown as { _runtimeDataModel: DataModel })._runtimeDataModel
}

let known: ModelMap | undefined

/** The models of the schema and their relations. */
export function modelMap(): ModelMap {
  if (known) return known
  const all = Object.entries(dataModel().models)
  known = {
    scoped: new Set(
      all.filter(([, { fields }]) => fields.some(({ name }) => name === "projectId")).map(([name]) => name),
    ),
    relations: new Map(
      all.map(([name, { fields }]) => [
        name,
        new Map(fields.filter(({ kind }) => kind === "object").map((field) => [field.name, field.type])),
      ]),
    ),
  }
  return known
}

let names: Map<string, string> | undefined

/** Models by their name on the client: `apiKey` is `ApiKey`. */
function models(): Map<string, string> {
  return (names ??= new Map(
    [...modelMap().relations.keys()].map((name) => [name.charAt(0).toLowerCase() + name.slice(1), name]),
  ))
}

/** The fields of a model that are relations, with the model they lead to. */
type Relations = ReadonlyMap<string, string>

/** What the scope has to know of the schema. */
type ModelMap = {
  /** Relations by model. */
  relations: ReadonlyMap<string, Relations>
  /** Models that have a `projectId`. */
  scoped: ReadonlySet<string>
}

type Given = Record<string, unknown>

/** The field that the scope fills in, everywhere. */
const owner = "projectId"

const createCalls = new Set(["create", "createMany", "createManyAndReturn"])
const relationFilters = ["some", "every", "none", "is", "isNot"]

/**
 * The arguments of an operation, confined to one project: the filter names the project, and so does every new row.
 * @throws Error for arguments that name a project themselves, write relations, or read relations that lead out
 */
function confine(map: ModelMap, model: string, operation: string, args: Given, projectId: string): Given {
  const { where, data, create, update, ...rest } = args
  inspectReading(map, model, rest)
  const creates = createCalls.has(operation)
  return {
    ...rest,
    ...(!creates && { where: confineFilter(map, model, where, projectId) }),
    ...(data !== undefined && {
      data: eachRow(data, (row) => columnsOf(map, model, row, creates ? projectId : undefined)),
    }),
    ...(create !== undefined && { create: columnsOf(map, model, create, projectId) }),
    ...(update !== undefined && { update: columnsOf(map, model, update) }),
  }
}

/** `undefined` leaves a column alone, or to its default: Prisma would refuse it. */
function columnsOf(map: ModelMap, model: string, given: unknown, projectId?: string): Given {
  const row: Given = {}
  for (const [column, value] of Object.entries(given as Given)) {
    if (column === owner) refuse(model, "the scope decides on projectId")
    if (relationOf(map, model, column)) refuse(model, `a write through ${column} is not scoped`)
    if (value !== undefined) row[column] = value
  }
  return projectId === undefined ? row : { ...row, [owner]: projectId }
}

function confineFilter(map: ModelMap, model: string, given: unknown, projectId: string): Given {
  const filter = (given ?? {}) as Given
  if (owner in filter) refuse(model, "the scope decides on projectId")
  inspectFilter(map, model, filter)
  const compound = Object.entries(filter).filter(([key]) => key.includes("_") && key.split("_").includes(owner))
  const keys = compound.map(([key, values]) => {
    if (owner in (values as Given)) refuse(model, "the scope decides on projectId")
    return [key, { ...(values as Given), [owner]: projectId }]
  })
  return { ...filter, ...Object.fromEntries(keys), [owner]: projectId }
}

/** select, include, where and orderBy, at any depth. */
function inspectReading(map: ModelMap, model: string, args: Given): void {
  // A cursor is found without the filter, so it would reveal whether a row of another project exists.
  if (args.cursor !== undefined) refuse(model, "a cursor is not scoped; filter by id")
  for (const fields of [args.select, args.include]) inspectFields(map, model, fields)
  inspectFilter(map, model, args.where)
  for (const order of list(args.orderBy)) {
    for (const [field, nested] of entries(order)) {
      const target = targetWithin(map, model, field)
      if (target) inspectReading(map, target, { orderBy: nested })
    }
  }
}

function inspectFields(map: ModelMap, model: string, fields: unknown): void {
  for (const [field, nested] of entries(fields)) {
    if (field === "_count") inspectFields(map, model, (nested as Given).select)
    const target = targetWithin(map, model, field)
    if (target && isPlain(nested)) inspectReading(map, target, nested)
  }
}

function inspectFilter(map: ModelMap, model: string, filter: unknown): void {
  for (const [key, value] of list(filter).flatMap(entries)) {
    if (key === "AND" || key === "OR" || key === "NOT") inspectFilter(map, model, value)
    const target = targetWithin(map, model, key)
    if (!target) continue
    for (const [how, nested] of entries(value)) if (relationFilters.includes(how)) inspectFilter(map, target, nested)
    inspectFilter(map, target, value)
  }
}

/** The model that a relation leads to; undefined for columns. */
function targetWithin(map: ModelMap, model: string, field: string): string | undefined {
  const target = relationOf(map, model, field)
  if (target && !map.scoped.has(target)) refuse(model, `${field} leads out of the project`)
  return target
}

function relationOf(map: ModelMap, model: string, field: string): string | undefined {
  return map.relations.get(model)?.get(field)
}

function eachRow(data: unknown, of: (row: unknown) => Given): Given | Given[] {
  return Array.isArray(data) ? data.map(of) : of(data)
}

function list(given: unknown): unknown[] {
  return Array.isArray(given) ? given : [given]
}

function entries(given: unknown): [string, unknown][] {
  return isPlain(given) ? Object.entries(given) : []
}

function isPlain(given: unknown): given is Given {
  return typeof given === "object" && given !== null && !Array.isArray(given) && !(given instanceof Date)
}

function refuse(model: string, why: string): never {
  throw new Error(`Refused on ${model}: ${why}.`)
}
