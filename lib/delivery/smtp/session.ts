import { isIP, type Socket } from "node:net"
import { TLSSocket } from "node:tls"
import type { Phase } from "@/lib/delivery/transports/attempt"
import { printable, ReplyReader, type SmtpReply } from "@/lib/delivery/smtp/reply"
import { SmtpFailure } from "@/lib/delivery/smtp/failure"
import { cutText } from "@/lib/platform/text"

/** One open connection as lines and answers: what is written, what came back, and the talk that is kept of both. */
export class SmtpSession {
  #socket: Socket
  #reader = new ReplyReader()
  /** What this attempt said and heard; a new attempt puts its own list here. */
  talk: string[]
  /** Replies heard since `talk` was set. */
  heard = 0

  constructor(socket: Socket, talk: string[]) {
    this.#socket = socket
    this.talk = talk
    this.#listen(socket)
  }

  get usable(): boolean {
    return !this.#socket.destroyed && this.#socket.writable && !this.#reader.unsolicited
  }

  get socket(): Socket {
    return this.#socket
  }

  get tls(): string | undefined {
    return this.#socket instanceof TLSSocket ? (this.#socket.getProtocol() ?? undefined) : undefined
  }

  get remote(): string {
    const { remoteAddress, remotePort } = this.#socket
    return `${isIP(remoteAddress ?? "") === 6 ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`
  }

  /** Writes command lines in one go; `shown` replaces them in the talk where they hold a secret. */
  write(lines: readonly string[], shown: readonly string[] = lines): void {
    for (const line of shown) note(this.talk, `C: ${line}`)
    this.#socket.write(`${lines.join("\r\n")}\r\n`, "latin1")
  }

  /** Writes the end of a message and, in the same packet, the first lines of the next attempt into that one's talk. */
  writeEnd(end: Buffer, ahead?: { lines: readonly string[]; talk: string[] }): void {
    if (!ahead) return void this.#socket.write(end)
    for (const line of ahead.lines) note(ahead.talk, `C: ${line}`)
    this.#socket.write(Buffer.concat([end, Buffer.from(`${ahead.lines.join("\r\n")}\r\n`, "latin1")]))
  }

  /** The next answer; any trouble of the connection becomes a deferral in this phase. */
  async answer(phase: Phase, timeoutMs: number): Promise<SmtpReply> {
    try {
      const reply = await this.#reader.next(timeoutMs)
      this.heard += 1
      for (const line of reply.lines) note(this.talk, `S: ${line}`)
      return reply
    } catch (error) {
      this.destroy()
      const text = error instanceof Error ? error.message : String(error)
      note(this.talk, `— ${text}`)
      throw new SmtpFailure(phase, "deferred", text)
    }
  }

  /** True if an answer, or the end of the connection, is there before one was asked for. */
  get interrupted(): boolean {
    return this.#reader.unsolicited
  }

  /** Gives the socket away to be encrypted; plaintext that is still unread is dropped. `attach` goes on. */
  detach(): Socket {
    this.#reader.discard()
    // A late error of a socket that nobody listens to would end the process.
    return this.#socket
      .off("data", this.#onData)
      .off("error", this.#onError)
      .off("close", this.#onClose)
      .on("error", () => {})
  }

  attach(socket: Socket): void {
    this.#socket = socket
    this.#listen(socket)
  }

  stop(reason: string): void {
    this.#reader.fail(new Error(reason))
    this.destroy()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #listen(socket: Socket): void {
    socket.setNoDelay(true).on("data", this.#onData).on("error", this.#onError).on("close", this.#onClose)
  }

  #onData = (chunk: Buffer) => {
    this.#reader.push(chunk)
    // Nobody reads a server that floods: stop taking its octets at the first fault.
    if (this.#reader.faulty) this.#socket.destroy()
  }

  #onError = (error: Error) => this.#reader.fail(new Error(`connection lost: ${error.message}`))

  #onClose = () => this.#reader.fail(new Error("connection closed by the server"))
}

/** A whole dialogue is some twenty lines; a server that talks more is cut in what we keep. */
const talkLinesMax = 60
const talkCharsMax = 500

function note(talk: string[], line: string): void {
  if (talk.length < talkLinesMax) talk.push(cutText(printable(line), talkCharsMax))
}
