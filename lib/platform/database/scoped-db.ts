import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { confine, type ModelMap } from "@/lib/platform/database/scoped-args"
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
