import { type Logger, pino, stdSerializers } from "pino"
import { sqlState } from "@/lib/platform/database/sql-errors"
import { logLevelAsGiven } from "@/lib/platform/env/env"

// Errors, without what their messages quote

type Told = Record<string, unknown>
type FromDatabase = Error & { code?: unknown; meta?: { modelName?: unknown }; table?: unknown; constraint?: unknown }

/** Classes of SQLSTATE whose message quotes a value: data exceptions, such as 22P02 for a malformed uuid. */
const quotesAValue = /^22/

/**
 * An error as the log shows it. Errors of the database quote rows, values and arguments in their message, their detail and
 * their stack, so of Prisma's the log has the code, the model and the SQLSTATE, of pg's the names beside them.
 */
function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const cause = error.cause instanceof Error ? { cause: errorForLog(error.cause) } : {}
  if (error.name.startsWith("PrismaClient")) return { ...ofPrisma(error), ...cause }
  if (isOfPg(error)) return { ...ofPg(error), ...cause }
  return { ...stdSerializers.errWithCause(error), ...cause }
}

function ofPrisma(error: FromDatabase): Told {
  return {
    type: error.name,
    code: error.code,
    model: error.meta?.modelName,
    sqlState: sqlState(error),
    stack: framesOf(error),
  }
}

function isOfPg(error: Error): error is FromDatabase {
  return "severity" in error && "routine" in error && sqlState(error) !== undefined
}

function ofPg(error: FromDatabase): Told {
  const state = sqlState(error) ?? ""
  const message = quotesAValue.test(state) ? {} : { message: error.message }
  return {
    type: "DatabaseError",
    sqlState: state,
    ...message,
    table: error.table,
    constraint: error.constraint,
    stack: framesOf(error),
  }
}

/** The stack begins with the message, which may hold anything. */
function framesOf({ stack = "", message }: Error): string | undefined {
  const at = stack.indexOf(message)
  return at < 0 ? undefined : stack.slice(at + message.length).trimStart()
}

// The log

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
