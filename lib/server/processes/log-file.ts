import { copyFile, mkdir, open, rename, rm, stat, truncate } from "node:fs/promises"
import { dirname } from "node:path"

export type LogFile = {
  /** Queues one line; returns at once and never fails. */
  write(line: string): void
  /** Settles when everything queued so far is written or dropped. */
  idle(): Promise<void>
}

/** Limit of a file and of the older one beside it: the logs of five programs stay below 200 MB. */
export const logBytesMax = 19 * 10 ** 6
const backlogBytesMax = 4 * 2 ** 20
const pauseAfterFailureMs = 1_000

const opened = new Map<string, LogFile>()

/** The one writer of a log file in this process: several programs may share a file. */
export function logFile(path: string): LogFile {
  const known = opened.get(path) ?? createLogFile(path)
  opened.set(path, known)
  return known
}

/** Settles when every log of this process is written. */
export async function flushLogs(): Promise<void> {
  await Promise.all([...opened.values()].map((file) => file.idle()))
}

/**
 * A log file that drops lines rather than fail or grow: lines that cannot be written, or arrive faster than the disk
 * takes them, are dropped, and the next line that is written contains their count. Rotates by bytes; one older file is
 * kept.
 */
export function createLogFile(path: string, { bytesMax = logBytesMax, pauseMs = pauseAfterFailureMs } = {}): LogFile {
  let waiting: string[] = []
  let waitingBytes = 0
  let dropped = 0
  let pausedUntil = -Infinity
  let isTorn = false
  let writing: Promise<void> | null = null

  return { write, idle: () => writing ?? Promise.resolve() }

  function write(line: string) {
    if (waitingBytes > backlogBytesMax || performance.now() < pausedUntil) return void (dropped += 1)
    waiting.push(`${line}\n`)
    waitingBytes += line.length
    writing ??= drain().finally(() => (writing = null))
  }

  async function drain() {
    while (waiting.length > 0) {
      const lines = waiting
      waiting = []
      waitingBytes = 0
      await append(lines)
    }
  }

  async function append(lines: readonly string[]) {
    const reported = dropped
    const bytes = Buffer.from((isTorn ? "\n" : "") + (reported > 0 ? droppedLine(reported) : "") + lines.join(""))
    let written = 0
    try {
      await makeRoom(path, bytes.length, bytesMax)
      const file = await open(path, "a", 0o600)
      try {
        while (written < bytes.length) written += (await file.write(bytes, written)).bytesWritten
      } finally {
        await file.close()
      }
      isTorn = false
      dropped -= reported
    } catch {
      isTorn = written > 0 && bytes[written - 1] !== 10
      dropped += lines.length
      pausedUntil = performance.now() + pauseMs
    }
  }
}

/** Truncates a log that another program holds open for appending; its content becomes the older file if there is room. */
export async function rotateInPlace(path: string, bytesMax = logBytesMax): Promise<void> {
  const size = await sizeOf(path)
  if (size <= bytesMax) return
  const copied =
    size <= 2 * bytesMax &&
    (await copyFile(path, `${path}.1`).then(
      () => true,
      () => false,
    ))
  if (!copied) await rm(`${path}.1`, { force: true })
  await truncate(path)
}

async function makeRoom(path: string, bytes: number, bytesMax: number) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const size = await sizeOf(path)
  if (size === 0 || size + bytes <= bytesMax) return
  if (size <= 2 * bytesMax) return rename(path, `${path}.1`)
  // Written before there was a limit, and too large to keep.
  await Promise.all([rm(path, { force: true }), rm(`${path}.1`, { force: true })])
}

function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    (found) => found.size,
    () => 0,
  )
}

function droppedLine(count: number): string {
  const msg = `${count} log lines were dropped: they could not be written`
  return `${JSON.stringify({ level: "warn", time: new Date().toISOString(), dropped: count, msg })}\n`
}
