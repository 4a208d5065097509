import { connect as connectPlain, isIP, type Socket } from "node:net"
import { connect as connectTls, type ConnectionOptions, TLSSocket } from "node:tls"
import { refusal, SmtpFailure, type SmtpReply, printable, ReplyReader } from "@/lib/delivery/smtp/reply"
import type { Phase } from "@/lib/explanation/codes"
import type { SmtpTarget } from "@/lib/regions/settings"
import { cutText } from "@/lib/platform/format"

export type SmtpLimits = {
  connectTimeoutMs: number
  greetingTimeoutMs: number
  commandTimeoutMs: number
  /** Without progress while the message is written. */
  dataTimeoutMs: number
  /** Between the final dot and its answer; giving up earlier makes duplicates (RFC 5321 section 4.5.3.2.6). */
  finalTimeoutMs: number
}

export type SmtpIdentity = {
  ehloName: string
  /** Certificates to trust instead of the well-known ones, PEM. */
  ca?: string | Buffer
}

/** Where a connection leads. */
export type SmtpEndpoint = SmtpTarget & {
  /** The address of `host` that is dialled; it was judged, so no later lookup takes its place. */
  address?: string
  /** The address of this machine that it is dialled from; the system's choice without one. */
  localAddress?: string
  /** Judges the server's certificate in the place of the usual roots and name; returns what is wrong with it. */
  verify?: (socket: TLSSocket) => string | null
  /** Encryption failed, so that a plain connection was opened. */
  onPlain?: () => void
}

export type SmtpConnection = {
  session: SmtpSession
  /** Extensions of the last EHLO, upper case, with their parameters. */
  extensions: ReadonlyMap<string, string>
}

/**
 * Connects, greets, encrypts and authenticates. Throws SmtpFailure, always a region fault unless we stopped it, since no
 * mail is involved yet. With `opportunistic` a failed STARTTLS leads to a second, plain connection: only there is no
 * encryption better than no mail.
 */
export async function openConnection(
  target: SmtpEndpoint,
  identity: SmtpIdentity,
  limits: SmtpLimits,
  transcript: string[],
  signal?: AbortSignal,
): Promise<SmtpConnection> {
  try {
    return await openWith(target, identity, limits, transcript, signal)
  } catch (error) {
    throw error instanceof SmtpFailure && !signal?.aborted
      ? new SmtpFailure(error.phase, "region_fault", error.message, error.reply)
      : error
  }
}

async function openWith(
  target: SmtpEndpoint,
  identity: SmtpIdentity,
  limits: SmtpLimits,
  transcript: string[],
  signal?: AbortSignal,
): Promise<SmtpConnection> {
  try {
    return await open(target, identity, limits, transcript, signal)
  } catch (error) {
    const encryption = error instanceof SmtpFailure && error.phase === "starttls"
    if (target.tls !== "opportunistic" || !encryption || signal?.aborted) throw error
    transcript.push("— encryption failed; once more without")
    const opened = await open({ ...target, tls: "none" }, identity, limits, transcript, signal)
    target.onPlain?.()
    return opened
  }
}

async function open(
  target: SmtpEndpoint,
  identity: SmtpIdentity,
  limits: SmtpLimits,
  transcript: string[],
  signal?: AbortSignal,
): Promise<SmtpConnection> {
  const options = tlsOptions(target, identity)
  const implicit = target.tls === "implicit" ? options : null
  const socket = await openSocket(target, implicit, limits.connectTimeoutMs, signal).catch(asFailure("connect"))
  const session = new SmtpSession(socket, transcript)
  const stop = () => session.stop("stopped")
  signal?.addEventListener("abort", stop)
  try {
    const greeting = await session.answer("greeting", limits.greetingTimeoutMs)
    if (greeting.code !== 220) throw refusal("greeting", greeting)
    if (session.socket.destroyed)
      throw new SmtpFailure("greeting", "region_fault", "The server's greeting does not end.")
    const plain = await greet(session, identity, limits)
    const secure = await startTls(session, plain, target, options, limits, signal)
    const extensions = secure ? await greet(session, identity, limits) : plain
    await logIn(session, extensions, target, limits.commandTimeoutMs)
    return { session, extensions }
  } catch (error) {
    session.destroy()
    throw error
  } finally {
    signal?.removeEventListener("abort", stop)
  }
}

/** Greets. Servers that do not know EHLO are greeted with HELO, and have no extensions (RFC 5321 section 3.2). */
async function greet(session: SmtpSession, { ehloName }: SmtpIdentity, limits: SmtpLimits) {
  session.write([`EHLO ${ehloName}`])
  let reply = await session.answer("ehlo", limits.commandTimeoutMs)
  const extensions = new Map<string, string>()
  if (reply.code === 500 || reply.code === 502) {
    session.write([`HELO ${ehloName}`])
    reply = await session.answer("ehlo", limits.commandTimeoutMs)
    reply.lines.length = 1
  }
  if (reply.code !== 250) throw refusal("ehlo", reply)
  if (session.socket.destroyed) throw new SmtpFailure("ehlo", "region_fault", "The server's greeting does not end.")
  for (const line of reply.lines.slice(1)) {
    const [keyword = "", ...parameters] = line.slice(4).trim().split(/[ =]+/)
    extensions.set(keyword.toUpperCase(), parameters.join(" ").toUpperCase())
  }
  return extensions
}

