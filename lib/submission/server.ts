import { env } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { submissionSettings, type SubmissionSettings } from "@/lib/delivery/smtp/submission-settings"
import type { AddressInfo } from "node:net"
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from "smtp-server"
import { parseAddress } from "@/lib/addresses/address"
import { addressesMax } from "@/lib/emails/send/schema"
import { sendBytesMax, sendEmail } from "@/lib/emails/send/api"
import { DocumentRefused } from "@/lib/platform/documents/read-apart"
import { asProblem, type Answer } from "@/lib/platform/http/answer"
import { type Asked, methodOf } from "@/lib/platform/http/endpoint"
import { newRequestId } from "@/lib/platform/http/perform"
import { fieldsInvalid, requestInvalid } from "@/lib/platform/http/problems"
import { problemDocument, type Problem, type ProblemDocument } from "@/lib/platform/http/problem"
import { counter, gauge } from "@/lib/platform/metrics"
import { watchCertificate } from "@/lib/platform/smtp-server/certificate"
import { createRoom } from "@/lib/platform/jobs/room"
import { createClients, limitHandshakes, readAll } from "@/lib/platform/smtp-server/limits"
import { readMail } from "@/lib/submission/read-mail"
import { sendOf, type SubmittedEnvelope } from "@/lib/submission/to-send-rules"
import { guard } from "@/lib/access/guard"
import { recordRequest } from "@/lib/api-keys/usage/record"
import type { KeyPrincipal, Principal, RequestInfo } from "@/lib/platform/http/scope"

/**
 * Takes email by SMTP until the signal aborts and the sessions have ended.
 * @throws with a sentence for the operator when a port is taken or the certificate cannot be used
 */
export async function runSubmission(
  signal: AbortSignal,
  { send, onReady = () => {} }: Pick<SubmissionOptions, "send"> & { onReady?: () => void },
): Promise<void> {
  const { tls, serviceDomain, dataDir } = env()
  const own = tls ? { tls } : { folder: dataDir }
  const server = await openSubmission({ ...submissionSettings(), ...own, name: serviceDomain, send })
  log.info({ port: server.port, tlsPort: server.tlsPort }, "email is taken by SMTP")
  onReady()
  await new Promise<void>((done) =>
    signal.aborted ? done() : signal.addEventListener("abort", () => done(), { once: true }),
  )
  await server.close()
}

export type Submission = { port: number; tlsPort: number; close(): Promise<void> }

export const submissionLimits = {
  clientsMax: 500,
  clientsPerAddressMax: 100,
  /** Many programs connect anew for each email. */
  newPerAddressAndMinuteMax: 1_200,
  failedSignInsPerSessionMax: 3,
  idleMs: 300_000,
  sessionMs: 3_600_000,
  /** Without a key. */
  signInMs: 60_000,
  /** Of TLS from the first byte, before which a session does not begin. */
  handshakeMs: 10_000,
  /** From DATA to the end of the message; the largest comes within it over a line of 340 kbit/s. */
  dataMs: 600_000,
  messageBytesMax: sendBytesMax,
  /**
   * Octets of all messages that are being received or accepted, and of those of one organization: beyond, clients are asked to come
   * back. An organization has a quarter, and that is the largest message.
   */
  heldBytesMax: 4 * sendBytesMax,
  organizationBytesMax: sendBytesMax,
}

export type SubmissionOptions = Pick<SubmissionSettings, "port" | "tlsPort" | "listenOn"> & {
  /** As the server greets. */
  name: string
  /** The files of the operator's certificate; without them the server makes one itself. */
  tls?: { cert: string; key: string }
  /** Where that one is kept. */
  folder?: string
  /** The API's `POST /v1/emails`. */
  send(asked: Asked): Promise<Answer>
  limits?: Partial<typeof submissionLimits>
}

const closeWithinMs = 5_000
const neverCommands = ["VRFY", "EXPN", "WIZ", "SHELL", "KILL"]

const taken = counter("mailroom_submissions_total", "Emails handed in by SMTP, by the code of the reply.", ["answer"])
const refused = counter("mailroom_submission_refused_total", "Connections and sign-ins by SMTP that were not taken.", [
  "reason",
])
const connections = gauge("mailroom_submission_connections", "Open SMTP connections of programs that send.")

