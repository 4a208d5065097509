import { join, dirname } from "node:path"
import type { Readable } from "node:stream"
import { print, unreadBytesMax } from "@/lib/server/processes/print"
import { copyFile, mkdir, open, rename, rm, stat, truncate } from "node:fs/promises"

const lineCharsMax = 256 * 1024

/**
 * Writes all lines of a child process to `.data/logs/<name>.log`, and warnings and worse to the terminal, in one readable
 * line each. Other text is shown unchanged, from stdout only if `verbose`.
 */
export function openLog(dataDir: string, name: string, verbose: boolean) {
  const file = logFile(join(dataDir, "logs", `${name}.log`))
  return (stream: Readable, from: "stdout" | "stderr") => {
    eachLine(stream, (line) => {
      file.write(line)
      const shown = shownOf(name, line, verbose || from === "stderr")
      if (shown) print(shown)
    })
  }
}

/**
 * Writes all lines of a child process to our stdout as JSON with the name of the process, for a container or journald; text
 * that is no log entry becomes one.
 */
export function passLog(name: string) {
  return (stream: Readable, from: "stdout" | "stderr") => {
    eachLine(stream, (line) => {
      if (line.trim() !== "" && process.stdout.writableLength < unreadBytesMax)
        process.stdout.write(`${entryOf(name, line, from)}\n`)
    })
  }
}

/** A line as one JSON object that names its process. */
export function entryOf(name: string, line: string, from: "stdout" | "stderr"): string {
  const entry = logEntry(line) ?? {
    level: from === "stderr" ? "error" : "info",
    time: new Date().toISOString(),
    msg: line,
  }
  return JSON.stringify({ ...entry, process: name })
}

/** One line at a time; a line without an end is cut, so that it cannot fill the memory. */
function eachLine(stream: Readable, take: (line: string) => void) {
  let rest = ""
  const flush = () => {
    if (rest !== "") take(rest)
    rest = ""
  }
  stream.setEncoding("utf8")
  stream.on("data", (text: string) => {
    const lines = (rest + text).split(/\r?\n/)
    rest = lines.pop() ?? ""
    lines.forEach(take)
    if (rest.length > lineCharsMax) flush()
  })
  stream.on("end", flush)
  // A broken pipe means that the process has ended, which is handled elsewhere.
  stream.on("error", flush)
}

const shownLevels = ["warn", "error", "fatal"]

/** The line for the terminal; null if it only goes to the file. */
export function shownOf(name: string, line: string, plainToo: boolean): string | null {
  const entry = logEntry(line)
  if (!entry) return plainToo && line.trim() !== "" ? `[${name}] ${harmless(line)}` : null
  if (!shownLevels.includes(entry.level)) return null
  const cause = entry.err?.message ? `: ${entry.err.message}` : ""
  return `[${name}] ${entry.level}: ${harmless(`${entry.msg ?? ""}${cause}`)}`
}

/** A message may contain untrusted text, which must not clear the screen or start a line of its own. */
function harmless(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}

function logEntry(line: string): { level: string; msg?: string; err?: { message?: string } } | null {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === "object" && entry !== null && "level" in entry ? (entry as { level: string }) : null
  } catch {
    return null
  }
}

type LogFile = {
  /** Queues one line; returns at once and never fails. */
  write(line: string): void
  /** Settles when everything queued so far is written or dropped. */
  idle(): Promise<void>
}

/** Limit of a file and of the older one beside it: the logs of five programs stay below 200 MB. */
const logBytesMax = 19 * 10 ** 6
const backlogBytesMax = 4 * 2 ** 20
const pauseAfterFailureMs = 1_000

const opened = new Map<string, LogFile>()

/** The one writer of a log file in this process: several programs may share a file. */
function logFile(path: string): LogFile {
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
