import { describe, expect, test } from "vitest"
import { rawStatements } from "@/e2e/support/api/raw-statements"
import { read, sources } from "@/e2e/support/api/table-writers"

/** The last one joins a delivery with the move of its organization, which has no relation that Prisma could follow. */
const rawMax = 195

/** What runs before Prisma can: the server, its checks and the migrations. */
const beforePrisma = /^lib\/(?:cli\/supervisor|platform\/postgres|platform\/database\/(?:migrations|function-files))\b/

/** Which are no statements about data: transactions and LISTEN. */
const ofConnection = ["lib/platform/database/client.ts", "lib/platform/jobs/notifications.ts", "lib/worker/watch.ts"]

const isNamedForData = (file: string) => /\/data\.ts$|-sql\.ts$/.test(file)

describe("Raw SQL", () => {
  const raw = sources()
    .filter((file) => !beforePrisma.test(file))
    .map((file) => ({ file, statements: rawStatements(file) }))
    .filter(({ statements }) => statements.length > 0)
  const files = raw.map(({ file }) => file)

  test("is in files that are named for it", () => {
    expect(files.filter((file) => !isNamedForData(file) && !ofConnection.includes(file))).toEqual([])
  })

  test("has its reason beside it, once for a section or for a statement", () => {
    const reason = /\braw\b|\bon[\s*]+`?pg\b/i
    expect(files.filter((file) => isNamedForData(file) && !reason.test(read(file)))).toEqual([])
  })

  test(`is at most ${rawMax} statements: a new one is worth one that is no longer needed`, () => {
    const count = raw.reduce((sum, { statements }) => sum + statements.length, 0)
    expect(count).toBeGreaterThan(rawMax / 2)
    expect(count).toBeLessThanOrEqual(rawMax)
  })
})
