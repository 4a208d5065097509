import { describe, expect, it } from "vitest"
import { createRoutes, destinationOf, inTurn } from "@/lib/delivery/direct/route"
import type { Stub, StubOutcome } from "@/lib/platform/dns/stub"

describe("the route of a domain", () => {
  it("is looked up once in its time to live, of at least 5 minutes and at most a day", async () => {
    for (const [ttlSeconds, keptSeconds] of [
      [1, 300],
      [1_000, 1_000],
      [10_000_000, 86_400],
    ] as const) {
      const { routes, asked, pass } = routesWith({ "MX a.example": mx(ttlSeconds, "mx.a.example") })
      await Promise.all([routes.of("a.example"), routes.of("a.example")])
      pass(keptSeconds - 1)
      await routes.of("a.example")
      expect(asked).toEqual(["MX a.example"])
      pass(2)
      await routes.of("a.example")
      expect(asked).toHaveLength(2)
    }
  })

  it("is not believed to be missing for more than 5 minutes, and asked for again a minute after a failure", async () => {
    const { routes, asked, pass } = routesWith({
      "MX none.example": { kind: "missing", reason: "no-name", ttlSeconds: 86_400, secure: false },
      "MX broken.example": { kind: "error", reason: "server-failure" },
    })
    expect(await routes.of("none.example")).toEqual({ kind: "no_domain" })
    expect(await routes.of("broken.example")).toEqual({ kind: "unknown", reason: "server-failure" })
    pass(61)
    await routes.of("none.example")
    await routes.of("broken.example")
    expect(asked).toEqual(["MX none.example", "MX broken.example", "MX broken.example"])
    pass(240)
    await routes.of("none.example")
    expect(asked).toHaveLength(4)
  })

  it("has at most 20 hosts, the preferred ones first, and none that is not a host name", async () => {
    const many = Array.from({ length: 500 }, (_, at) => ({ exchange: `mx${at}.example`, priority: 500 - at }))
    const { routes } = routesWith({
      "MX many.example": {
        ...mx(60),
        values: [...many, { exchange: "a b.example", priority: 0 }, { exchange: "", priority: 0 }],
      },
    })
    const route = await routes.of("many.example")
    expect("hosts" in route && route.hosts.map(({ priority }) => priority)).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    )
  })

  it("keeps what DNSSEC secures although another lookup of the host fails", async () => {
    const { routes } = routesWith({
      "A mx.example": { kind: "found", values: ["192.0.2.1"], name: "mx.example", ttlSeconds: 60, secure: true },
      "AAAA mx.example": { kind: "error", reason: "timeout" },
    })
    expect(await routes.addressesOf("mx.example")).toMatchObject({ addresses: ["192.0.2.1"], secure: true })
  })
})

it("hosts of one preference take turns, and none comes before a preferred one", () => {
  const hosts = ["a", "b", "c", "d"].map((exchange, at) => ({ exchange, priority: at === 3 ? 5 : 10 }))
  const orders = new Set(
    Array.from({ length: 200 }, () =>
      inTurn(hosts, { number: Math.random, bytes: () => Buffer.alloc(0) })
        .map(({ exchange }) => exchange)
        .join(""),
    ),
  )
  expect([...orders].every((order) => order.startsWith("d"))).toBe(true)
  expect(orders.size).toBe(6)
})

describe("the destination of a domain", () => {
  it("is its provider where every server is the provider's", () => {
    const google = [at("aspmx.l.google.com", 1), at("alt1.aspmx.l.google.com", 5)]
    expect(destinationOf(google)).toMatchObject({ key: "Google", connections: 5, isEncrypted: true })
    expect(destinationOf([...google, at("mx.example", 10)]).key).not.toBe("Google")
    expect(destinationOf([at("notgoogle.com", 1)]).key).not.toBe("Google")
  })

  it("is else the set of its servers with their preferences, in any order", () => {
    const one = destinationOf([at("a.example", 10), at("b.example", 20)]).key
    expect(destinationOf([at("b.example", 20), at("a.example", 10)]).key).toBe(one)
    expect(destinationOf([at("a.example", 20), at("b.example", 10)]).key).not.toBe(one)
  })
})

function at(exchange: string, priority: number) {
  return { exchange, priority }
}

function mx(ttlSeconds: number, ...hosts: string[]) {
  const values = hosts.map((exchange) => ({ exchange, priority: 10 }))
  return { kind: "found" as const, values, name: "", ttlSeconds, secure: false }
}

/** DomainRoutes over these answers; all else is missing. */
function routesWith(answers: Record<string, StubOutcome<unknown>>) {
  const asked: string[] = []
  let nowMs = 0
  const stub = {
    ask: (kind: string, name: string) => {
      asked.push(`${kind} ${name}`)
      return Promise.resolve(
        answers[`${kind} ${name}`] ?? { kind: "missing", reason: "no-data", ttlSeconds: 60, secure: false },
      )
    },
    silentMs: () => 0,
    servers: [],
  } as unknown as Stub
  const routes = createRoutes(stub, { now: () => nowMs })
  return { routes, asked, pass: (seconds: number) => void (nowMs += seconds * 1_000) }
}
