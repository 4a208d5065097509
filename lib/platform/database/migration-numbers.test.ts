import { expect, test } from "vitest"
import { lastOfReleaseBefore, readDatabaseFiles } from "@/lib/platform/database/migrations"

test("migrations are numbered one after the other, each number once", () => {
  const numbers = readDatabaseFiles().migrations.map(({ name }) => Number(name.slice(0, 4)))
  expect(numbers).toEqual(numbers.map((_, at) => at + 1))
})

const takesAway =
  /\bDROP (TABLE|COLUMN|FUNCTION|TYPE|VIEW)\b|\bRENAME\b|\bSET NOT NULL\b|\bALTER COLUMN \w+ (SET DATA )?TYPE\b|\bADD CONSTRAINT \w+ (CHECK|UNIQUE|FOREIGN)\b|\bADD COLUMN (?!.*\bDEFAULT\b).*\bNOT NULL\b/i

test("no migration of this release takes away what the release before uses, which runs beside it", () => {
  const { migrations } = readDatabaseFiles()
  const own = migrations.slice(migrations.findIndex(({ name }) => name === lastOfReleaseBefore) + 1)
  expect(own.length).toBeLessThan(migrations.length)
  const found = own.flatMap(({ name, sql }) =>
    sql
      .split(/;$/m)
      // Such as a table that this release has made itself.
      .filter((statement) => takesAway.test(statement) && !/^-- not used by the release before: /m.test(statement))
      .map((statement) => `${name}: ${statement.trim()}`),
  )
  expect(found).toEqual([])
})
