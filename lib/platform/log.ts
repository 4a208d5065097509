import { pino, type Logger } from "pino"
import { logLevelAsGiven } from "@/lib/platform/env/env"
import { errorForLog } from "@/lib/platform/database/log-errors"

const secretNames = [
  "authorization",
  "Authorization",
  "cookie",
  "Cookie",
  '["set-cookie"]',
  '["proxy-authorization"]',
  "token",
  "secret",
  "secretKey",
  "secrets",
  "password",
  "passwordHash",
  "apiKey",
  "privateKey",
]

/** JSON lines on stdout. Secrets are cut out by name, at the top and up to three levels down. */
export const log: Logger = makeLog()

export function makeLog(destination?: { write(line: string): void }): Logger {
  const options = {
    level: logLevelAsGiven(),
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: errorForLog },
    redact: { paths: redactedPaths(), censor: "[redacted]" },
  }
  return destination ? pino(options, destination) : pino(options)
}

function redactedPaths(): string[] {
  const prefixes = ["", "*", "*.*", "*.*.*"]
  return prefixes.flatMap((prefix) => secretNames.map((name) => path(prefix, name)))
}

// pino wants `*["set-cookie"]` without a dot before the bracket.
function path(prefix: string, name: string): string {
  if (prefix === "") return name
  return name.startsWith("[") ? `${prefix}${name}` : `${prefix}.${name}`
}
