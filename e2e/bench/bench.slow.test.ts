import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { createServer, type AddressInfo } from "node:net"
import { expect, test } from "vitest"
import { KeyRing } from "@/e2e/bench/key-ring"
import { askOnce, loadFor, requestOf } from "@/e2e/bench/load"
import { figuresWhile, memoryMb } from "@/e2e/bench/process-figures"
import { processTree } from "@/e2e/bench/process-tree"
import { median, ratio, table } from "@/e2e/bench/table"

test("a median of rounds, and a ratio of rounds that ran beside each other", () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
  // The second round was slow for both.
  expect(ratio([80, 40, 90], [100, 50, 100])).toBe(0.8)
})

test("the table shows for each result whether its goal was met", () => {
  const lines = table([
    { what: "a", measured: "m", ratio: 0.85, goal: 0.8 },
    { what: "b", measured: "m", ratio: 2.4, goal: 2, atMost: true },
    { what: "c", measured: "m", value: 12.34, unit: "ms", goal: 60, atMost: true },
    { what: "d", measured: "m", ratio: 1.2 },
  ]).split("\n")
  expect(lines.slice(2)).toEqual([
    "| a | m | 0.85 | >= 0.80 | met |",
    "| b | m | 2.40 | <= 2.00 | missed |",
    "| c | m | 12.3 ms | <= 60 ms | met |",
    "| d | m | 1.20 |  |  |",
  ])
})

test("a key is used up to its limit in a window; when all are used up the bench reports it", () => {
  let now = 0
  const ring = new KeyRing(["a", "b"], 2, () => now)
  const one = ring.connection()
  expect(one()).toBe("a")
  expect(one()).toBe("a")
  expect(one()).toBe("b")
  expect(one()).toBe("b")
  expect(one).toThrow("mint more")
  now = 70_000
  expect(ring.connection()()).toBe("a")
})

test("the load reads answers by length and by chunks, in pieces too, and breaks off at a refusal", async () => {
  let answers = 0
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.on("data", (data) => {
      if (data.includes("/refused"))
        return socket.write("HTTP/1.1 429 Too Many Requests\r\nContent-Length: 2\r\n\r\n{}")
      answers += 1
      if (answers % 2) return socket.write('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{"a":1}')
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n")
      setImmediate(() => socket.write('{"a"\r\n3\r\n:1}\r\n0\r\n\r\n'))
    })
  }).listen(0, "127.0.0.1")
  await new Promise((listening) => server.once("listening", listening))
  const { port } = server.address() as AddressInfo

  expect(await askOnce(port, requestOf("GET", "/", {}))).toEqual({ a: 1 })
  expect(await askOnce(port, requestOf("GET", "/", {}))).toEqual({ a: 1 })
  const load = await loadFor(port, () => () => requestOf("GET", "/", {}), { connections: 3, ms: 50 })
  expect(load.perSecond).toBeGreaterThan(0)
  expect(load.p99Ms).toBeGreaterThanOrEqual(load.p50Ms)
  const refused = loadFor(port, () => () => requestOf("GET", "/refused", {}), { connections: 1, ms: 50 })
  await expect(refused).rejects.toThrow("429")
  server.close()
})

test.runIf(existsSync("/proc/self/stat"))(
  "what a process needs: a busy one processor and the memory that it took, an idle one next to nothing",
  async () => {
    const child = spawn(process.execPath, ["-e", busyWhenAsked], { stdio: ["pipe", "pipe", "ignore"] })
    const output = () => once(child.stdout, "data")
    await output()
    const idle = await figuresWhile(child.pid ?? 0, () => new Promise((later) => setTimeout(later, 300)))
    const busy = await figuresWhile(child.pid ?? 0, () => {
      child.stdin.write("work")
      return output()
    })
    child.kill("SIGKILL")
    expect(busy.figures?.cores).toBeGreaterThan(2 * (idle.figures?.cores ?? 1))
    expect(busy.figures?.mostMb).toBeGreaterThan(64 + (idle.figures?.mostMb ?? 0) / 2)
    expect(memoryMb(2 ** 30)).toBeNull()
  },
)

test.runIf(existsSync("/proc/self/smaps_rollup"))(
  "what a process and all below it take: their memory, and the time of those that have ended too",
  async () => {
    const child = spawn(process.execPath, ["-e", parentOfBusy], { stdio: ["pipe", "pipe", "ignore"] })
    const output = () => once(child.stdout, "data")
    await output()
    const before = processTree(child.pid ?? 0)
    child.stdin.write("work")
    await output()
    const after = processTree(child.pid ?? 0)
    child.kill("SIGKILL")
    const cpu = (uses: typeof before) => uses.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
    expect(before).toHaveLength(1)
    expect(before[0]?.command).toContain("console.log")
    expect(before[0]?.megabytes).toBeGreaterThan(64)
    expect(after).toHaveLength(1)
    expect(cpu(after) - cpu(before)).toBeGreaterThan(0.25)
    expect(processTree(2 ** 30)).toEqual([])
  },
)

/** Has 64 MB, and when asked a child that takes a third of a second of processor time and ends. */
const parentOfBusy = `
  const taken = Buffer.alloc(64 * 2 ** 20, 1)
  console.log("ready", taken.length)
  const busy = "const until = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < until);"
  process.stdin.once("data", () => {
    require("node:child_process").spawnSync(process.execPath, ["-e", busy])
    console.log("done")
  })`

/** Takes 64 MB and half a second of processor time, however long that may be on a machine that does other things. */
const busyWhenAsked = `
  process.stdin.once("data", () => {
    const taken = Buffer.alloc(64 * 2 ** 20, 1)
    const until = process.cpuUsage().user + 500_000
    while (process.cpuUsage().user < until) JSON.stringify(taken.subarray(0, 10_000))
    setTimeout(() => console.log("done", taken.length), 150)
  })
  console.log("ready")`
