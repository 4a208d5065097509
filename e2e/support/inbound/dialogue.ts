import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { connect as encrypt } from "node:tls"

/** A client that speaks SMTP line by line, to say what no library would. */
export type Dialogue = {
  /** Sends a line; the answer of the server without its line ends. Empty if the connection ended. */
  say(line: string): Promise<string>
  /** The next answer, as the greeting. */
  hear(): Promise<string>
  write(text: string | Buffer): void
  startTls(): Promise<void>
  /** The server's certificate, after `startTls`. */
  certificate(): string
  end(): void
  socket(): Socket
}

export async function openDialogue(port: number, { from = "127.0.0.1" } = {}): Promise<Dialogue> {
  let socket: Socket = connect({ port, host: "127.0.0.1", localAddress: from })
  let text = ""
  let certificate = ""
  let closed = false
  let changed = () => {}
  const listen = () => {
    socket.on("data", (chunk: Buffer) => ((text += chunk.toString()), changed()))
    socket.on("error", () => undefined)
    socket.on("close", () => ((closed = true), changed()))
  }
  listen()
  await once(socket, "connect")

  async function hear(): Promise<string> {
    for (;;) {
      const end = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(text)
      if (end) {
        text = text.slice(end[0].length)
        return end[0].trimEnd()
      }
      if (closed) return ""
      await new Promise<void>((resolve) => (changed = resolve))
    }
  }

  return {
    hear,
    say: (line) => (socket.write(`${line}\r\n`), hear()),
    write: (given) => void socket.write(given),
    async startTls() {
      socket.removeAllListeners("data")
      const secure = encrypt({ socket, rejectUnauthorized: false })
      await once(secure, "secureConnect")
      certificate = secure.getPeerCertificate().fingerprint256
      socket = secure
      listen()
    },
    certificate: () => certificate,
    end: () => socket.destroy(),
    socket: () => socket,
  }
}

const startsWithinMs = 60_000

/**
 * A dialogue that has greeted, with a server that may still be starting.
 * @throws Error if it has not started after a minute
 */
export async function connected(port: number, options: { from?: string } = {}): Promise<Dialogue> {
  const until = performance.now() + startsWithinMs
  while (performance.now() < until) {
    try {
      const dialogue = await openDialogue(port, options)
      if ((await dialogue.hear()).startsWith("220") && (await dialogue.say("EHLO mx.example.net")).startsWith("250"))
        return dialogue
    } catch {
      // It is starting.
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`No mail server greets on port ${port}.`)
}

/** Names sender and recipients; the answers to the recipients. */
export async function address(dialogue: Dialogue, recipients: readonly string[], from = ""): Promise<string[]> {
  await dialogue.say(`MAIL FROM:<${from}>`)
  const answers = []
  for (const each of recipients) answers.push(await dialogue.say(`RCPT TO:<${each}>`))
  return answers
}

/** One mail from greeting to goodbye; the answer to its data, or to its recipient if that was refused. */
export async function mail(port: number, to: string, raw: string | Buffer, from = ""): Promise<string> {
  const dialogue = await openDialogue(port)
  try {
    await dialogue.hear()
    await dialogue.say("EHLO mx.example.net")
    return await mailOn(dialogue, to, raw, from)
  } finally {
    dialogue.end()
  }
}

export async function mailOn(dialogue: Dialogue, to: string, raw: string | Buffer, from = ""): Promise<string> {
  const [accepted = ""] = await address(dialogue, [to], from)
  if (!accepted.startsWith("250")) return accepted
  await dialogue.say("DATA")
  dialogue.write(raw)
  return dialogue.say(raw.toString().endsWith("\r\n") ? "." : "\r\n.")
}

/** The same as mail servers do it, which wait for no answer between the commands (RFC 2920). */
export async function pipelinedMailOn(dialogue: Dialogue, to: string, raw: string): Promise<string> {
  dialogue.write(`MAIL FROM:<>\r\nRCPT TO:<${to}>\r\nDATA\r\n`)
  const answers = [await dialogue.hear(), await dialogue.hear(), await dialogue.hear()]
  const refused = answers.find((answer) => !/^(250|354) /.test(answer))
  if (refused !== undefined) return refused
  dialogue.write(raw)
  return dialogue.say(raw.endsWith("\r\n") ? "." : "\r\n.")
}
