// Takes mail over SMTP with pipelining and throws it away. See startSink of e2e/bench/delivery.ts.
import { createServer } from "node:net"

const dot = Buffer.from("\r\n.\r\n")

const server = createServer((socket) => {
  let inData = false
  let tail = Buffer.alloc(0)
  let line = ""
  socket.setNoDelay(true)
  socket.on("error", () => socket.destroy())
  socket.write("220 sink.example ESMTP\r\n")
  socket.on("data", (chunk) => {
    let rest = chunk
    while (rest.length > 0) rest = inData ? readMessage(rest) : readCommands(rest)
  })

  /** Up to the final dot, which may come in pieces. @returns what follows it */
  function readMessage(chunk) {
    const bytes = Buffer.concat([tail, chunk])
    const end = bytes.indexOf(dot)
    if (end < 0) {
      tail = Buffer.from(bytes.subarray(-4))
      return Buffer.alloc(0)
    }
    inData = false
    socket.write("250 2.0.0 taken\r\n")
    return bytes.subarray(end + dot.length)
  }

  /** Whole lines, one after the other, as far as DATA. @returns what follows DATA */
  function readCommands(chunk) {
    let from = 0
    let answers = ""
    for (let end = chunk.indexOf(10, from); end >= 0; end = chunk.indexOf(10, from)) {
      const command = (line + chunk.toString("latin1", from, end)).slice(0, 4).toUpperCase()
      line = ""
      from = end + 1
      if (command === "EHLO")
        answers += "250-sink.example\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 ENHANCEDSTATUSCODES\r\n"
      else if (command === "DATA") {
        socket.write(`${answers}354 go on\r\n`)
        inData = true
        tail = Buffer.from("\r\n")
        return chunk.subarray(from)
      } else if (command === "QUIT") {
        socket.end(`${answers}221 2.0.0 bye\r\n`)
        return Buffer.alloc(0)
      } else answers += "250 2.1.0 ok\r\n"
    }
    line += chunk.toString("latin1", from)
    if (answers) socket.write(answers)
    return Buffer.alloc(0)
  }
})

// The addresses of loopback that mail comes to: one, or all of them.
server.listen(0, process.argv[2] ?? "127.0.0.1", () => process.send(server.address().port))
process.on("disconnect", () => process.exit(0))
