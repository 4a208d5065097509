import { spawn, type ChildProcess } from "node:child_process"
import cluster, { type Worker } from "node:cluster"
import type { Readable } from "node:stream"
import type { ToChild } from "@/lib/cli/supervisor/child"

/** One process to keep alive. */
export type Spec = {
  name: string
  start(): Running
  /** How long it may take to end by itself once told; then it is killed. */
  stopWithinMs: number
}

export type Running = {
  pid: number | undefined
  stdout: Readable | null
  stderr: Readable | null
  tell(message: ToChild): void
  kill(signal: NodeJS.Signals): void
  on(event: "message", listener: (message: unknown) => void): unknown
  on(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown
}

export type Supervised = {
  /** Settles when the process has said "ready" once. */
  ready: Promise<void>
  /** Says something to the process that runs now; false where there is none. */
  tell(message: ToChild): boolean
  stop(): Promise<void>
  kill(): void
}

type Hooks = {
  attach(stream: Readable, from: "stdout" | "stderr"): void
  crashed(how: string, againInMs: number): void
  /** Told of everything that the process says. */
  heard?(message: unknown): void
}

const firstPauseMs = 200
const longestPauseMs = 5_000
/** A process that lived this long is healthy: its next crash starts the pauses afresh. */
const healthyAfterMs = 30_000

/** Keeps a process alive until told to stop: after a crash it is started again, at first after 0.2 s, at last after 5 s. */
export function supervise(spec: Spec, { attach, crashed, heard }: Hooks): Supervised {
  let current: Running | null = null
  let stopping = false
  let pauseMs = firstPauseMs
  let pause: NodeJS.Timeout | undefined
  const ended = deferred()
  const ready = deferred()

  begin()
  return { ready: ready.promise, tell, stop, kill: () => current?.kill("SIGKILL") }

  function begin() {
    const startedAt = Date.now()
    const running = started()
    if (!running) return again("it could not be started", startedAt)
    current = running
    if (running.stdout) attach(running.stdout, "stdout")
    if (running.stderr) attach(running.stderr, "stderr")
    running.on("message", (message) => {
      if (message === "ready") ready.resolve()
      heard?.(message)
    })
    running.on("exit", (code, signal) => {
      current = null
      if (stopping) return ended.resolve()
      again(signal ?? `exit code ${code}`, startedAt)
    })
  }

  /** Null where the machine has no memory or no process left: that passes. */
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

  function tell(message: ToChild): boolean {
    current?.tell(message)
    return current !== null
  }

  async function stop() {
    stopping = true
    clearTimeout(pause)
    if (!current) return
    current.tell("stop")
    const killer = setTimeout(() => current?.kill("SIGKILL"), spec.stopWithinMs)
    await ended.promise
    clearTimeout(killer)
  }
}

/** A Node process of its own group (Ctrl-C is the parent's alone) with a channel to be told over. */
export function nodeProcess(file: string, env: NodeJS.ProcessEnv): Running {
  const child = spawn(process.execPath, ["--enable-source-maps", file], {
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  })
  return running(child)
}

/** One of several processes that share a listening port: the primary takes connections and hands them round. */
export function clusterProcess(file: string, env: NodeJS.ProcessEnv): Running {
  // Requests are short-lived garbage: with room for it, the collector has less to copy and does it less often.
  cluster.setupPrimary({ exec: file, execArgv: ["--enable-source-maps", "--max-semi-space-size=32"], silent: true })
  return running(cluster.fork(env))
}

function running(child: ChildProcess | Worker): Running {
  const process = "process" in child ? child.process : child
  // One that could not be spawned has no exit; a message that could not be sent has one later, or none is needed.
  process.on("error", () => process.pid === undefined && process.emit("exit", null, null))
  return {
    pid: process.pid,
    stdout: process.stdout ?? null,
    stderr: process.stderr ?? null,
    tell: (message) => {
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
