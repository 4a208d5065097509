import { readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { pathTable } from "@/lib/platform/http/paths"

const templates = readdirSync(join(import.meta.dirname, "../../../app/v1"), { recursive: true })
  .map((name) => `/v1/${String(name)}`)
  .filter((name) => name.endsWith("/route.ts"))
  .map(dirname)
const find = pathTable(templates.map((template) => [template, template] as const))

test("every route file of the API is found at its path", () => {
  expect(templates.length).toBeGreaterThan(90)
  const paths = templates.map((template) => template.replace("[...missing]", "nothing").replaceAll(/\[\w+\]/g, "x_1"))
  expect(paths.map(find)).toEqual(templates)
})

test.each([
  ["/v1/emails/batch", "/v1/emails/batch"],
  ["/v1/emails/batch/stream/token", "/v1/emails/[id]/stream/token"],
  ["/v1/emails/stream/stream/token", "/v1/emails/[id]/stream/token"],
  ["/v1/emails/email_1", "/v1/emails/[id]"],
  ["/v1/projects/a/emails/counts", "/v1/projects/[projectId]/emails/counts"],
  ["/v1/projects/a/emails/counts/events", "/v1/projects/[projectId]/emails/[emailId]/events"],
  ["/v1/emails/%62atch", "/v1/emails/[id]"],
  ["/v1/projects/a%2Femails", "/v1/projects/[projectId]"],
  ["/v1/projects/a/suppressions/ada%40b.example", "/v1/projects/[projectId]/suppressions/[email]"],
  ["/v1/projects/a/domains/b/bimi/nothing", "/v1/[...missing]"],
  ["/v1/emails/batch/stream", "/v1/[...missing]"],
  ["/v1/Emails", "/v1/[...missing]"],
  ["/v1/__proto__", "/v1/[...missing]"],
  ["/v1", null],
  ["/elsewhere", null],
])("%s is served by %s", (path, template) => {
  expect(find(path)).toBe(template)
})
