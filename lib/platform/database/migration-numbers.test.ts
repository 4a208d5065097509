import { expect, test } from "vitest"
import { readDatabaseFiles } from "@/lib/platform/database/migrations"

test("migrations are numbered one after the other, each number once", () => {
  const numbers = readDatabaseFiles().migrations.map(({ name }) => Number(name.slice(0, 4)))
  expect(numbers).toEqual(numbers.map((_, at) => at + 1))
})
