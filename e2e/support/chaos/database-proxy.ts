import { connect, createServer, type AddressInfo, type Socket } from "node:net"

/** What happens to a statement: its connection ends before it arrives, or after it has run, or it arrives late. */
export type DatabaseFault = { kind: "lost before" } | { kind: "lost after" } | { kind: "late"; ms: number }

export type DatabaseProxy = {
  /** The database's URL through the proxy. */
  url: string
  /** The next time that a statement with these words, or of this name, comes along. */
  once(words: string, fault: DatabaseFault): void
  /** Whether the last one that was asked for has happened. */
  happened(): boolean
  /** From now on every byte is lost, of new connections too, and nobody is told: a network that drops packets. */
  swallow(): void
  /** The connections that are open now stay as they are, leading nowhere; new ones work. */
  pass(): void
  /** New connections lead to another server. */
  leadTo(databaseUrl: string): void
  close(): Promise<void>
}

/** A way to PostgreSQL on which single statements meet with trouble. */
export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  let real = new URL(databaseUrl)
  let isHole = false
  const swallowed = new Set<Socket>()
  const sockets = new Set<Socket>()
  const pairs = new Set<Socket>()
  let next: { words: string; fault: DatabaseFault } | undefined

  const server = createServer((client) => {
    const database = connect(Number(real.port), real.hostname)
    let deaf = false
    const isSwallowed = () => {
      if (isHole) swallowed.add(client)
      return swallowed.has(client)
    }
    const end = () => {
      client.destroy()
      database.destroy()
    }
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on("error", end).on("close", () => (end(), sockets.delete(socket)))
    }
    client.on("data", (chunk) => {
      if (isSwallowed()) return
      const met = next && chunk.includes(next.words) ? next.fault : undefined
      if (met) next = undefined
      if (met?.kind === "lost before") return end()
      if (met?.kind === "lost after") deaf = true
      if (met?.kind !== "late") return void database.write(chunk)
      client.pause()
      setTimeout(() => (database.write(chunk), client.resume()), met.ms)
    })
    database.on("data", (chunk) => (isSwallowed() ? undefined : deaf ? end() : void client.write(chunk)))
    pairs.add(client)
    client.on("close", () => (pairs.delete(client), swallowed.delete(client)))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))

  const url = new URL(databaseUrl)
  url.hostname = "127.0.0.1"
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    once: (words, fault) => void (next = { words, fault }),
    happened: () => next === undefined,
    swallow: () => {
      isHole = true
      for (const client of pairs) swallowed.add(client)
    },
    pass: () => void (isHole = false),
    leadTo: (other) => void (real = new URL(other)),
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
