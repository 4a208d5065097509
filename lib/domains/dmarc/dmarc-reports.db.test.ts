import { beforeEach, describe, expect, test } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newWorld, untilServed, type World } from "@/e2e/support/world"
import { dmarcStandings } from "@/lib/domains/dmarc/data"
import { sweepSteps } from "@/lib/worker/removal-sql"
import { reportOf } from "@/e2e/support/domains/dmarc-reports"
import { pool } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { decodeId, newId } from "@/lib/platform/ids"

const route = "/v1/projects/{projectId}/domains/{domainId}/dmarc"

let world: World
let domainId: string
beforeEach(async () => {
  world = await newWorld()
  domainId = await addVerifiedDomain(world, `acme-${world.projectId.slice(-12)}.com`)
})

const domain = () => `acme-${world.projectId.slice(-12)}.com`
const call = () => ({ key: world.apiKey, params: { projectId: world.project, domainId } })

async function upload(...files: [name: string, content: string][]) {
  const form = new FormData()
  for (const [name, content] of files) form.append("files", new Blob([content]), name)
  return (await untilServed(() => api(`POST ${route}/reports`, { ...call(), rawBody: form }))).json
}

const summary = async () => (await api(`GET ${route}/summary`, call())).json
const scope = () => ({ project: { id: world.projectId } })

describe("an upload of reports", () => {
  test("has a result for each file: accepted, duplicate, or refused with the reason", async () => {
    const report = reportOf({ domain: domain(), records: [{ count: 5 }, { count: 2, dkim: "fail", spf: "fail" }] })
    const other = reportOf({ domain: "other.example", reportId: "r2" })
    const answer = await upload(["a.xml", report], ["türkçe.xml", report], ["c.xml", "<html/>"], ["d.xml", other])
    expect(answer).toMatchObject({ accepted: 1, duplicates: 1, refused: 2 })
    expect(answer.results).toEqual([
      { file: "a.xml", status: "accepted", reporter: "receiver.example", reportId: "r1", messages: 7 },
      { file: "türkçe.xml", status: "duplicate", reporter: "receiver.example", reportId: "r1", messages: 7 },
      { file: "c.xml", status: "refused", reason: expect.stringMatching(/not a DMARC/) },
      { file: "d.xml", status: "refused", reason: expect.stringMatching(/about other\.example and has no messages/) },
    ])
    expect(await summary()).toMatchObject({ reports: 1, messages: 7, aligned: 5 })
  })

  test("counts a report once, however many uploads of it run at once", async () => {
    const report = reportOf({ domain: domain(), records: [{ count: 3 }] })
    const answers = await Promise.all(Array.from({ length: 5 }, () => upload(["a.xml", report])))
    expect(answers.map(({ accepted }) => accepted).sort()).toEqual([0, 0, 0, 0, 1])
    expect((await summary()).messages).toBe(3)
  })

  test("takes the same id of another reporter", async () => {
    const both = ["one.example", "two.example"].map((reporter) => reportOf({ domain: domain(), reporter }))
    expect(await upload(["a.xml", both[0] ?? ""], ["b.xml", both[1] ?? ""])).toMatchObject({ accepted: 2 })
  })

  test("takes only the messages of this domain from a report about the domain above", async () => {
    const records = [
      { count: 4 },
      { count: 9, headerFrom: "unrelated.com" },
      { count: 1, headerFrom: `news.${domain()}` },
    ]
    await upload(["a.xml", reportOf({ domain: domain(), records })])
    expect(await summary()).toMatchObject({ messages: 5 })
  })

  test("refuses a report from another time, and a form without files or with too many", async () => {
    const { results } = await upload(
      ["a.xml", reportOf({ domain: domain(), daysAgo: 500 })],
      ["b.xml", reportOf({ domain: domain(), daysAgo: -3 })],
    )
    expect(results.map(({ reason }: { reason: string }) => reason)).toEqual([
      expect.stringMatching(/older than the 400 days/),
      expect.stringMatching(/ends in the future/),
    ])
    const none = await api(`POST ${route}/reports`, { ...call(), rawBody: new FormData() })
    expect(none).toMatchObject({ status: 400 })
    const many = new FormData()
    for (let nth = 0; nth < 101; nth++) many.append("files", new Blob(["x"]), "x.xml")
    const refused = await api(`POST ${route}/reports`, { ...call(), rawBody: many })
    expect(refused.json).toMatchObject({
      status: 400,
      errors: [{ pointer: "form/files", detail: "At most 100 files are taken." }],
    })
  })
})

