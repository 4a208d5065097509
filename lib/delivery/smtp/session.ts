import { isIP, type Socket } from "node:net"
import { TLSSocket } from "node:tls"
import type { Phase } from "@/lib/explanation/codes"
import { printable, ReplyReader, type SmtpReply } from "@/lib/delivery/smtp/reply"
import { SmtpFailure } from "@/lib/delivery/smtp/failure"
import { cutText } from "@/lib/platform/text"

/** One open connection as commands and replies, with a transcript of both. */
export class SmtpSession {
  #socket: Socket
  #reader = new ReplyReader()
  /** Commands and replies of this attempt; a new attempt sets its own list. */
  transcript: string[]
  /** Replies received in this attempt. */
  replyCount = 0

  constructor(socket: Socket, transcript: string[]) {
    this.#socket = socket
    this.transcript = transcript
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

  /** What the usual roots and the name say against the certificate; absent where nothing does. */
  get certificateFault(): string | undefined {
    // Declared as an error, and a code in fact.
    return this.#socket instanceof TLSSocket && this.#socket.authorizationError
      ? String(this.#socket.authorizationError)
      : undefined
  }

  get remote(): string {
    const { remoteAddress, remotePort } = this.#socket
    return `${isIP(remoteAddress ?? "") === 6 ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`
  }

  /** Writes command lines at once; `shown` replaces them in the transcript if they contain a secret. */
  write(lines: readonly string[], shown: readonly string[] = lines): void {
    for (const line of shown) note(this.transcript, `C: ${line}`)
    this.#socket.write(`${lines.join("\r\n")}\r\n`, "latin1")
  }

  /** Writes the end of a message and, in the same packet, the commands of the next attempt, noted in its transcript. */
  writeEnd(end: Buffer, ahead?: { lines: readonly string[]; transcript: string[] }): void {
    if (!ahead) return void this.#socket.write(end)
    for (const line of ahead.lines) note(ahead.transcript, `C: ${line}`)
    this.#socket.write(Buffer.concat([end, Buffer.from(`${ahead.lines.join("\r\n")}\r\n`, "latin1")]))
  }

  /** The next reply; a connection failure becomes a deferral in this phase. */
  async answer(phase: Phase, timeoutMs: number): Promise<SmtpReply> {
    try {
      const reply = await this.#reader.next(timeoutMs)
      this.replyCount += 1
      for (const line of reply.lines) note(this.transcript, `S: ${line}`)
      return reply
    } catch (error) {
      this.destroy()
      const text = error instanceof Error ? error.message : String(error)
      note(this.transcript, `— ${text}`)
      throw new SmtpFailure(phase, "deferred", text)
    }
  }

  /** True if a reply, or the end of the connection, arrived before one was expected. */
  get interrupted(): boolean {
    return this.#reader.unsolicited
  }

  /** Releases the socket for the TLS handshake and drops unread plaintext; `attach` takes the encrypted one. */
  detach(): Socket {
    this.#reader.discard()
    // A late error of a socket without a listener would end the process.
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
    // A flooding server is cut off at its first fault.
    if (this.#reader.faulty) this.#socket.destroy()
  }

  #onError = (error: Error) => this.#reader.fail(new Error(`connection lost: ${error.message}`))

  #onClose = () => this.#reader.fail(new Error("connection closed by the server"))
}

/** A usual dialogue has some twenty lines; the transcript of a server that sends more is cut. */
const transcriptLinesMax = 60
const transcriptCharsMax = 500

function note(transcript: string[], line: string): void {
  if (transcript.length < transcriptLinesMax) transcript.push(cutText(printable(line), transcriptCharsMax))
}
