import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
import { countInWindows } from "@/lib/access/limits/windows-sql"
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

test.each([undefined, "", " \n"])("HTML that is missing or empty is refused: %j", async (html) => {
  const { status, json } = await validate(html)
  expect([status, json.code, json.errors[0].pointer]).toEqual([400, "request.invalid", "/html"])
})

test("a third check at once is refused with Retry-After, and a place is free again when one has ended", async () => {
  const answers: (() => void)[] = []
  const slow = createServer((_, response) => void answers.push(() => void response.end()))
  await new Promise<void>((resolve) => void slow.listen(0, "127.0.0.1", resolve))
  const link = `<a href="http://127.0.0.1:${(slow.address() as AddressInfo).port}/">x</a>`
  const running = [validate(link), validate(link)]
  await vi.waitFor(() => expect(answers).toHaveLength(2), { timeout: 5_000 })
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
  expect([refused.status, refused.json.code]).toEqual([503, "service.unavailable"])
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
  expect((await validate(html)).status, "another project").toBe(200)
})