test("the summary adds up: rates, dispositions, sources by kind, days, and advice", async () => {
  // Usually at `send`: another one where the DNS of this machine answered for some names and not for others.
  const { mailFromDomain } = (await api("GET /v1/projects/{projectId}/domains/{domainId}", call())).json
  const files = Array.from({ length: 31 }, (_, nth): [string, string] => [
    `${nth}.xml`,
    reportOf({
      domain: domain(),
      reportId: `r${nth}`,
      daysAgo: nth + 1,
      records: [
        { count: 98, auth: `<spf><domain>${mailFromDomain}</domain><result>pass</result></spf>` },
        { count: 1, address: "198.51.100.7", dkim: "fail", spf: "fail", disposition: "none", auth: "" },
        {
          count: 1,
          address: "203.0.113.5",
          dkim: "fail",
          spf: "fail",
          reason: "forwarded",
          auth: "<spf><domain>list.example</domain><result>pass</result></spf>",
        },
      ],
    }),
  ])
  expect(await upload(...files)).toMatchObject({ accepted: 31 })
  const shown = await summary()
  expect(shown).toMatchObject({
    days: 31,
    reports: 29,
    messages: 2_900,
    aligned: 2_842,
    alignedRate: 0.98,
    dispositions: { none: 2_900, quarantine: 0, reject: 0 },
    policy: "none",
    unknownSources: 1,
    unknownMessages: 29,
    tightening: { current: "none", next: "quarantine", safe: true, reason: expect.stringContaining("198.51.100.7") },
  })
  expect(shown.sources).toEqual([
    { name: mailFromDomain, kind: "service", addresses: 1, messages: 2_842, aligned: 2_842 },
    { name: "198.51.100.7", kind: "unknown", addresses: 1, messages: 29, aligned: 0 },
    { name: "list.example", kind: "forwarder", addresses: 1, messages: 29, aligned: 0 },
  ])
  expect(shown.timeline).toHaveLength(29)
  expect(shown.timeline.at(-1)).toMatchObject({ messages: 100, aligned: 98 })
  expect(await dmarcStandings(scope())).toEqual([
    {
      ...{
        domainId: decodeId("dom", domainId),
        domain: domain(),
        policy: "none",
        days: 31,
        observed: 2_900,
        aligned: 2_842,
      },
      ...{ unknownMessages: 29, unknownSources: 1, observed7d: 600, failureRate7d: 0.02 },
    },
  ])
})

test("a domain without reports has a summary of zeros, no advice and no standing", async () => {
  const shown = await summary()
  expect(shown).toMatchObject({ days: 0, messages: 0, alignedRate: 0, sources: [], timeline: [] })
  expect(shown).not.toHaveProperty("tightening")
  expect(await dmarcStandings(scope())).toEqual([])
})

test("reports are listed by cursor, without gaps and repeats, in both directions", async () => {
  const files = Array.from({ length: 5 }, (_, nth): [string, string] => [
    `${nth}.xml`,
    reportOf({ domain: domain(), reportId: `r${nth}` }),
  ])
  await upload(...files)
  const page = async (after?: string) =>
    (await api(`GET ${route}/reports`, { ...call(), query: { size: 2, ...(after && { after }) } })).json
  const ids = (answer: { data: { reportId: string }[] }) => answer.data.map(({ reportId }) => reportId)
  const first = await page()
  const second = await page(first.cursor.nextCursor)
  const third = await page(second.cursor.nextCursor)
  expect([first, second, third].map(ids)).toEqual([["r4", "r3"], ["r2", "r1"], ["r0"]])
  expect(third.cursor.hasNextPage).toBe(false)
  expect(ids(await page(third.cursor.previousCursor))).toEqual(["r2", "r1"])
  expect((await api(`GET ${route}/reports`, { ...call(), query: { after: "forged" } })).status).toBe(404)
})

test("another project sees none of it, and reports go with their domain and their time", async () => {
  await upload(["a.xml", reportOf({ domain: domain() })])
  const other = await newWorld()
  const foreign = { key: other.apiKey, params: { projectId: other.project, domainId } }
  for (const path of ["summary", "reports"] as const)
    expect((await api(`GET ${route}/${path}`, foreign)).json).toMatchObject({ code: "domain.not_found" })
  expect(await dmarcStandings({ project: { id: other.projectId } })).toEqual([])
  const rows = async () =>
    (
      await pool().query<{ reports: number; sources: number }>(
        `SELECT (SELECT count(*)::int FROM dmarc_reports WHERE project_id = $1) AS reports,
          (SELECT count(*)::int FROM dmarc_sources WHERE project_id = $1) AS sources`,
        [world.projectId],
      )
    ).rows[0]
  expect(await rows()).toEqual({ reports: 1, sources: 1 })
  await pool().query("UPDATE dmarc_reports SET ended_at = now() - interval '401 days' WHERE project_id = $1", [
    world.projectId,
  ])
  await sweepSteps.find(({ name }) => name === "DMARC reports")?.run(pool())
  expect(await rows()).toEqual({ reports: 0, sources: 0 })
  await upload(["a.xml", reportOf({ domain: domain() })])
  await api("DELETE /v1/projects/{projectId}/domains/{domainId}", call())
  expect(await rows()).toEqual({ reports: 0, sources: 0 })
})

test("a sum beyond 32 bits is what it is", async () => {
  const at = new Date()
  for (const reportId of ["large-1", "large-2"])
    await db(scope()).dmarcReport.create({
      data: {
        ...{ id: newId(), domainId: decodeId("dom", domainId) ?? "", reporter: "x.example", reportId },
        ...{ policyDomain: domain(), policy: "none", beganAt: at, endedAt: at, day: at },
        ...{ messages: 2_147_483_647, aligned: 2_147_483_647 },
      },
    })
  const { timeline } = await summary()
  expect(timeline.at(-1)).toMatchObject({ messages: 4_294_967_294, aligned: 4_294_967_294 })
})
