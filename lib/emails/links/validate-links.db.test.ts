import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
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

test("100 links are requested, at most ten at once, and the others are listed as skipped", async () => {
  requests = openMost = 0
  const { json } = await validate(Array.from({ length: 120 }, (_, i) => `<a href="${site()}/${i}">x</a>`).join(""))
  expect(json.totalLinks).toBe(120)
  expect(json.links.map((link: { status: string }) => link.status)).toEqual([
    ...Array(100).fill("ok"),
    ...Array(20).fill("skipped"),
  ])
  expect(requests).toBe(100)
  expect(openMost).toBeLessThanOrEqual(10)
})

test.each([undefined, "", " \n"])("HTML that is missing or empty is refused: %j", async (html) => {
  const { status, json } = await validate(html)
  expect([status, json.code, json.errors[0].pointer]).toEqual([400, "request.invalid", "/html"])
})