/** True if the connection is encrypted now and was not before. */
async function startTls(
  session: SmtpSession,
  extensions: ReadonlyMap<string, string>,
  target: SmtpEndpoint,
  options: ConnectionOptions,
  limits: SmtpLimits,
  signal?: AbortSignal,
): Promise<boolean> {
  if (target.tls === "none" || target.tls === "implicit") return false
  if (!extensions.has("STARTTLS")) {
    if (target.tls === "opportunistic") return false
    throw new SmtpFailure("starttls", "region_fault", "The server does not offer STARTTLS, which is required here.")
  }
  session.write(["STARTTLS"])
  const reply = await session.answer("starttls", limits.commandTimeoutMs)
  if (reply.code !== 220) throw refusal("starttls", reply)
  const upgrade = upgradeSocket(session.detach(), target.host, options, limits.connectTimeoutMs, signal)
  const secure = await upgrade.catch(asFailure("starttls"))
  session.attach(secure)
  const fault = target.verify?.(secure)
  if (fault) throw new SmtpFailure("starttls", "region_fault", fault)
  return true
}

/** Opportunistic encryption accepts any certificate, since it would otherwise fall back to none. */
function tlsOptions(target: SmtpEndpoint, { ca }: SmtpIdentity): ConnectionOptions {
  const rejectUnauthorized = target.tls !== "opportunistic" && !target.verify
  return { minVersion: "TLSv1.2", rejectUnauthorized, ...(ca ? { ca } : {}) }
}

function asFailure(phase: Phase) {
  return (error: Error & { code?: string }): never => {
    const untrusted = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(error.code ?? "")
    throw new SmtpFailure(phase, untrusted ? "region_fault" : "deferred", error.message)
  }
}

/** Opens a TCP connection; with `tls` a TLS one at once. Rejects with a plain Error, leaving nothing open. */
function openSocket(
  { host, address = host, port, localAddress }: Pick<SmtpEndpoint, "host" | "address" | "port" | "localAddress">,
  tls: ConnectionOptions | null,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Socket | TLSSocket> {
  const remote = { host: address, port, ...(localAddress !== undefined && { localAddress }) }
  if (!tls) return settled(connectPlain(remote), "connect", timeoutMs, signal)
  return settled(connectTls({ ...tls, ...serverName(host), ...remote }), "secureConnect", timeoutMs, signal)
}

/** Puts TLS on a connection that is open. Rejects with a plain Error and closes the connection. */
function upgradeSocket(
  socket: Socket,
  host: string,
  tls: ConnectionOptions,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<TLSSocket> {
  const secure = connectTls({ ...tls, ...serverName(host), host, socket })
  return settled(secure, "secureConnect", timeoutMs, signal)
}

/** An IP address is not a server name (RFC 6066 section 3). */
function serverName(host: string): { servername?: string } {
  return isIP(host) ? {} : { servername: host }
}

function settled<S extends Socket>(socket: S, event: string, timeoutMs: number, signal?: AbortSignal): Promise<S> {
  return new Promise((resolve, reject) => {
    const finish = (error: Error | null) => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", onAbort)
      socket.removeListener(event, onReady).removeListener("error", finish).removeListener("close", onClose)
      if (!error) return resolve(socket)
      // A late error of a socket without a listener would end the process.
      socket.on("error", () => {}).destroy()
      reject(error)
    }
    const onReady = () => finish(null)
    const onClose = () => finish(new Error("connection closed"))
    const onAbort = () => finish(new Error("stopped"))
    const timer = setTimeout(() => finish(new Error(`no connection within ${timeoutMs / 1000} s`)), timeoutMs)
    socket.once(event, onReady).once("error", finish).once("close", onClose)
    signal?.addEventListener("abort", onAbort)
    if (signal?.aborted) onAbort()
  })
}

/**
 * AUTH PLAIN, else LOGIN (RFC 4954), if the target has a user. Only inside TLS, or on loopback where TLS is turned off:
 * a server that hides STARTTLS must not get the password. The transcript never contains it.
 */
async function logIn(
  session: SmtpSession,
  extensions: ReadonlyMap<string, string>,
  { user, password = "", tls }: SmtpTarget,
  timeoutMs: number,
): Promise<void> {
  if (user === undefined) return
  if (!session.tls && !(tls === "none" && isLoopback(session.socket.remoteAddress)))
    throw new SmtpFailure("auth", "region_fault", "Credentials are never sent over a connection without TLS.")
  const reply = await sendCredentials(session, (extensions.get("AUTH") ?? "").split(" "), user, password, timeoutMs)
  if (reply.code !== 235) throw refusal("auth", reply)
}

async function sendCredentials(
  session: SmtpSession,
  mechanisms: readonly string[],
  user: string,
  password: string,
  timeoutMs: number,
): Promise<SmtpReply> {
  if (mechanisms.includes("PLAIN")) {
    session.write([`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`], ["AUTH PLAIN …"])
    return session.answer("auth", timeoutMs)
  }
  if (!mechanisms.includes("LOGIN"))
    throw new SmtpFailure("auth", "region_fault", "The server offers neither AUTH PLAIN nor AUTH LOGIN.")
  session.write(["AUTH LOGIN"])
  for (const secret of [user, password]) {
    const prompt = await session.answer("auth", timeoutMs)
    if (prompt.code !== 334) return prompt
    session.write([base64(secret)], ["…"])
  }
  return session.answer("auth", timeoutMs)
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64")
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(127\.|::1$|::ffff:127\.)/.test(address)
}

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
