import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test, vi } from "vitest"
import { Problem } from "@/lib/platform/http/problem"
import { spool } from "@/lib/platform/http/uploads"

const post = (body: BodyInit) => new Request("http://x", { method: "POST", body, duplex: "half" } as RequestInit)
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof Problem ? error.kind.code : error),
  )

const small = { bytesMax: 100, owner: "p" }

test("takes three bodies of one owner and twelve in all at once; then 503 until one is removed", async () => {
  const owners = ["a", "a", "a", "b", "b", "b", "c", "c", "c", "d", "d", "d"]
  const there = await Promise.all(owners.map((owner) => spool(post("x"), { bytesMax: 100, owner })))
  expect(await codeOf(spool(post("x"), { bytesMax: 100, owner: "e" }))).toBe("service.unavailable")
  await there.pop()?.remove()
  expect(await codeOf(spool(post("x"), { bytesMax: 100, owner: "a" }))).toBe("service.unavailable")
  expect(await codeOf(spool(post("x".repeat(101)), { bytesMax: 100, owner: "e" }))).toBe("request.too_large")
  there.push(await spool(post("x"), { bytesMax: 100, owner: "e" }))
  for (const { remove } of there) await remove()
})

test("stores a body unchanged on disk until it is removed", async () => {
  const spooled = await spool(post("a,b\r\n1,2\r\n"), small)
  expect(readFileSync(spooled.path, "utf8")).toBe("a,b\r\n1,2\r\n")
  expect(spooled.bytes).toBe(10)
  await spooled.remove()
  expect(existsSync(spooled.path)).toBe(false)
})

test("a body over its limit is cut off", async () => {
  expect(await codeOf(spool(post("x".repeat(101)), small))).toBe("request.too_large")
})

test("a body that falls silent is given up after 30 seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  try {
    const refused = codeOf(
      spool(post(new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("a")) })), small),
    )
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0))
    await vi.advanceTimersByTimeAsync(31_000)
    expect(await refused).toBe("request.timeout")
  } finally {
    vi.useRealTimers()
  }
})

test("a body that drips is given up after 30 minutes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] })
  try {
    let drip: NodeJS.Timeout | undefined
    const body = new ReadableStream({
      start: (controller) => void (drip = setInterval(() => controller.enqueue(Buffer.from("a")), 20_000)),
      cancel: () => clearInterval(drip),
    })
    const refused = codeOf(spool(post(body), small))
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(2))
    await vi.advanceTimersByTimeAsync(31 * 60_000)
    expect(await refused).toBe("request.timeout")
  } finally {
    vi.useRealTimers()
  }
})

test("a body that a killed process has left goes with the next one, an hour after its last byte, and nothing else does", async () => {
  const folder = mkdtempSync(join(tmpdir(), "spool-test-"))
  vi.stubEnv("TMPDIR", folder)
  try {
    const now = Date.now() + 2 * 3600_000
    const abandon = (name: string, minutesAgo: number) => {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, "body"), "ada@lovelace.example")
      utimesSync(join(folder, name, "body"), new Date(), new Date(now - minutesAgo * 60_000))
    }
    abandon("mailroom-body-left", 61)
    abandon("mailroom-body-live", 59)
    abandon("others", 500)
    const spooled = await spool(post("a"), { ...small, now })
    await spooled.remove()
    expect(readdirSync(folder).sort()).toEqual(["mailroom-body-live", "others"])
  } finally {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  }
})
