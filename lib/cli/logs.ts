import { createWriteStream, existsSync, mkdirSync, renameSync, statSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"

const rotateAboveBytes = 20 * 1024 * 1024

/**
 * Where the children's lines go: all of them into `.data/logs/<name>.log` (one older file is kept), and to the terminal
 * warnings and worse in one readable line each. What is no log line is shown as it is, from stdout only if `talkative`.
 */
export function openLog(dataDir: string, name: string, talkative: boolean) {
  const folder = join(dataDir, "logs")
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${name}.log`)
  if (existsSync(file) && statSync(file).size > rotateAboveBytes) renameSync(file, `${file}.1`)
  const kept = createWriteStream(file, { flags: "a", mode: 0o600 })
  return (stream: Readable, from: "stdout" | "stderr") => {
    createInterface({ input: stream }).on("line", (line) => {
      kept.write(`${line}\n`)
      const shown = shownOf(name, line, talkative || from === "stderr")
      if (shown) process.stderr.write(`${shown}\n`)
    })
  }
}

const shownLevels = ["warn", "error", "fatal"]

/** The line for the terminal; null where the file is enough. */
export function shownOf(name: string, line: string, plainToo: boolean): string | null {
  const entry = logEntry(line)
  if (!entry) return plainToo && line.trim() !== "" ? `[${name}] ${harmless(line)}` : null
  if (!shownLevels.includes(entry.level)) return null
  const cause = entry.err?.message ? `: ${entry.err.message}` : ""
  return `[${name}] ${entry.level}: ${harmless(`${entry.msg ?? ""}${cause}`)}`
}

/** Text of others may stand in a message: it clears no screen and begins no line of its own. */
function harmless(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
}

function logEntry(line: string): { level: string; msg?: string; err?: { message?: string } } | null {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === "object" && entry !== null && "level" in entry ? (entry as { level: string }) : null
  } catch {
    return null
  }
}