/**
 * The two SMTP servers to which programs hand in email (RFC 6409): one begins TLS with STARTTLS, the other at once. Who signs in
 * with an API key sends as by `POST /v1/emails`, and nobody else sends anything. 250 is the answer once the email is committed.
 * @throws when a port is taken or the operator's certificate cannot be used
 */
export async function openSubmission(options: SubmissionOptions): Promise<Submission> {
  const limits = { ...submissionLimits, ...options.limits }
  const clients = createClients({
    openMax: limits.clientsPerAddressMax,
    newPerMinuteMax: limits.newPerAddressAndMinuteMax,
  })
  const sessions = new Map<string, Timers>()
  const room = createRoom({ bytesMax: limits.heldBytesMax, ownerBytesMax: limits.organizationBytesMax })
  const certificate = watchCertificate(options.tls, ["localhost", options.name, "127.0.0.1"], options.folder)
  const servers = [serverOf({ secure: false }), serverOf({ secure: true })] as const
  certificate.onChange((changed) => servers.forEach((server) => server.updateSecureContext(changed)))
  try {
    await listen(servers[0], options.port, options.listenOn)
    await listen(servers[1], options.tlsPort, options.listenOn)
  } catch (error) {
    await close()
    throw error
  }
  return { port: portOf(servers[0]), tlsPort: portOf(servers[1]), close }

  function serverOf({ secure }: Pick<SMTPServerOptions, "secure">): SMTPServer {
    const server = new SMTPServer({
      secure,
      name: options.name,
      banner: "Mailroom",
      size: limits.messageBytesMax,
      authMethods: ["PLAIN", "LOGIN"],
      disabledCommands: neverCommands,
      disableReverseLookup: true,
      // Ours stand in the texts, because the library knows one for each reply code.
      hideENHANCEDSTATUSCODES: true,
      hideDSN: true,
      maxClients: limits.clientsMax,
      maxRecipients: addressesMax,
      socketTimeout: limits.idleMs,
      closeTimeout: closeWithinMs,
      logger: false,
      ...certificate.current,
      onConnect(session, done) {
        const { id, remoteAddress } = session
        if (!secure && !admit(remoteAddress))
          return done(new SmtpRefusal(421, "4.7.0", "Too many connections from your address, try again later"))
        // The library would offer AUTH before TLS and refuse only its use: by then a careless client has sent its key.
        if (!secure) disable(session, [...neverCommands, "AUTH"])
        const end = (text: string) => () => endSession(server, id, text)
        sessions.set(id, {
          all: setTimeout(end("4.4.2 The session has taken too long"), limits.sessionMs),
          signIn: setTimeout(end("4.7.0 Nobody has signed in"), limits.signInMs),
          failures: 0,
        })
        connections.set(sessions.size)
        done()
      },
      onSecure(_socket, session, done) {
        disable(session, neverCommands)
        done()
      },
      onClose({ id, remoteAddress }) {
        const timers = sessions.get(id)
        if (!timers) return
        clearTimeout(timers.all)
        clearTimeout(timers.signIn)
        sessions.delete(id)
        connections.set(sessions.size)
        if (!secure) clients.leave(remoteAddress)
      },
      onAuth({ username, password }, { id, remoteAddress }, done) {
        const session = sessions.get(id)
        signIn(username ?? "", password ?? "", remoteAddress).then(
          (account) => {
            clearTimeout(session?.signIn)
            done(null, { user: account })
          },
          (error: SmtpRefusal) => {
            refused.inc({ reason: "sign_in" })
            if (session) session.failures += 1
            const isOver = (session?.failures ?? 0) >= limits.failedSignInsPerSessionMax
            done(isOver ? new SmtpRefusal(421, "4.7.0", error.sentence) : error)
          },
        )
      },
      onMailFrom(_address, { user }, done) {
        done(user ? null : new SmtpRefusal(530, "5.7.0", "Begin TLS and sign in first"))
      },
      onRcptTo({ address }, _session, done) {
        const parsed = parseAddress(address)
        done(parsed.ok ? null : new SmtpRefusal(550, "5.1.3", `${parsed.reason}`))
      },
      onData(stream, session, done) {
        receive(stream, session).then(
          (text) => {
            taken.inc({ answer: "250" })
            done(null, text)
          },
          (error: unknown) => {
            const answer = error instanceof SmtpRefusal ? error : refusalOf(error, session)
            taken.inc({ answer: String(answer.responseCode) })
            done(answer)
          },
        )
      },
    })
    // A client may hang up in the middle of a session, or fail to encrypt.
    server.on("error", (error) => log.debug({ err: error }, "an SMTP connection of a program broke"))
    if (secure) limitHandshakes(server, { admit, leave: clients.leave, withinMs: limits.handshakeMs })
    return server
  }

  function admit(address: string): boolean {
    const admitted = clients.admit(address)
    if (!admitted) refused.inc({ reason: "connections" })
    return admitted
  }

  /** @throws SmtpRefusal, or what the reading of the message failed by, unless the email is committed */
  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    const account = session.user as Submitter
    const place = room.enter(account.principal.organizationId)
    try {
      const raw = await readAll(stream, place, limits.dataMs).catch(() => {
        throw new SmtpRefusal(451, "4.4.2", "The connection ended before the message did")
      })
      if (stream.sizeExceeded)
        throw new SmtpRefusal(552, "5.3.4", `The message is larger than ${limits.messageBytesMax} octets`)
      if (raw === "late") throw new SmtpRefusal(421, "4.4.2", "The message has taken too long")
      if (raw === "no_room") throw new SmtpRefusal(451, "4.3.1", "Too much email at once, try again later")
      const mail = await readMail(raw, account.principal.organizationId)
      const { send, faults } = sendOf(mail, envelopeOf(session), account.principal.keyId)
      if (faults) throw fieldsInvalid(faults)
      const body = Buffer.from(JSON.stringify(send))
      return acceptedText(await options.send(sendRequest(account.key, session.remoteAddress, body)))
    } finally {
      place.leave()
    }
  }

  async function close(): Promise<void> {
    certificate.close()
    await Promise.all(servers.map((server) => new Promise<void>((closed) => server.close(() => closed()))))
  }
}

