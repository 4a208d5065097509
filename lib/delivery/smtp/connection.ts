import type { ConnectionOptions } from "node:tls"
import { authenticate } from "@/lib/delivery/smtp/auth"
import { refusal, SmtpFailure } from "@/lib/delivery/smtp/failure"
import { SmtpSession } from "@/lib/delivery/smtp/session"
import { openSocket, upgradeSocket } from "@/lib/delivery/smtp/socket"
import type { Phase } from "@/lib/explanation/codes"
import type { SmtpTarget } from "@/lib/regions/smtp-url"

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
  target: SmtpTarget,
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
  target: SmtpTarget,
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
    return open({ ...target, tls: "none" }, identity, limits, transcript, signal)
  }
}

async function open(
  target: SmtpTarget,
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
    await authenticate(session, extensions, target, limits.commandTimeoutMs)
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
  target: SmtpTarget,
  options: ConnectionOptions,
  limits: SmtpLimits,
  signal?: AbortSignal,
): Promise<boolean> {
  if (target.tls === "none" || target.tls === "implicit") return false
  if (!extensions.has("STARTTLS")) {
    if (target.tls === "opportunistic") return false
    throw new SmtpFailure("starttls", "region_fault", "The server does not offer STARTTLS, which this region requires.")
  }
  session.write(["STARTTLS"])
  const reply = await session.answer("starttls", limits.commandTimeoutMs)
  if (reply.code !== 220) throw refusal("starttls", reply)
  const upgrade = upgradeSocket(session.detach(), target.host, options, limits.connectTimeoutMs, signal)
  session.attach(await upgrade.catch(asFailure("starttls")))
  return true
}

/** Opportunistic encryption accepts any certificate, since it would otherwise fall back to none. */
function tlsOptions(target: SmtpTarget, { ca }: SmtpIdentity): ConnectionOptions {
  return { minVersion: "TLSv1.2", rejectUnauthorized: target.tls !== "opportunistic", ...(ca ? { ca } : {}) }
}

function asFailure(phase: Phase) {
  return (error: Error & { code?: string }): never => {
    const untrusted = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(error.code ?? "")
    throw new SmtpFailure(phase, untrusted ? "region_fault" : "deferred", error.message)
  }
}
