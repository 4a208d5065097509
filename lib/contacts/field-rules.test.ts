import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { contactFieldNames } from "@/lib/contacts/field-rules"
import { columnOf } from "@/lib/platform/database/shape"

const sqlOf = (name: string) => readFileSync(`prisma/functions/${name}.sql`, "utf8")

test("a change of any text field of a contact moves its updated_at", () => {
  const trigger = /BEFORE UPDATE OF ([^;]*?) ON contacts\b/.exec(sqlOf("touch"))
  expect(trigger?.[1]?.split(/,\s*/)).toEqual(expect.arrayContaining(contactFieldNames.map(columnOf)))
})

test.each(contactFieldNames)(
  "webhooks are told of %s when a contact is created, changed, and changed in it",
  (field) => {
    const [sql, column] = [sqlOf("announce_contacts"), columnOf(field)]
    expect(sql.split(`'${field}', n.${column},`)).toHaveLength(3)
    expect(sql).toContain(`CASE WHEN n.${column} IS DISTINCT FROM o.${column} THEN '${field}' END`)
  },
)
