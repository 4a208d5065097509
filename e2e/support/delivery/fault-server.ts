import { createServer, type AddressInfo, type Socket } from "node:net"

/**
 * How a faulty SMTP server reacts to a verb: it sends these lines, or does anything with the socket and sends what the
 * function returns. After "" it stays silent on that connection.
 */
export type Fault = string | ((socket: Socket, count: number) => string | void)

/** Verbs are the first words of commands, upper case; `GREETING` and `DOT` are the start and the end of data. */
export type Faults = Readonly<Record<string, Fault>>

export type FaultServer = {
  port: number
  /** Every line received over all connections, except message data. */
  received: string[]
  /** Message data as it came, dots still stuffed. */
  messages: string[]
  connections(): number
  close(): Promise<void>
}

const habits: Faults = {
  GREETING: "220 fault.test ESMTP",
  EHLO: "250-fault.test\r\n250-PIPELINING\r\n250 SIZE 20000000",
  DATA: "354 go on",
  DOT: "250 2.0.0 queued as Q1",
  QUIT: (socket) => void socket.end("221 bye\r\n"),
}

/** A plain SMTP server for tests that behaves correctly except for the given verbs. */
export async function faultServer(faults: Faults, port = 0, host = "127.0.0.1"): Promise<FaultServer> {
  const rules = { ...habits, ...faults }
  const received: string[] = []
  const messages: string[] = []
  const sockets = new Set<Socket>()
  const counts = new Map<string, number>()
  let connections = 0

  const act = (socket: Socket, verb: string): string | undefined => {
    const count = (counts.get(verb) ?? 0) + 1
    counts.set(verb, count)
    const rule = rules[verb] ?? "250 2.0.0 ok"
    const words = typeof rule === "string" ? rule : (rule(socket, count) ?? undefined)
    if (words && socket.writable) socket.write(`${words}\r\n`)
    return words
  }

  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket)).on("error", () => {})
    let text = ""
    /** Message data before `text`: searched once, so that a large message is not read again with each packet. */
    let searched: string[] = []
    let inData = false
    let silent = false
    const pace = keepPace(socket, () => setImmediate(read))
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1")
      read()
    })
    act(socket, "GREETING")

    function read() {
      for (;;) {
        const mark = inData ? "\r\n.\r\n" : "\r\n"
        const end = text.indexOf(mark)
        if (end === -1 && inData) {
          searched.push(text.slice(0, -mark.length))
          text = text.slice(-mark.length)
        }
        if (end === -1 || silent || pace.waits) return
        const line = searched.join("") + text.slice(0, end)
        searched = []
        text = text.slice(end + mark.length)
        if (inData) messages.push(`${line}\r\n`)
        else received.push(line)
        const verb = inData ? "DOT" : (line.split(" ", 1)[0]?.toUpperCase() ?? "")
        pace.asked()
        const words = act(socket, verb)
        silent = words === ""
        inData = verb === "DATA" && words?.startsWith("354") === true
      }
    }
  })
  await new Promise<void>((resolve) => server.listen(port, host, resolve))

  return {
    port: (server.address() as AddressInfo).port,
    received,
    messages,
    connections: () => connections,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** A server replies in order: the next command is read once the reply to the previous one is written. */
function keepPace(socket: Socket, goOn: () => void): { asked(): void; readonly waits: boolean } {
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean
  let waits = false
  const written = (...given: unknown[]) => {
    if (waits) goOn()
    waits = false
    return write(...given)
  }
  Object.assign(socket, { write: written })
  return {
    asked: () => void (waits = true),
    get waits() {
      return waits
    },
  }
}
