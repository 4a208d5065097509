import { EventEmitter } from "node:events"
import { spawn } from "node:child_process"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { stopInOrder } from "@/lib/server/processes/run-all"
import { nodeProcess, supervise, type Running } from "@/lib/server/processes/supervise"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe("a supervised process", () => {
  it("is started again after a crash, after 0.2 s and twice as long each time, at most 5 s", async () => {
    const { started, pauses } = supervised()
    for (let at = 0; at < 8; at++) {
      started.at(-1)?.die(1)
      await vi.advanceTimersByTimeAsync(5_000)
    }
    expect(pauses).toEqual([200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000])
    expect(started).toHaveLength(9)
  })

  it("starts afresh with short pauses once it has lived for a while", async () => {
    const { started, pauses } = supervised()
    started.at(-1)?.die(1)
    await vi.advanceTimersByTimeAsync(31_000)
    started.at(-1)?.die(1)
    expect(pauses).toEqual([200, 200])
  })

  it("is stopped, and not restarted when it ends", async () => {
    const { started, child } = supervised()
    const stopped = child.stop()
    expect(started[0]?.sent).toEqual(["stop"])
    started[0]?.die(0)
    await stopped
    await vi.advanceTimersByTimeAsync(60_000)
    expect(started).toHaveLength(1)
  })

  it("is killed when it does not end in its time", async () => {
    const { started, child } = supervised()
    const stopped = child.stop()
    await vi.advanceTimersByTimeAsync(1_000)
    await stopped
    expect(started[0]?.signals).toEqual(["SIGKILL"])
  })

  it("is stopped at once between a crash and its next start", async () => {
    const { started, child } = supervised()
    started[0]?.die(1)
    await child.stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(started).toHaveLength(1)
  })

  it("is ready once it has reported so", async () => {
    const { started, child } = supervised()
    started[0]?.emit("message", "ready")
    await expect(child.ready).resolves.toBeUndefined()
  })
})

describe("a process that the machine cannot start", () => {
  // Its environment is more than a process may be given: spawn throws.
  const refused = () => nodeProcess("none.js", { NODE_ENV: "test", PATH: "x".repeat(200_000) })

  it("is retried after the usual pauses", async () => {
    const pauses: number[] = []
    const hooks = { attach: () => undefined, crashed: (_: string, againInMs: number) => void pauses.push(againInMs) }
    const child = supervise({ name: "fake", start: refused, stopWithinMs: 1_000 }, hooks)
    await vi.advanceTimersByTimeAsync(700)
    expect(pauses).toEqual([200, 400, 800])
    await child.stop()
  })

  it("counts as ended if that is reported later", async () => {
    vi.useRealTimers()
    const program = process.execPath
    Object.assign(process, { execPath: "/none/node" })
    const child = nodeProcess("none.js", { NODE_ENV: "test" })
    Object.assign(process, { execPath: program })
    await new Promise<void>((resolve) => child.on("exit", () => resolve()))
  })
})

it("web ends before what it passes requests on to, that before the worker, the worker before the sandbox, PostgreSQL last", async () => {
  vi.useRealTimers()
  const ended: string[] = []
  const part = (name: string) => ({ stop: async () => void (await Promise.resolve(), ended.push(name)) })
  const database = { close: async () => void ended.push("postgres") }
  await stopInOrder({
    database,
    sandbox: [part("sandbox")],
    mail: [part("mail")],
    worker: [part("worker")],
    heavy: [part("heavy")],
    web: [part("web"), part("web")],
  })
  expect(ended).toEqual(["web", "web", "mail", "heavy", "worker", "sandbox", "postgres"])
})

it("runs in a process group of its own and ends by itself when its parent has died", async () => {
  vi.useRealTimers()
  const parent = spawn(process.execPath, ["--input-type=module", "-e", parentSource], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const pid = await new Promise<number>((resolve) =>
    parent.stdout.once("data", (text: Buffer) => resolve(Number(text))),
  )
  expect(() => process.kill(-pid, 0)).not.toThrow()
  parent.kill("SIGKILL")
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), 5_000)
})

// The child does what lib/server/processes/supervise.ts does: the channel that closes is the word to stop.
const parentSource = `
  import { spawn } from "node:child_process"
  const code = "process.on('disconnect', () => process.exit(0)); process.on('SIGINT', () => {}); setInterval(() => {}, 1000)"
  const child = spawn(process.execPath, ["-e", code], { detached: true, stdio: ["ignore", "ignore", "ignore", "ipc"] })
  process.stdout.write(String(child.pid))
  setInterval(() => {}, 1000)
`

class Fake extends EventEmitter implements Running {
  readonly pid = 1
  readonly stdout = null
  readonly stderr = null
  readonly sent: string[] = []
  readonly signals: string[] = []

  send(message: string) {
    this.sent.push(message)
  }

  kill(signal: NodeJS.Signals) {
    this.signals.push(signal)
    this.emit("exit", null, signal)
  }

  die(code: number) {
    this.emit("exit", code, null)
  }
}

function supervised() {
  const started: Fake[] = []
  const pauses: number[] = []
  const start = () => {
    const fake = new Fake()
    started.push(fake)
    return fake
  }
  const hooks = { attach: () => undefined, crashed: (_: string, againInMs: number) => void pauses.push(againInMs) }
  return { started, pauses, child: supervise({ name: "fake", start, stopWithinMs: 1_000 }, hooks) }
}
