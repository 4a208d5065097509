import type { SmtpConnection, SmtpLimits, SmtpSession } from "@/lib/delivery/smtp/connection"
import { refusal, ResetRefused, SmtpFailure, type SmtpReply } from "@/lib/delivery/smtp/reply"
import type { Mail } from "@/lib/delivery/transports/transport"
import type { Phase } from "@/lib/explanation/codes"

/** Messages up to this are written together with the final dot, which saves a packet. */
const oneWriteBytesMax = 64 * 1024

type Command = { phase: Phase; line: string }

/** A mail prepared for one connection: its commands, and the octets after DATA. */
export type Prepared = { commands: readonly Command[]; body: Buffer }

/**
 * Called when the end of a mail's data is about to be written: returns the next mail's commands for the same packet
 * (RFC 2920 lets commands follow the final dot), so that the connection never idles for a round trip between two mails.
 */
export type PipelineNext = () => { lines: readonly string[]; transcript: string[] } | undefined

export type TransactOptions = {
  /** The commands were already sent with the final dot of the previous mail. */
  sent: boolean
  ahead: PipelineNext
  /** Called before the first octet of the message is sent; false prevents that. */
  beforeData?: () => Promise<boolean>
}

/**
 * One mail over an open connection; resolves with the answer to the final dot. Throws SmtpFailure; the connection is
 * destroyed where the dialogue is no longer in step.
 */
export async function transact(
  { session, extensions }: SmtpConnection,
  { commands, body }: Prepared,
  limits: SmtpLimits,
  { sent, ahead, beforeData }: TransactOptions,
): Promise<SmtpReply> {
  if (!sent && !extensions.has("PIPELINING")) await sendEach(session, commands, limits)
  else {
    if (!sent) session.write(commands.map(({ line }) => line))
    await readReplies(session, commands, limits)
  }
  if (beforeData) await askToSend(session, beforeData)

  await writeBody(session, body, limits, extensions.has("PIPELINING") ? ahead : () => undefined)
  const reply = await session.answer("final", limits.finalTimeoutMs).catch((error: Error) => {
    throw new SmtpFailure("final", "ambiguous", `The whole message was sent, but no reply came: ${error.message}`)
  })
  if (reply.code >= 200 && reply.code < 300) return reply
  if (reply.code >= 400) throw closeIfOutOfStep(session, refusal("final", reply))
  session.destroy()
  throw new SmtpFailure(
    "final",
    "ambiguous",
    `The whole message was sent, but the reply is inconclusive: ${reply.text}`,
  )
}

/** Tests whether the server accepts mail at all: some demand authentication or encryption only here. A RSET must follow. */
export async function askForMail(session: SmtpSession, { commandTimeoutMs }: SmtpLimits): Promise<void> {
  session.write(["MAIL FROM:<>"])
  const reply = await session.answer("mail", commandTimeoutMs)
  const failure = refusal("mail", reply)
  if (failure.outcome !== "region_fault") return
  session.destroy()
  throw failure
}

/**
 * The commands of a mail, after a RSET if the previous one broke off (`dirty`).
 * @throws TypeError for an envelope that could contain a second command; a last check, since the address grammar allows none
 */
export function prepare(mail: Mail, { extensions }: SmtpConnection, dirty: boolean): Prepared {
  const body = wireForm(mail.message)
  return { body, commands: commandsFor(mail, body.length, extensions, dirty) }
}

function commandsFor(
  { from, to, dsnEnvelopeId }: Mail,
  size: number,
  extensions: ReadonlyMap<string, string>,
  dirty: boolean,
): Command[] {
  if (!/^([!-;=?-~]{3,254})?$/.test(from) || !/^[!-;=?-~]{3,254}$/.test(to))
    throw new TypeError("An envelope address is printable ASCII without spaces and brackets.")
  const sizeParameter = extensions.has("SIZE") ? ` SIZE=${size}` : ""
  const reports = dsnEnvelopeId !== undefined && extensions.has("DSN")
  const mailReports = reports ? ` RET=HDRS ENVID=${xtext(dsnEnvelopeId)}` : ""
  const rcptReports = reports ? ` NOTIFY=SUCCESS,FAILURE,DELAY ORCPT=rfc822;${xtext(to)}` : ""
  return [
    ...(dirty ? [{ phase: "mail" as const, line: "RSET" }] : []),
    { phase: "mail", line: `MAIL FROM:<${from}>${sizeParameter}${mailReports}` },
    { phase: "rcpt", line: `RCPT TO:<${to}>${rcptReports}` },
    { phase: "data", line: "DATA" },
  ]
}

