import { stdSerializers } from "pino"
import { sqlState } from "@/lib/platform/database/sql-errors"

type Told = Record<string, unknown>
type FromDatabase = Error & { code?: unknown; meta?: { modelName?: unknown }; table?: unknown; constraint?: unknown }

/** Classes of SQLSTATE whose message quotes a value: data exceptions, such as 22P02 for a malformed uuid. */
const quotesAValue = /^22/

/**
 * An error as the log shows it. Errors of the database quote rows, values and arguments in their message, their detail and
 * their stack, so of Prisma's the log has the code, the model and the SQLSTATE, of pg's the names beside them.
 */
export function errorForLog(error: unknown): unknown {
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