type Timers = { all: NodeJS.Timeout; signIn: NodeJS.Timeout; failures: number }

/** The library reads it from the session, and does not declare it. */
function disable(session: SMTPServerSession, commands: readonly string[]): void {
  Object.assign(session, { disabledCommands: commands })
}

function endSession(server: SMTPServer, id: string, text: string): void {
  const connection = [...server.connections].find((each) => each.id === id)
  connection?.send(421, text)
}

function envelopeOf({ envelope }: SMTPServerSession): SubmittedEnvelope {
  return {
    from: envelope.mailFrom ? envelope.mailFrom.address : "",
    recipients: envelope.rcptTo.map(({ address }) => address),
  }
}

/** The reply to a message that was not handed to the API: it could not be read, or not now. */
function refusalOf(error: unknown, session: SMTPServerSession): SmtpRefusal {
  const { uuid: id, text: requestId } = newRequestId()
  const { key, principal } = session.user as Submitter
  const refused = error instanceof DocumentRefused ? requestInvalid(error.message) : error
  const problem = asProblem(refused, requestId, "SMTP DATA")
  const { headers, signal } = sendRequest(key, session.remoteAddress)
  recordRefusal(principal, problem, { id, ip: session.remoteAddress, headers, signal }, 0)
  return replyTo(problemDocument(problem, { baseUrl: env().baseUrl, requestId }))
}

async function listen(server: SMTPServer, port: number, host: string | undefined): Promise<void> {
  await new Promise<void>((listening, failed) => {
    server.server.once("error", failed)
    server.listen(port, host, () => {
      server.server.off("error", failed)
      listening()
    })
  })
}

function portOf(server: SMTPServer): number {
  return (server.server.address() as AddressInfo).port
}

/** Who has signed in: the key is checked again with each email. */
type Submitter = { key: string; principal: KeyPrincipal }

/** The user name; the password is an API key. */
const userName = "apikey"

/**
 * The account of a user name and password, with the checks and the limit of failures that requests to the API have.
 * @throws SmtpRefusal
 */
async function signIn(user: string, password: string, ip: string): Promise<Submitter> {
  const { uuid: id, text: requestId } = newRequestId()
  const startedAt = performance.now()
  // Another name is as good as no key: what it costs must not depend on the password.
  const key = user.trim().toLowerCase() === userName ? password.trim() : ""
  const asked = sendRequest(key, ip)
  const info = { id, ip, headers: asked.headers, signal: asked.signal }
  let principal: Principal | undefined
  try {
    principal = await guard.authenticate(asked, sendEmail, info)
    await guard.authorize(sendEmail, principal, { path: {}, query: new URLSearchParams() }, info)
    if (principal.kind !== "key") throw new TypeError("A session signs in by a cookie, which SMTP has not.")
    return { key, principal }
  } catch (error) {
    const problem = asProblem(error, requestId, "SMTP AUTH")
    recordRefusal(principal, problem, info, performance.now() - startedAt)
    throw replyToSignIn(problemDocument(problem, { baseUrl: env().baseUrl, requestId }))
  }
}

