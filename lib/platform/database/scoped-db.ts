import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
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

type Models = Prisma.TypeMap["model"]
type Payload<M extends keyof Models> = Models[M]["payload"]

/** Models that have a `projectId`; the others belong to no project and do not exist in a scope. */
type ScopedModel = {
  [M in keyof Models]: "projectId" extends keyof Payload<M>["scalars"] ? M : never
}[keyof Models]

/** Names of the relations that lead from a project's rows to rows that belong to no project, such as `project`. */
type LeadingOut = {
  [M in ScopedModel]: {
    [R in keyof Payload<M>["objects"]]: TargetOf<Payload<M>["objects"][R]> extends ScopedModel ? never : R
  }[keyof Payload<M>["objects"]]
}[ScopedModel]

type TargetOf<Related> = Related extends { name: infer Name } | { name: infer Name }[] ? Name : never

type Operations<M extends ScopedModel> = Models[M]["operations"]
type Find = "findUnique" | "findUniqueOrThrow" | "findFirst" | "findFirstOrThrow" | "findMany"
type Write = "create" | "createManyAndReturn" | "update" | "updateManyAndReturn" | "upsert" | "delete"
type Batch = "createMany" | "updateMany" | "deleteMany"
type ScopedOperation = Find | Write | Batch | "count" | "aggregate" | "groupBy"

type Created<M extends ScopedModel> = Omit<Item<Operations<M>["createMany"]["args"]["data"]>, "projectId">
type Item<Data> = Data extends readonly unknown[] ? never : Data
type Updated<M extends ScopedModel> = Omit<Operations<M>["updateMany"]["args"]["data"], "projectId">

/** A filter without the project: the scope adds it, to compound keys as well. */
type Filter<Where> = Where extends typeof Prisma.skip
  ? never
  : Where extends object
    ? {
        [K in keyof Where as K extends "projectId" | LeadingOut ? never : K]: K extends `projectId_${string}`
          ? Omit<Exclude<Where[K], typeof Prisma.skip>, "projectId">
          : Where[K]
      }
    : Where

/** The arguments of an operation as Prisma declares them, but for what the scope decides. */
export type ScopedArgs<M extends ScopedModel, O extends ScopedOperation> = {
  [K in keyof Operations<M>[O]["args"] as K extends "cursor" ? never : K]: K extends "where"
    ? Filter<Operations<M>[O]["args"][K]>
    : K extends "create"
      ? Created<M>
      : K extends "update"
        ? Updated<M>
        : K extends "data"
          ? O extends "create"
            ? Created<M>
            : O extends "createMany" | "createManyAndReturn"
              ? Created<M> | Created<M>[]
              : Updated<M>
          : Operations<M>[O]["args"][K]
}

/** Has tsc refuse unknown keys, and relations that lead out at any depth. */
type Checked<A, Declared> = {
  [K in keyof A]: K extends keyof Declared
    ? K extends "data" | "create" | "update"
      ? Known<A[K], Declared[K]>
      : Inside<A[K]>
    : never
} & (A extends { select: unknown; include: unknown } ? "Please either choose `select` or `include`." : unknown)

type Known<Data, Declared> = Data extends readonly (infer One)[]
  ? readonly Known<One, Item<Declared>>[]
  : { [K in keyof Data]: K extends KeysOf<Item<Declared>> ? Data[K] : never }
type KeysOf<Union> = Union extends unknown ? keyof Union : never

/** What these compare with may be JSON, of any keys. */
type ValueFilter = "equals" | "not"

type Inside<Given> = Given extends Date | Uint8Array
  ? Given
  : Given extends object
    ? { [K in keyof Given]: K extends LeadingOut ? never : K extends ValueFilter ? Given[K] : Inside<Given[K]> }
    : Given

type Answer<M extends ScopedModel, A, O extends ScopedOperation> = Promise<
  Prisma.Result<{ [K: symbol]: { types: Models[M] } }, A, O>
>

/** The operations of one model within a project. */
type ScopedDelegate<M extends ScopedModel> = {
  [O in Exclude<ScopedOperation, OptionalArgs>]: <A extends ScopedArgs<M, O>>(
    args: A & Checked<A, ScopedArgs<M, O>>,
  ) => Answer<M, A, O>
} & {
  [O in OptionalArgs]: <A extends ScopedArgs<M, O>>(args?: A & Checked<A, ScopedArgs<M, O>>) => Answer<M, A, O>
}
type OptionalArgs = "findFirst" | "findFirstOrThrow" | "findMany" | "count" | "deleteMany"

type RawQueries = Pick<Prisma.TransactionClient, "$queryRaw" | "$executeRaw">

/** The models of one project, on the pool or in a transaction. Raw SQL is not scoped: it names `project_id` itself. */
export type ScopedDb = { [M in ScopedModel as Uncapitalize<M>]: ScopedDelegate<M> } & RawQueries & {
    /**
     * Runs `work` in one transaction, and once more when it lost a deadlock, so `work` changes nothing but the database.
     * Within a transaction it is a savepoint: its writes are undone when `work` throws, and the outer transaction goes on.
     */
    $transaction<T>(work: (tx: ScopedDb) => Promise<T>): Promise<T>
  }
