import { createServer, type AddressInfo, type Socket } from "node:net"

/** A mail server that takes every sequence for the end of a mail that some server once did, bare line ends and all. */
export type NaiveSink = { port: number; mails: { from: string; to: string[]; data: string }[]; close(): Promise<void> }

const endOfData = /(\r\n|\n|\r)\0?\.(\r\n|\n|\r)/
const endOfLine = /\r\n|\n|\r/

export async function naiveSink(): Promise<NaiveSink> {
  const mails: NaiveSink["mails"] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket)).on("error", () => {})
    let text = ""
    let mail = { from: "", to: [] as string[], data: "" }
    let inData = false
    const say = (line: string) => socket.writable && socket.write(`${line}\r\n`)
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1")
      for (;;) {
        const end = (inData ? endOfData : endOfLine).exec(text)
        // A CR at the very end may be half of a CRLF: wait for the rest.
        if (!end || (end.index + end[0].length === text.length && end[0].endsWith("\r"))) return
        const part = text.slice(0, end.index)
        text = text.slice(end.index + end[0].length)
        if (inData) {
          mails.push({ ...mail, data: part })
          mail = { from: "", to: [], data: "" }
          inData = false
          say("250 2.0.0 queued")
          continue
        }
        const [verb = "", rest = ""] = [part.slice(0, 4).toUpperCase(), part.slice(5)]
        if (verb === "MAIL") mail.from = rest
        if (verb === "RCPT") mail.to.push(rest)
        inData = verb === "DATA"
        say(
          inData
            ? "354 go on"
            : verb === "EHLO"
              ? "250-naive.test\r\n250 PIPELINING"
              : verb === "QUIT"
                ? "221 bye"
                : "250 ok",
        )
      }
    })
    say("220 naive.test ESMTP")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
