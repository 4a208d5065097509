import { beforeAll, expect, test } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newWorld, type World } from "@/e2e/support/world"
import { exportEmails } from "@/lib/emails/log/api"
import { eachEmail } from "@/lib/emails/log/data"
import { pool } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"

const mail = { from: "hello@acme.test", to: ["ada@lovelace.example"], subject: "Hello", text: "Hi" }

let world: World
beforeAll(async () => {
  world = await newWorld()
  await addVerifiedDomain(world)
})

const read = (query: Record<string, string> = {}, of = world) =>
  api("GET /v1/projects/{projectId}/emails/export", { key: of.apiKey, params: { projectId: of.project }, query })

const textOf = async (...given: Parameters<typeof read>) => (await read(...given)).response.text()

/** 1,205 emails as one statement. */
async function addMany(projectId: string) {
  await pool().query(
    `INSERT INTO emails (id, project_id, group_id, status, admitted_status, domain_id, from_header, to_headers, cc_headers,
        bcc_headers, subject, message_id)
      SELECT uuidv7(), $1, uuidv7(), 'delivered', 'queued', (SELECT id FROM domains WHERE project_id = $1), 'hello@acme.test',
        '{ada@lovelace.example}', '{}', '{}', 'Number ' || n, '<' || n || '@acme.test>' FROM generate_series(1, 1205) AS n`,
    [projectId],
  )
}

test("an export answers a CSV attachment whose cells no spreadsheet runs, with the filters of the list", async () => {
  await api("POST /v1/emails", { key: world.apiKey, body: { ...mail, subject: '=HYPERLINK("http://evil","x")' } })
  await api("POST /v1/emails", { key: world.apiKey, body: { ...mail, to: ["a@x.example"], cc: ["b@x.example"] } })
  const { status, headers, response } = await read()
  const text = await response.text()
  expect(status).toBe(200)
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8")
  expect(headers.get("content-disposition")).toBe(`attachment; filename="emails-${world.project}.csv"`)
  const lines = text.trimEnd().split("\r\n")
  expect(lines[0]).toBe("id,status,from,to,cc,bcc,subject,message_id,test_mode,error,scheduled_at,sent_at,created_at")
  expect(lines).toHaveLength(3)
  expect(lines[1]).toContain('"a@x.example","b@x.example"')
  expect(lines[2]).toContain(`"'=HYPERLINK(""http://evil"",""x"")"`)
  const filtered = await textOf({ recipient: "b@x.example" })
  expect(filtered.trimEnd().split("\r\n")).toHaveLength(2)
  expect((await textOf({ recipient: "no address" })).trimEnd().split("\r\n")).toHaveLength(1)
})

test("every email is in it once, newest first, whatever the number of groups", async () => {
  const many = await newWorld()
  await addVerifiedDomain(many)
  await addMany(many.projectId)
  const ids = (await textOf({}, many))
    .trimEnd()
    .split("\r\n")
    .slice(1)
    .map((line) => line.slice(1, 33))
  expect(ids).toHaveLength(1205)
  expect(ids).toEqual([...new Set(ids)].sort().reverse())
  expect(await textOf()).not.toContain("Number 1")
})

test("the next group is read only when the reader has taken the last one", async () => {
  const many = await newWorld()
  await addVerifiedDomain(many)
  await addMany(many.projectId)
  const groups = eachEmail({ project: { id: many.projectId } } as Scope, {})
  expect((await groups.next()).value).toHaveLength(500)
  expect((await groups.next()).value).toHaveLength(500)
  expect((await groups.next()).value).toHaveLength(205)
  expect((await groups.next()).done).toBe(true)
  expect(exportEmails.answers[2]).toBe("text/csv")
})
