import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { contactFieldNames } from "@/lib/contacts/field-rules"
import { columnOf } from "@/lib/platform/database/shape"

test("a change of any text field of a contact moves its updated_at", () => {
  const trigger = /BEFORE UPDATE OF ([^;]*?) ON contacts\b/.exec(readFileSync("prisma/functions/touch.sql", "utf8"))
  expect(trigger?.[1]?.split(/,\s*/)).toEqual(expect.arrayContaining(contactFieldNames.map(columnOf)))
})