/** RFC 3461 section 4. */
function xtext(text: string): string {
  return text.replace(/[^!-*,-<>-~]/g, (found) => `+${found.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`)
}

/** All answers to commands of one packet, so that a refusal leaves the dialogue in step (RFC 2920). */
async function readReplies(session: SmtpSession, commands: readonly Command[], limits: SmtpLimits): Promise<void> {
  let first: SmtpFailure | null = null
  for (const { phase, line } of commands) {
    const reply = await session.answer(phase, limits.commandTimeoutMs).catch((error: SmtpFailure) => {
      throw first ?? error
    })
    if (isGood(line, reply)) {
      // DATA was accepted although the mail was refused: only closing the connection avoids sending an empty mail.
      if (line === "DATA" && first) session.destroy()
      continue
    }
    if (line === "RSET") throw resetRefused(session, reply)
    first ??= refusal(phase, reply)
    if (closeIfOutOfStep(session, refusal(phase, reply)).reply?.code === 421) throw first
  }
  if (first) throw first
}

async function sendEach(session: SmtpSession, commands: readonly Command[], limits: SmtpLimits): Promise<void> {
  for (const { phase, line } of commands) {
    session.write([line])
    const reply = await session.answer(phase, limits.commandTimeoutMs)
    if (isGood(line, reply)) continue
    throw line === "RSET" ? resetRefused(session, reply) : closeIfOutOfStep(session, refusal(phase, reply))
  }
}

function resetRefused(session: SmtpSession, reply: SmtpReply): ResetRefused {
  session.destroy()
  return new ResetRefused("mail", "deferred", refusal("mail", reply).message, reply)
}

function isGood(line: string, { code }: SmtpReply): boolean {
  return line === "DATA" ? code === 354 : code >= 200 && code < 300
}

/** Closing the connection keeps a server that waits for data from taking an empty mail. */
async function askToSend(session: SmtpSession, beforeData: () => Promise<boolean>): Promise<void> {
  const isHeld = await beforeData().catch((error: unknown) => {
    session.destroy()
    throw error
  })
  if (isHeld && session.usable) return
  session.destroy()
  const reason = isHeld ? "The connection ended before the message's data was sent." : "stopped"
  throw new SmtpFailure("data", "deferred", reason)
}

/** Closes the connection after 421 (the server does so too) and after an unexpected reply. */
function closeIfOutOfStep(session: SmtpSession, failure: SmtpFailure): SmtpFailure {
  const code = failure.reply?.code ?? 0
  if (code === 421 || code < 400) session.destroy()
  return failure
}

async function writeBody(session: SmtpSession, body: Buffer, limits: SmtpLimits, ahead: PipelineNext): Promise<void> {
  if (body.length <= oneWriteBytesMax) return session.writeEnd(Buffer.concat([body, endOfData]), ahead())
  for (let at = 0; at < body.length; at += oneWriteBytesMax) {
    const taken = await flush(session, body.subarray(at, at + oneWriteBytesMax), limits.dataTimeoutMs)
    if (taken && !session.interrupted) continue
    const reply = await session.answer("data", limits.commandTimeoutMs)
    session.destroy()
    throw refusal("data", reply)
  }
  session.writeEnd(endOfData, ahead())
}

/** True once the kernel has taken it all: before that the server cannot have seen the final dot. */
function flush(session: SmtpSession, chunk: Buffer, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => session.stop("the server stopped reading"), timeoutMs)
    session.socket.write(chunk, (error) => {
      clearTimeout(timer)
      resolve(!error)
    })
  })
}

/** What ends a message in DATA. */
const endOfData = Buffer.from(".\r\n")

/**
 * A message as it goes on the wire after DATA, without the final dot line: only CRLF line breaks, a dot before every
 * line that begins with one, CRLF at the end (RFC 5321 section 4.5.2). A bare CR or LF is never sent, because some
 * servers read one as a line break and find the end of data there.
 */
export function wireForm(message: Buffer): Buffer {
  if (isWireForm(message)) return message
  const text = message.toString("latin1")
  const lines = text.replace(/\r\n|\r|\n/g, "\r\n").replace(/^\.|(?<=\r\n)\./g, "..")
  return Buffer.from(lines.endsWith("\r\n") ? lines : `${lines}\r\n`, "latin1")
}

const [lf, cr, dot] = [0x0a, 0x0d, 0x2e]

/** Checks line breaks only: messages that we compose need no change. */
function isWireForm(message: Buffer): boolean {
  for (let begin = 0; begin < message.length;) {
    const end = message.indexOf(cr, begin)
    if (end === -1 || message.indexOf(lf, begin) !== end + 1 || message[begin] === dot) return false
    begin = end + 2
  }
  return message.length > 0
}
