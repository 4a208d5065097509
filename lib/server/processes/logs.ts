import { join } from "node:path"
import type { Readable } from "node:stream"
import { logFile } from "@/lib/server/processes/log-file"
import { print, unreadBytesMax } from "@/lib/server/processes/print"

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
