import { expect, test } from "vitest"
import { pool, unscoped } from "@/lib/platform/database/db"
import { makeLog } from "@/lib/platform/log"

const canary = "canary-7f3a"

type Failing = { name: string; says: string; fail: () => Promise<unknown> }

const failing: Failing[] = [
  {
    name: "an argument that Prisma refuses",
    says: "PrismaClientValidationError",
    fail: () => unscoped().user.create({ data: { id: 5, email: canary, [canary]: canary } as never }),
  },
  {
    name: "a value that a type refuses, Prisma",
    says: '"sqlState":"22P02"',
    fail: () => unscoped().$queryRaw`SELECT ${canary}::text::uuid`,
  },
  {
    name: "a value that a type refuses, pg",
    says: '"sqlState":"22P02"',
    fail: () => pool().query("SELECT $1::text::uuid", [canary]),
  },
  {
    name: "a row that a check refuses, Prisma",
    says: '"model":"Member","sqlState":"23514"',
    fail: () => unscoped().member.create({ data: { organizationId: nobody, userId: nobody, role: canary } }),
  },
  {
    name: "a row that a check refuses, pg",
    says: '"constraint":"members_role"',
    fail: () =>
      pool().query("INSERT INTO members (organization_id, user_id, role) VALUES ($1, $1, $2)", [nobody, canary]),
  },
]
const nobody = "00000000-0000-0000-0000-000000000000"

test.each(failing)(
  "$name: the log names the error and where it came from, and holds no value",
  async ({ says, fail }) => {
    const error = await fail().then(
      () => undefined,
      (raised: unknown) => raised,
    )
    const lines: string[] = []
    const log = makeLog({ write: (line) => lines.push(line) })
    log.error({ err: error }, "an operation failed")
    log.error({ err: new Error("outer", { cause: error }) }, "an operation failed")
    expect(lines.join("")).not.toContain(canary)
    for (const line of lines) expect(line).toContain(says)
  },
)

test("other errors keep their message, stack and cause", () => {
  const lines: string[] = []
  makeLog({ write: (line) => lines.push(line) }).error(
    { err: new Error("outer", { cause: new Error("inner") }) },
    "failed",
  )
  expect(JSON.parse(lines.join(""))).toMatchObject({ err: { message: "outer", cause: { message: "inner" } } })
  expect(lines.join("")).toContain("log-errors.db.test.ts")
})
