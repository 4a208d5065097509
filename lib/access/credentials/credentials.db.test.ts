import { describe, expect, test } from "vitest"
import { api, newKey, newWorld } from "@/e2e/support/world"
import { mintKey } from "@/lib/access/credentials/keys"
import { statementsOf } from "@/e2e/support/platform/statements"
import { systemRandom } from "@/lib/platform/io"

const route = "GET /v1/projects/{projectId}"

describe("a request whose credential is no key", () => {
  test("is 401 with a challenge and the same words, whatever is wrong with it", async () => {
    const world = await newWorld()
    const { apiKey } = world
    const wrong = [
      "Bearer",
      "Bearer ",
      "Bearer  x",
      "Basic a2V5",
      `Bearer  ${apiKey}`,
      `Bearer ${apiKey.toLowerCase()}`,
      `Bearer ${apiKey} x`,
      `Bearer ${apiKey.replace("mr_live_", "MR_LIVE_")}`,
      `Bearer mr_live_${"x".repeat(8_192)}`,
      `Token ${apiKey}`,
      apiKey,
      `Bearer ${flipped(apiKey)}`,
      `Bearer ${mintKey(systemRandom).secret}`,
    ]
    const details = new Set<string>()
    for (const authorization of wrong) {
      const { status, headers, json } = await ask(world.project, { authorization })
      expect({ status, code: json.code }, authorization).toEqual({ status: 401, code: "auth.invalid_credentials" })
      expect(headers.get("www-authenticate")).toBe("Bearer")
      details.add(json.detail)
    }
    expect(details.size).toBe(1)
  })

  test("has no credentials, even if a key is sent elsewhere", async () => {
    const { project, apiKey } = await newWorld()
    const answer = await api(route, {
      params: { projectId: project },
      query: { api_key: apiKey },
      headers: { "x-api-key": apiKey },
    })
    expect({
      status: answer.status,
      code: answer.json.code,
      wwwAuthenticate: answer.headers.get("www-authenticate"),
    }).toEqual({ status: 401, code: "auth.missing_credentials", wwwAuthenticate: "Bearer" })
  })

  test("passes with the scheme in any case", async () => {
    const { project, apiKey } = await newWorld()
    for (const scheme of ["bearer", "BEARER", "Bearer"])
      expect((await ask(project, { authorization: `${scheme} ${apiKey}` })).status).toBe(200)
  })

  test("costs no statement where the checksum is wrong, and one where it is right", async () => {
    const { project, apiKey } = await newWorld()
    expect(await statementsOf(() => ask(project, { authorization: `Bearer ${flipped(apiKey)}` }))).toHaveLength(0)
    expect(
      await statementsOf(() => ask(project, { authorization: `Bearer ${mintKey(systemRandom).secret}` })),
    ).toHaveLength(1)
  })

  test("is 429 after 300 failures from its address in a minute, while good keys from there pass", async () => {
    const { project, projectId } = await newWorld()
    const { apiKey } = await newKey(projectId)
    const from = { "x-client-ip": "198.51.100.200" }
    const all = await Promise.all(
      Array.from({ length: 305 }, () => ask(project, { authorization: "Bearer x", ...from })),
    )
    expect(all.filter(({ status }) => status === 401)).toHaveLength(300)
    const refused = all.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(5)
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
    expect((await ask(project, { authorization: `Bearer ${apiKey}`, ...from })).status).toBe(200)
  })
})

test("400 failing keys from one IPv6 /64 are limited as one address; the next /64 and its IPv4 neighbour are not", async () => {
  const { project } = await newWorld()
  const failing = (ip: string) => ask(project, { authorization: "Bearer x", "x-client-ip": ip })
  const all = await Promise.all(
    Array.from({ length: 400 }, (_, n) => failing(`2001:db8:95:1:${(n * 163).toString(16)}::${n.toString(16)}`)),
  )
  expect(all.filter(({ status }) => status === 401)).toHaveLength(300)
  expect(all.filter(({ status }) => status === 429)).toHaveLength(100)
  expect((await failing("2001:db8:95:2::1")).status).toBe(401)
  const mapped = await Promise.all(
    Array.from({ length: 301 }, (_, n) => failing(n % 2 ? "198.51.100.201" : "::ffff:c633:64c9")),
  )
  expect(mapped.filter(({ status }) => status === 429)).toHaveLength(1)
})

function ask(projectId: string, headers: Record<string, string>) {
  return api(route, { params: { projectId }, headers })
}

function flipped(key: string): string {
  return key.slice(0, -1) + (key.endsWith("0") ? "1" : "0")
}
