import { beforeEach, expect, test } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { tlsReportOf } from "@/e2e/support/inbound/report-mail"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { sweepSteps } from "@/lib/worker/removal-sql"

const route = "/v1/projects/{projectId}/domains/{domainId}/tls-reports"

let world: World
let domain: string
let domainId: string
beforeEach(async () => {
  world = await newWorld()
  domain = `acme-${world.projectId.slice(-12)}.com`
  domainId = await addVerifiedDomain(world, domain)
})

const call = () => ({ key: world.apiKey, params: { projectId: world.project, domainId } })
const summary = async () => (await api(`GET ${route}/summary`, call())).json

async function upload(...files: [name: string, content: string][]) {
  const form = new FormData()
  for (const [name, content] of files) form.append("files", new Blob([content]), name)
  return (await api(`POST ${route}`, { ...call(), rawBody: form })).json
}

async function rowsLeft() {
  const { rows } = await pool().query<{ reports: number; results: number }>(
    `SELECT (SELECT count(*)::int FROM tls_reports WHERE project_id = $1) AS reports,
      (SELECT count(*)::int FROM tls_report_results WHERE project_id = $1) AS results`,
    [world.projectId],
  )
  return rows[0]
}

test("an upload has a result for each file: accepted, duplicate, or refused with the reason", async () => {
  const report = tlsReportOf({ domain, succeeded: 7, failures: [{ result: "starttls-not-supported", sessions: 2 }] })
  const other = tlsReportOf({ domain: "other.example", reportId: "t2" })
  const answer = await upload(["a.json", report], ["b.json", report], ["c.json", "{}"], ["d.json", other])
  expect(answer).toMatchObject({ accepted: 1, duplicates: 1, refused: 2 })
  const known = { reporter: "Receiver Inc.", reportId: "t1", succeeded: 7, failed: 2 }
  expect(answer.results).toEqual([
    { file: "a.json", status: "accepted", ...known },
    { file: "b.json", status: "duplicate", ...known },
    { file: "c.json", status: "refused", reason: expect.stringMatching(/not a TLS report/) },
    { file: "d.json", status: "refused", reason: expect.stringMatching(/says nothing of acme-/) },
  ])
})

test("the summary adds up: sessions, reporters, failures by reason and server, and days", async () => {
  const failures = [
    { result: "certificate-expired", sessions: 5, host: "MX1.acme.test" },
    { result: "certificate-expired", sessions: 3, host: "mx1.acme.test" },
    { result: "starttls-not-supported", sessions: 20 },
  ]
  await upload(
    ["a.json", tlsReportOf({ domain, succeeded: 100, failures })],
    ["b.json", tlsReportOf({ domain: `send.${domain}`, reporter: "Other", succeeded: 3_000_000_000 })],
  )
  expect(await summary()).toMatchObject({
    ...{ domain, reports: 2, reporters: 2, succeeded: 3_000_000_100, failed: 28 },
    failures: [
      { result: "starttls-not-supported", policyType: "sts", sessions: 20 },
      { result: "certificate-expired", policyType: "sts", host: "mx1.acme.test", sessions: 8 },
    ],
    timeline: [{ succeeded: 3_000_000_100, failed: 28 }],
  })
})

test("reports are listed by cursor, the last one first", async () => {
  await upload(...["t1", "t2", "t3"].map((reportId): [string, string] => ["r.json", tlsReportOf({ domain, reportId })]))
  const page = async (after?: string) =>
    (await api(`GET ${route}`, { ...call(), query: { size: 2, ...(after && { after }) } })).json
  const ids = (answer: { data: { reportId: string }[] }) => answer.data.map(({ reportId }) => reportId)
  const first = await page()
  expect([ids(first), ids(await page(first.cursor.nextCursor))]).toEqual([["t3", "t2"], ["t1"]])
  expect(first.data[0]).toMatchObject({ source: "upload", contact: "tls@receiver.test" })
})

test("another project sees none of it, and reports go with their domain and their time", async () => {
  const report = tlsReportOf({ domain, failures: [{ result: "validation-failure", sessions: 1 }] })
  await upload(["a.json", report])
  const other = await newWorld()
  const foreign = { key: other.apiKey, params: { projectId: other.project, domainId } }
  for (const path of [route, `${route}/summary`] as const)
    expect((await api(`GET ${path}`, foreign)).json).toMatchObject({ code: "domain.not_found" })
  expect(await rowsLeft()).toEqual({ reports: 1, results: 1 })
  await pool().query("UPDATE tls_reports SET ended_at = now() - interval '401 days' WHERE project_id = $1", [
    world.projectId,
  ])
  await sweepSteps.find(({ name }) => name === "TLS reports")?.run(pool())
  expect(await rowsLeft()).toEqual({ reports: 0, results: 0 })
  await upload(["a.json", report])
  await api("DELETE /v1/projects/{projectId}/domains/{domainId}", call())
  expect(await rowsLeft()).toEqual({ reports: 0, results: 0 })
})
