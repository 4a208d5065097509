import type { SmtpConnection } from "@/lib/delivery/smtp/connection"

/** A connection and the mails that it has carried or carries. */
export type IdleConnection = SmtpConnection & { mails: number; idleTimer?: NodeJS.Timeout }

export type IdleConnections<C extends IdleConnection> = {
  /** The one that was used last, if it still stands. */
  take(): C | undefined
  /** Keeps a connection for the next mail, or closes it where it has done enough. */
  keep(connection: C): void
  /** How many are kept. */
  size(): number
  close(): void
}

/** How long a server may take to hang up after QUIT. */
const farewellMs = 2_000

/** Open connections between two mails. */
export function createIdleConnections<C extends IdleConnection>(limits: {
  idleTimeoutMs: number
  mailsPerConnectionMax: number
}): IdleConnections<C> {
  const idle: C[] = []

  function take(): C | undefined {
    for (let one = idle.pop(); one; one = idle.pop()) {
      clearTimeout(one.idleTimer)
      if (one.session.usable) return one
      one.session.destroy()
    }
    return undefined
  }

  function keep(one: C): void {
    if (!one.session.usable) return one.session.destroy()
    if (one.mails >= limits.mailsPerConnectionMax) return quit(one)
    one.idleTimer = setTimeout(() => {
      idle.splice(idle.indexOf(one), 1)
      quit(one)
    }, limits.idleTimeoutMs).unref()
    idle.push(one)
  }

  function close(): void {
    for (let one = take(); one; one = take()) quit(one)
  }

  return { take, keep, size: () => idle.length, close }
}

function quit({ session }: SmtpConnection): void {
  session.talk = []
  session.write(["QUIT"])
  session.socket.end()
  setTimeout(() => session.destroy(), farewellMs).unref()
}
