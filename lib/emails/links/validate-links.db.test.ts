import { expectProblem } from "@/e2e/support/expect-problem"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { measured } from "@/e2e/support/measured"
import { api, newWorld, type World } from "@/e2e/support/world"
import { countInWindows } from "@/lib/access/limits/data"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"

const route = "POST /v1/emails/validate"
let world: World
let requests = 0
let open = 0
let openMost = 0
const server = createServer((request, response) => {
  requests += 1
  openMost = Math.max(openMost, ++open)
  setTimeout(() => {
    open -= 1
    response.writeHead(request.url === "/gone" ? 404 : 200).end()
  }, 20)
})

beforeAll(async () => {
  provideEnv({ ALLOW_PRIVATE_WEBHOOKS: "127.0.0.0/8" })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  world = await newWorld()
})

afterAll(() => void server.close())

const validate = (html: unknown) => api(route, { key: world.apiKey, body: { html } })
const site = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

test("every link has a result, each URL once, counted by what became of it", async () => {
  const links = [
    `${site()}/`,
    `${site()}/gone`,
    "https://10.0.0.1/",
    "mailto:ada@lovelace.example",
    "/pricing",
    `${site()}/`,
  ]
  const { status, json } = await validate(links.map((href) => `<a href="${href}">x</a>`).join(""))
  expect(status).toBe(200)
  expect(json).toMatchObject({ totalLinks: 5, brokenLinks: 2, errorLinks: 1 })
  expect(json.links.map((link: { url: string; status: string }) => [link.url, link.status])).toEqual([
    [`${site()}/`, "ok"],
    [`${site()}/gone`, "broken"],
    ["https://10.0.0.1/", "error"],
    ["mailto:ada@lovelace.example", "skipped"],
    ["/pricing", "broken"],
  ])
})

test("100 links are requested, at most four at once of one host, and the others are listed as skipped", async () => {
  requests = openMost = 0
  const { json } = await validate(Array.from({ length: 120 }, (_, i) => `<a href="${site()}/${i}">x</a>`).join(""))
  expect(json.totalLinks).toBe(120)
  expect(json.links.map((link: { status: string }) => link.status)).toEqual([
    ...Array(100).fill("ok"),
    ...Array(20).fill("skipped"),
  ])
  expect(requests).toBe(100)
  expect(openMost, "requests at once").toBeLessThanOrEqual(4)
})

test.each([undefined, "", " \n"])("HTML that is missing or empty has no links: %j", async (html) => {
  const { status, json } = await validate(html)
  expect({ status, json }).toEqual({ status: 200, json: { brokenLinks: 0, errorLinks: 0, totalLinks: 0, links: [] } })
})

test("a third check at once is refused with Retry-After, and a place is free again when one has ended", async () => {
  const answers: (() => void)[] = []
  const slow = createServer((_, response) => void answers.push(() => void response.end()))
  await new Promise<void>((resolve) => void slow.listen(0, "127.0.0.1", resolve))
  const link = `<a href="http://127.0.0.1:${(slow.address() as AddressInfo).port}/">x</a>`
  const running = [validate(link), validate(link)]
  await vi.waitFor(() => expect(answers).toHaveLength(2), { timeout: 20_000 })
  const third = await validate(link)
  expect([third.status, third.json.code], "the third check").toEqual([503, "service.unavailable"])
  expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0)
  answers.forEach((answer) => answer())
  for (const { status } of await Promise.all(running)) expect(status, "the first two checks").toBe(200)
  expect((await validate('<a href="mailto:ada@lovelace.example">x</a>')).status, "a check after them").toBe(200)
  slow.close()
})

test("a project checks 1,000 links a minute, over all its requests", async () => {
  const other = await newWorld()
  await countInWindows([{ key: `links-checked:${other.projectId}`, points: 999, windowMs: 60_000 }])
  const html = '<a href="mailto:a@b.example">x</a><a href="mailto:c@d.example">y</a>'
  const refused = await api(route, { key: other.apiKey, body: { html } })
  expectProblem(refused, 503, "service.unavailable")
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
  expect((await validate(html)).status, "another project").toBe(200)
})

/** A server at every loopback address, so that one of them stands for many hosts. */
async function everywhere(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, "0.0.0.0", resolve))
  const { port } = server.address() as AddressInfo
  return {
    links: (from: number, count: number) =>
      Array.from({ length: count }, (_, nth) => `<a href="http://127.0.1.${from + nth}:${port}/${nth}">x</a>`).join(""),
    port,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

test(
  "silent hosts of many projects of one organization leave places free: a neighbour's link is checked at once",
  { ...measured, timeout: 30_000 },
  async () => {
    let silentOpen = 0
    const silent = await everywhere(() => void (silentOpen += 1))
    const worlds = [await newWorld(), await newWorld(), await newWorld(), await newWorld(), await newWorld()]
    await pool().query("UPDATE projects SET organization_id = $1 WHERE id = ANY ($2)", [
      worlds[0]?.organizationId,
      worlds.map(({ projectId }) => projectId),
    ])
    const running = worlds.map(({ apiKey }, nth) =>
      api(route, { key: apiKey, body: { html: silent.links(1 + nth * 20, 20) } }),
    )
    await vi.waitFor(() => expect(silentOpen).toBe(30), { timeout: 20_000 })
    const neighbour = await newWorld()
    const startedAt = performance.now()
    const { json } = await api(route, { key: neighbour.apiKey, body: { html: `<a href="${site()}/">x</a>` } })
    expect(json.links).toMatchObject([{ status: "ok" }])
    expect(performance.now() - startedAt, "milliseconds of the neighbour's check").toBeLessThan(2_000)
    expect(silentOpen, "requests to the silent hosts").toBe(30)
    silent.close()
    for (const { status } of await Promise.all(running)) expect(status).toBe(200)
  },
)

test("links of many hosts that all redirect to one are requested there at most four at once", async () => {
  let [open, most] = [0, 0]
  const target = createServer((_, response) => {
    most = Math.max(most, ++open)
    setTimeout(() => {
      open -= 1
      response.end()
    }, 30)
  })
  await new Promise<void>((resolve) => void target.listen(0, "127.0.0.1", resolve))
  const location = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`
  const many = await everywhere((_, response) => void response.writeHead(302, { location }).end())
  const { json } = await validate(many.links(1, 20))
  expect(new Set(json.links.map(({ status }: { status: string }) => status))).toEqual(new Set(["redirected"]))
  expect(most).toBeLessThanOrEqual(4)
  many.close()
  target.close()
})
