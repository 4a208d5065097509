import { spawn, type ChildProcess } from "node:child_process"
import cluster, { type Worker } from "node:cluster"
import type { Readable } from "node:stream"
import { log } from "@/lib/platform/log"
import { measureProcess, registry } from "@/lib/platform/metrics"

/** One process to keep alive. */
export type Spec = {
  name: string
  start(): Running
  /** How long a process may take to stop before it is killed. */
  stopWithinMs: number
}

export type Running = {
  pid: number | undefined
  stdout: Readable | null
  stderr: Readable | null
  send(message: ToChild): void
  kill(signal: NodeJS.Signals): void
  on(event: "message", listener: (message: unknown) => void): unknown
  on(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown
}

export type Supervised = {
  /** Settles when the process has reported "ready" once. */
  ready: Promise<void>
  /** Sends a message to the running process; false if there is none. */
  send(message: ToChild): boolean
  stop(): Promise<void>
  kill(): void
}

type Hooks = {
  attach(stream: Readable, from: "stdout" | "stderr"): void
  crashed(how: string, againInMs: number): void
  /** Called with every message of the process. */
  received?(message: unknown): void
}

const firstPauseMs = 200
const longestPauseMs = 5_000
/** A process that ran for this long was healthy: its next crash starts with the shortest pause. */
const healthyAfterMs = 30_000

/** Keeps a process running until it is stopped: after a crash it is restarted, at first after 0.2 s, later after up to 5 s. */
export function supervise(spec: Spec, { attach, crashed, received }: Hooks): Supervised {
  let current: Running | null = null
  let stopping = false
  let pauseMs = firstPauseMs
  let pause: NodeJS.Timeout | undefined
  const ended = deferred()
  const ready = deferred()

  begin()
  return { ready: ready.promise, send, stop, kill: () => current?.kill("SIGKILL") }

  function begin() {
    const startedAt = Date.now()
    const running = started()
    if (!running) return again("it could not be started", startedAt)
    current = running
    if (running.stdout) attach(running.stdout, "stdout")
    if (running.stderr) attach(running.stderr, "stderr")
    running.on("message", (message) => {
      if (message === "ready") ready.resolve()
      received?.(message)
    })
    running.on("exit", (code, signal) => {
      current = null
      if (stopping) return ended.resolve()
      again(signal ?? `exit code ${code}`, startedAt)
    })
  }

  /** Null if the machine has no memory or process left, which may pass. */
  function started(): Running | null {
    try {
      return spec.start()
    } catch {
      return null
    }
  }

  function again(how: string, startedAt: number) {
    if (Date.now() - startedAt > healthyAfterMs) pauseMs = firstPauseMs
    crashed(how, pauseMs)
    pause = setTimeout(begin, pauseMs)
    pauseMs = Math.min(longestPauseMs, pauseMs * 2)
  }

  function send(message: ToChild): boolean {
    current?.send(message)
    return current !== null
  }

  async function stop() {
    stopping = true
    clearTimeout(pause)
    if (!current) return
    current.send("stop")
    const killer = setTimeout(() => current?.kill("SIGKILL"), spec.stopWithinMs)
    await ended.promise
    clearTimeout(killer)
  }
}

/** A Node process in its own group, so that only the parent gets Ctrl-C, with a message channel. */
export function nodeProcess(file: string, env: NodeJS.ProcessEnv): Running {
  const child = spawn(process.execPath, ["--enable-source-maps", file], {
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  })
  return running(child)
}

/**
 * How a web process collects garbage. Requests are short-lived garbage: with room for it (MB a half), the collector has less to copy and
 * does it less often. What lives longer may grow by 60 % before it is collected, by default up to fourfold: 314 MB instead of 539 after
 * much sending, as quickly (e2e/README.md).
 */
export const webFlags = ["--max-semi-space-size=32", "--heap-growing-percent=60"]

/** One of several processes that share a listening port: the primary accepts connections and distributes them. */
export function clusterProcess(file: string, env: NodeJS.ProcessEnv): Running {
  // Without source maps: Node keeps the map of every file of the framework's build that it loads, some 50 MB a process.
  cluster.setupPrimary({ exec: file, execArgv: webFlags, silent: true })
  return running(cluster.fork(env))
}

function running(child: ChildProcess | Worker): Running {
  const process = "process" in child ? child.process : child
  // A process that could not be spawned never emits `exit`; other errors are followed by one or need none.
  process.on("error", () => process.pid === undefined && process.emit("exit", null, null))
  return {
    pid: process.pid,
    stdout: process.stdout ?? null,
    stderr: process.stderr ?? null,
    send: (message) => {
      if (process.connected) process.send(message, () => undefined)
    },
    kill: (signal) => process.kill(signal),
    on: (event: string, listener: (...args: never[]) => void) =>
      process.on(event, listener as (...args: unknown[]) => void),
  }
}

function deferred() {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((settle) => (resolve = settle))
  return { promise, resolve }
}

/** Messages between the supervisor and its child processes. */
export type ToChild = "stop" | "metrics"
export type FromChild = "ready" | { metrics: unknown }

/**
 * Runs a child process of the supervisor until it is told to stop, then waits for `work` to end by itself. The parent
 * handles Ctrl-C and a closed terminal; the loss of the parent also stops the child.
 */
export async function runChild(work: (signal: AbortSignal) => Promise<void>) {
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => undefined)
  process.on("SIGTERM", stop)
  process.on("disconnect", stop)
  process.on("message", (message: ToChild) => {
    if (message === "stop") stop()
    if (message === "metrics") void sendMetrics()
  })
  measureProcess()
  process.on("unhandledRejection", fail)
  process.on("uncaughtException", fail)
  try {
    await work(stopped.signal)
    process.exit(0)
  } catch (error) {
    fail(error)
  }
}

export function reportReady() {
  if (process.connected) process.send?.("ready" satisfies FromChild)
}

async function sendMetrics() {
  try {
    const metrics = await registry().getMetricsAsJSON()
    if (process.connected) process.send?.({ metrics } satisfies FromChild, () => undefined)
  } catch (error) {
    log.warn({ err: error }, "the metrics could not be sent")
  }
}

/** After a defect the process is in an unknown state: it exits, and the supervisor starts another. */
function fail(error: unknown) {
  log.fatal({ err: error }, "the process exits because of a defect")
  process.exit(1)
}
