import type { Prisma } from "@/prisma/generated/client"

type Models = Prisma.TypeMap["model"]
type Payload<M extends keyof Models> = Models[M]["payload"]

/** Models that have a `projectId`; the others belong to no project and do not exist in a scope. */
export type ScopedModel = {
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
export type ScopedOperation = Find | Write | Batch | "count" | "aggregate" | "groupBy"

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

/** What a list of a model may be filtered by. */
export type ScopedWhere<M extends ScopedModel> = NonNullable<ScopedArgs<M, "findMany">["where"]>

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
export type ScopedDelegate<M extends ScopedModel> = {
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
