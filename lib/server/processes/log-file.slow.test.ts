import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { createLogFile, rotateInPlace, openLog } from "@/lib/server/processes/logs"

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mailroom-logs-"))
  path = join(folder, "web.log")
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const lines = () => readFileSync(path, "utf8").trimEnd().split("\n")
const sizes = () => readdirSync(folder).map((name) => statSync(join(folder, name)).size)

test("a disk without room drops lines, and the next line that is written contains their number", async () => {
  symlinkSync("/dev/full", path)
  const file = createLogFile(path, { pauseMs: 20 })
  for (let at = 0; at < 5; at++) file.write(`lost ${at}`)
  await file.idle()
  file.write("lost in the pause")
  rmSync(path)
  await vi.waitFor(async () => {
    file.write("kept")
    await file.idle()
    expect(lines().at(-1)).toBe("kept")
  })
  const [first = ""] = lines()
  expect(JSON.parse(first)).toMatchObject({ level: "warn", msg: expect.stringMatching(/log lines were dropped/) })
  expect(JSON.parse(first).dropped).toBeGreaterThanOrEqual(6)
  expect(
    lines()
      .slice(1)
      .every((line) => line === "kept"),
  ).toBe(true)
})

test("100 times a log's room leaves two files within their limit, and the last line is there", async () => {
  const bytesMax = 10_000
  const file = createLogFile(path, { bytesMax })
  for (let at = 0; at < 1_000; at++) {
    file.write(`${at} ${"x".repeat(990)}`)
    if (at % 9 === 0) await file.idle()
  }
  await file.idle()
  expect(readdirSync(folder).sort()).toEqual(["web.log", "web.log.1"])
  expect(Math.max(...sizes())).toBeLessThanOrEqual(bytesMax)
  expect(lines().at(-1)).toMatch(/^999 /)
})

test("lines that come faster than the disk takes them are bounded in memory and counted", async () => {
  const file = createLogFile(path)
  const long = "x".repeat(2 ** 20)
  for (let at = 0; at < 50; at++) file.write(long)
  await file.idle()
  file.write("after")
  await file.idle()
  const reported = lines().flatMap((line) => (line.startsWith("{") ? [JSON.parse(line).dropped] : []))[0]
  expect(reported + lines().filter((line) => line === long).length).toBe(50)
  expect(reported).toBeGreaterThan(40)
})

test("a file that is far too large, from before there was a limit, is deleted", async () => {
  for (const name of [path, `${path}.1`]) writeFileSync(name, "x".repeat(50_000))
  const file = createLogFile(path, { bytesMax: 10_000 })
  file.write("new")
  await file.idle()
  expect({ lines: lines(), readdirSync: readdirSync(folder) }).toEqual({ lines: ["new"], readdirSync: ["web.log"] })
})

test("the log of PostgreSQL, which holds it open itself, is cut in place and its older part kept", async () => {
  appendFileSync(path, "x".repeat(900))
  await rotateInPlace(path, 1_000)
  expect(sizes()).toEqual([900])
  appendFileSync(path, "x".repeat(900))
  await rotateInPlace(path, 1_000)
  expect(statSync(path).size).toBe(0)
  expect(statSync(`${path}.1`).size).toBe(1_800)
  appendFileSync(path, "x".repeat(9_000))
  await rotateInPlace(path, 1_000)
  expect(sizes()).toEqual([0])
})

test("a broken pipe and a log that cannot be opened leave the supervisor alone", async () => {
  mkdirSync(join(folder, "logs", "web.log"), { recursive: true })
  const attach = openLog(folder, "web", false)
  const stream = new PassThrough()
  attach(stream, "stdout")
  stream.write('{"level":"info","msg":"one"}\n{"level":"info"')
  await vi.waitFor(() => expect(stream.readableLength).toBe(0))
  stream.destroy(new Error("EPIPE"))
  await new Promise((closed) => stream.once("close", closed))
})