/** Notes what a key was refused before it came to the API, in the log of its project's requests. */
function recordRefusal(
  principal: Principal | undefined,
  problem: Problem,
  info: RequestInfo,
  durationMs: number,
): void {
  const told = { principal, problem, info, status: problem.kind.status, facts: { made: [] }, notice: null }
  recordRequest({ ...told, endpoint: sendEmail, method: methodOf(sendEmail), durationMs })
}

/** The request to the API that sends this body with the key. */
function sendRequest(key: string, ip: string, body = Buffer.alloc(0)): Asked {
  const headers = new Map([
    ["authorization", `Bearer ${key}`],
    ["content-type", "application/json"],
    ["content-length", String(body.length)],
    ["x-client-ip", ip],
  ])
  return {
    url: new URL("/v1/emails", env().baseUrl).href,
    method: "POST",
    // An email whose client has gone is sent: the client repeats it, and is told the same.
    signal: new AbortController().signal,
    headers: { get: (name) => headers.get(name) ?? null },
    body: null,
    readAtMost: () => Promise.resolve(body),
  }
}

/** A refusal as SMTP says it; the library takes `responseCode` and `message`. */
class SmtpRefusal extends Error {
  constructor(
    readonly responseCode: number,
    enhancedCode: string,
    readonly sentence: string,
  ) {
    super(lineOf(`${enhancedCode} ${sentence}`))
  }
}

/** A reply has at most 512 octets with its code and line end (RFC 5321 section 4.5.3.1.5). */
const lineCharsMax = 490

function lineOf(text: string): string {
  const ascii = text
    .replace(/\s+/g, " ")
    .replaceAll("…", "...")
    .replace(/[^\x20-\x7e]/g, "?")
  return ascii.length > lineCharsMax ? `${ascii.slice(0, lineCharsMax - 3)}...` : ascii
}

/** Codes (RFC 5321, RFC 3463) by the status of a problem; what is not listed is a failure of ours, to be tried again. */
const codes: Record<number, readonly [number, string]> = {
  400: [550, "5.6.0"],
  401: [535, "5.7.8"],
  403: [535, "5.7.8"],
  404: [535, "5.7.8"],
  408: [451, "4.7.1"],
  409: [451, "4.7.1"],
  413: [552, "5.3.4"],
  422: [550, "5.7.1"],
  429: [451, "4.7.1"],
  503: [451, "4.7.1"],
}

/** Of problems that their status does not tell apart: who may sign in may not send everything. */
const codesOfProblems: Record<string, readonly [number, string]> = { "auth.sender_not_allowed": [550, "5.7.1"] }

/** What the API answered, as the reply to the message. @throws SmtpRefusal if it was refused */
function acceptedText({ status, body }: Answer): string {
  const json: unknown = JSON.parse(String(body))
  if (status === 201) return `2.0.0 ${(json as { id: string }).id}`
  throw replyTo(json as ProblemDocument)
}

/** The problem's code, where it is, and what is wrong. */
function replyTo({ status, code, detail = "", errors }: ProblemDocument): SmtpRefusal {
  const [responseCode, enhanced] = codesOfProblems[code] ?? codes[status] ?? [451, "4.3.0"]
  const [first] = errors ?? []
  const sentence = first ? `${first.pointer} ${first.detail}` : detail
  return new SmtpRefusal(responseCode, enhanced, `${code}: ${sentence}`)
}

/** The same for AUTH, where a refusal that will pass has a code of its own (RFC 4954 section 6). */
function replyToSignIn({ status, code, detail = "" }: ProblemDocument): SmtpRefusal {
  // The problem of the API speaks of its header.
  const told = status === 401 ? "The user name is apikey, the password an API key that works and may send." : detail
  const sentence = `${code}: ${told}`
  if (status === 401 || status === 403 || status === 404) return new SmtpRefusal(535, "5.7.8", sentence)
  // After many failures from this address the session ends, too.
  return status === 429 ? new SmtpRefusal(421, "4.7.0", sentence) : new SmtpRefusal(454, "4.7.0", sentence)
}
