import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../../..")

/** Tables of the schema by the name of their model on the client. */
export function tablesOfSchema(): Map<string, string> {
  const text = filesBelow("prisma/schema", ".prisma").map(read).join("\n")
  return new Map(
    [...text.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)].map(([, model = "", body = ""]) => [
      model.charAt(0).toLowerCase() + model.slice(1),
      /@@map\("(\w+)"\)/.exec(body)?.[1] ?? model,
    ]),
  )
}

/** What writes to the database in production. Demo data and benchmarks fill tables in bulk, as no area of the product does. */
export function sources(): string[] {
  return [...filesBelow("lib", ".ts"), ...filesBelow("app", ".ts"), ...filesBelow("app", ".tsx")].filter(
    (file) => !/\.test\.tsx?$|^lib\/demo\//.test(file),
  )
}

export const functionFiles = () => filesBelow("prisma/functions", ".sql")

export const read = (file: string) => readFileSync(join(root, file), "utf8")

const sql = /\b(?:INSERT INTO|UPDATE|DELETE FROM|TRUNCATE)(?: ONLY)?\s+("?\w+|\$\{)/g
const prisma =
  /\.\s*(\w+)\s*\.\s*(?:create|createMany|createManyAndReturn|update|updateMany|updateManyAndReturn|upsert|delete|deleteMany)\(/g

/** A step of retention: its name, then the table. */
const step = /\b(?:deletion|agedDeletion|deletionWithin)\(\s*"[^"]*",\s*["`](\w+)/g

/** A statement that deletes rows. */
const deletion = /\bdeletionOf\(\s*["`](\w+)/g

/** A lease over rows of a table, or the end of work that it queues. */
const lease = /\b(?:claimRows|claimInTurn|extendLeases|endWork)(?:<[^(]*>)?\(\s*"(\w+)/g

/** A step of the removal of a project: the table. */
const removalStep = /\bremoval\(\s*"(\w+)/g

export type Written = {
  tables: Set<string>
  /** It has a statement whose table is known at run time alone. */
  dynamic: boolean
}

/** The tables that a source text writes: by raw SQL, by Prisma, by a step of retention or of a removal, or by a lease. */
export function writtenIn(text: string, tables: ReadonlyMap<string, string>): Written {
  const known = new Set(tables.values())
  const named = [...text.matchAll(sql)].map(([, name = ""]) => name.replace('"', ""))
  const called = [...text.matchAll(prisma)].flatMap(([, model = ""]) => tables.get(model) ?? [])
  const steps = [step, removalStep, deletion, lease].flatMap((call) =>
    [...text.matchAll(call)].map(([, name = ""]) => name),
  )
  return {
    tables: new Set([...[...named, ...steps].filter((name) => known.has(name)), ...called]),
    dynamic: named.includes("${"),
  }
}

/** Whether a source text writes a column of a table: in the SQL statement, or in the arguments of the Prisma call. */
export function writesColumn(text: string, { table, model, column }: { table: string; model: string; column: string }) {
  const insert = new RegExp(`INSERT INTO ${table}\\b[^(]*\\([^)]*\\b${column}\\b`)
  const update = new RegExp(`UPDATE ${table}\\b[^\`]*?\\b${column} =`)
  const call = new RegExp(`\\.\\s*${model}\\s*\\.\\s*(?:create|update|upsert)\\w*\\(`, "g")
  return (
    insert.test(text) ||
    update.test(text) ||
    [...text.matchAll(call)].some(({ index }) => argumentsAt(text, index).includes(`${column}:`))
  )
}

/** From the name of a call to its closing parenthesis. */
function argumentsAt(text: string, start: number): string {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === "(") depth++
    if (text[at] === ")" && --depth === 0) return text.slice(start, at)
  }
  return text.slice(start)
}

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))
    .sort()
}
