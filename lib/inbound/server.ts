import type { AddressInfo } from "node:net"
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server"
import { wireAddress } from "@/lib/addresses/hostname"
import type { ServiceNames } from "@/lib/domains/records/records"
import type { Intake, InboundMail } from "@/lib/inbound/mails-sql"
import { type ArrivalVerdicts, type InboundRecipient, recipientOf } from "@/lib/inbound/arrival"
import type { RouteAnswer, RouteDirectory } from "@/lib/inbound/route-store"
import { hmac, sha256 } from "@/lib/platform/crypto"
import { log } from "@/lib/platform/log"
import { counter, gauge } from "@/lib/platform/metrics"
import { networkOf } from "@/lib/platform/networks"
import { createRoom } from "@/lib/platform/jobs/room"
import { createClients, readAll } from "@/lib/platform/smtp-server/limits"
import { watchCertificate } from "@/lib/platform/smtp-server/certificate"
import { cutText } from "@/lib/platform/format"
import type { ReceivedMessage } from "@/lib/sandbox/verdicts"

export type Inbound = { port: number; close(): Promise<void> }

export const inboundLimits = {
  clientsMax: 200,
  clientsPerAddressMax: 20,
  newPerAddressAndMinuteMax: 60,
  recipientsMax: 100,
  /** Of one session: servers that return mail know whom they write to, and each of these asks the database. */
  unknownRecipientsMax: 20,
  idleMs: 300_000,
  sessionMs: 600_000,
  /** From DATA to the end of the mail; the largest comes within it over a line of 1.2 Mbit/s. */
  dataMs: 180_000,
  /** Of mail for projects' routes. */
  messageBytesMax: 25 * 2 ** 20,
  /** Of all other mail, which is about mail. */
  returnedBytesMax: 10 * 2 ** 20,
  /** Of a mail in all its copies: one is stored for each recipient, and others' mail waits meanwhile. */
  copiesBytesMax: 100 * 2 ** 20,
  /**
   * Octets of all messages that are being received or stored, and of those of one client address: beyond, senders are asked to come
   * back. An address has a quarter, and that is the largest mail.
   */
  heldBytesMax: 100 * 2 ** 20,
  addressBytesMax: 25 * 2 ** 20,
  /** A mail that passed more servers than this goes round in a circle (RFC 5321 section 6.3). */
  receivedMax: 50,
}

export type InboundOptions = {
  port: number
  /** All addresses if undefined. */
  host: string | undefined
  service: ServiceNames
  /** The files of the operator's certificate; without them the server makes one itself. */
  tls?: { cert: string; key: string }
  /** Whether an address for reports, in lower case, takes mail; nobody has one unless this is given. */
  admitReports?(address: string, token: string): Promise<Exclude<Intake, "late">>
  /** Addresses of projects' routes; nobody has one unless this is given. */
  routes?: RouteDirectory
  /** What mail for a route proves of its sender. */
  judge?(message: ReceivedMessage): Promise<ArrivalVerdicts>
  /** Answers once the mail is committed. */
  store(mail: InboundMail): Promise<Intake>
  limits?: Partial<typeof inboundLimits>
}

const closeWithinMs = 2_000
const addressCharsMax = 320

const taken = counter("mailroom_inbound_messages_total", "Returned mails by what they were answered.", ["answer"])
const refused = counter(
  "mailroom_inbound_refused_total",
  "Connections, recipients and mails that the listener did not take.",
  ["reason"],
)
const connections = gauge("mailroom_inbound_connections", "Open SMTP connections of the listener for returned mail.")

/**
 * The SMTP server to which other servers return mail (RFC 5321): takes what is addressed to a return path, an office of
 * ours or a project's route, relays nothing, and responds 250 once the mail is committed. No mail leaves because of one that arrives here.
 * @throws when the port is taken or the operator's certificate cannot be used
 */
export async function openInbound(options: InboundOptions): Promise<Inbound> {
  const { service, store } = options
  const limits = { ...inboundLimits, ...options.limits }
  const clients = createClients({
    openMax: limits.clientsPerAddressMax,
    newPerMinuteMax: limits.newPerAddressAndMinuteMax,
  })
  const sessions = new Map<string, Open>()
  const room = createRoom({ bytesMax: limits.heldBytesMax, ownerBytesMax: limits.addressBytesMax })
  const certificate = watchCertificate(options.tls, [service.serviceDomain])

  const server = new SMTPServer({
    name: service.serviceDomain,
    banner: "Mailroom",
    size: limits.messageBytesMax,
    authOptional: true,
    // People have addresses such as `user.@docomo.example`, and servers names with underscores; ours are known anyway.
    lenientAddressParsing: true,
    // Four times what RFC 5321 allows (section 4.5.3.1.4): A-labels take time with the square of their length.
    maxCommandLength: 2_048,
    disabledCommands: ["AUTH", "VRFY", "EXPN", "WIZ", "SHELL", "KILL"],
    disableReverseLookup: true,
    // Ours stand in the texts, because the library knows one for each reply code.
    hideENHANCEDSTATUSCODES: true,
    hideDSN: true,
    maxClients: limits.clientsMax,
    maxRecipients: limits.recipientsMax,
    socketTimeout: limits.idleMs,
    closeTimeout: closeWithinMs,
    logger: false,
    ...certificate.current,
    onConnect({ id, remoteAddress }, done) {
      if (!clients.admit(remoteAddress)) {
        refused.inc({ reason: "connections" })
        return done(reply(421, "4.7.0 Too many connections from your address, try again later"))
      }
      sessions.set(id, { timer: setTimeout(endSession, limits.sessionMs, id), unknown: 0 })
      connections.set(sessions.size)
      done()
    },
    onClose({ id, remoteAddress }) {
      const session = sessions.get(id)
      if (!session) return
      clearTimeout(session.timer)
      sessions.delete(id)
      connections.set(sessions.size)
      clients.leave(remoteAddress)
    },
    onRcptTo({ address }, { id, envelope }, done) {
      admit(wireAddress(address), envelope.rcptTo.length).then(
        (intake) => {
          const refusal = refusals[intake]
          if (refusal) refused.inc({ reason: intake === "unknown" ? "recipient" : intake })
          const session = sessions.get(id)
          if (session && intake === "unknown" && ++session.unknown > limits.unknownRecipientsMax)
            return done(reply(421, "4.7.0 Too many recipients that nobody has here"))
          done(refusal && reply(refusal.code, refusal.text))
        },
        (error: unknown) => {
          log.warn({ err: error }, "a recipient of returned mail could not be looked up")
          refused.inc({ reason: "database" })
          done(notStored())
        },
      )
    },
    onData(stream, session, done) {
      receive(stream, session).then(
        () => {
          taken.inc({ answer: "250" })
          done(null, "2.0.0 Stored")
        },
        (error: unknown) => {
          const answer = error instanceof Reply ? error : notStored()
          if (answer !== error) log.warn({ err: error }, "a returned mail could not be stored")
          taken.inc({ answer: String(answer.responseCode) })
          refused.inc({ reason: answer.reason })
          done(answer)
        },
      )
    },
  })
  certificate.onChange((changed) => server.updateSecureContext(changed))
  // A client may hang up in the middle of a session, or fail to encrypt.
  server.on("error", (error) => log.debug({ err: error }, "an inbound SMTP connection broke"))
  await new Promise<void>((listening, failed) => {
    server.server.once("error", failed)
    server.listen(options.port, options.host, () => {
      server.server.off("error", failed)
      listening()
    })
  }).catch((error: unknown) => {
    certificate.close()
    throw error
  })
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => {
      certificate.close()
      return new Promise((closed) => server.close(() => closed()))
    },
  }

  async function admit(address: string, others: number): Promise<Answer> {
    if (address.length > addressCharsMax) return "unknown"
    const intake = await admitOurs(recipientOf(address, { hmac, service, now: new Date() }))
    return intake === "unknown" ? (options.routes?.admit(address.toLowerCase(), others) ?? "unknown") : intake
  }

  /** A token that nobody has is no address for reports: a route may take it. */
  async function admitOurs(recipient: InboundRecipient | null): Promise<Intake> {
    if (!recipient) return "unknown"
    if (!recipient.reportToken) return "stored"
    return options.admitReports?.(recipient.address, recipient.reportToken) ?? "unknown"
  }

  function endSession(id: string) {
    const connection = [...server.connections].find((each) => each.id === id)
    connection?.send(421, "4.4.2 The session has taken too long")
  }

  /** @throws Reply with the answer to the sender unless every recipient's mail is committed */
  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const place = room.enter(networkOf(session.remoteAddress))
    try {
      const raw = await readAll(stream, place, limits.dataMs)
      if (stream.sizeExceeded)
        throw reply(552, `5.3.4 The mail is larger than ${limits.messageBytesMax} octets`, "size")
      if (raw === "late") throw reply(421, "4.4.2 The mail has taken too long", "late")
      if (raw === "no_room") throw reply(452, "4.3.1 Too much mail at once, try again later", "memory")
      if (hopsOf(raw, limits.receivedMax) > limits.receivedMax)
        throw reply(554, "5.4.6 The mail has passed too many servers", "loop")
      const mails = await mailsOf(raw, session)
      const isForRoutes = mails.every(({ door }) => door === "route")
      if (!isForRoutes && raw.length > limits.returnedBytesMax)
        throw reply(552, `5.3.4 The mail is larger than ${limits.returnedBytesMax} octets`, "size")
      if (mails.length > 1 && mails.length * raw.length > limits.copiesBytesMax)
        throw reply(552, "5.3.4 The mail is too large for so many recipients, send it to fewer at once", "size")
      const arrived = await judged(mails)
      if (!arrived.every(isInTurn)) throw reply(refusals.busy.code, refusals.busy.text, "busy")
      const answers = await Promise.all(arrived.map(store))
      const worst = answers.find((answer) => refusals[answer] !== null)
      const refusal = worst && refusals[worst]
      if (refusal) throw reply(refusal.code, refusal.text, worst)
    } finally {
      place.leave()
    }
  }

  /** @throws Reply where the sender's domain asks to reject what it did not send (RFC 7489 section 6.3), or that cannot be told now */
  async function judged(mails: InboundMail[]): Promise<InboundMail[]> {
    const first = mails.find(({ door }) => door === "route")
    if (!first || !options.judge) return mails
    const { raw, mailFrom, client: ip, helo, routeId, rcptTo } = first
    const verdicts = await options.judge({ raw, mailFrom, ip, helo, owner: routeId ?? rcptTo })
    if (verdicts.policy === "reject" && verdicts.dmarc === "fail")
      throw reply(550, "5.7.1 The mail fails DMARC, and its domain asks to reject it", "dmarc")
    if (verdicts.policy === "reject" && verdicts.dmarc === "temperror")
      throw reply(451, "4.7.0 The DNS did not say whether the mail passes DMARC, try again later", "dmarc_unknown")
    return mails.map((mail) => (mail.door === "route" ? { ...mail, verdicts } : mail))
  }

  /** Who sent more than a route takes in a minute comes back, and what was refused for another reason took nobody's turn. */
  function isInTurn({ routeId }: InboundMail): boolean {
    return routeId === undefined || options.routes?.count(routeId) !== false
  }

  async function mailsOf(
    raw: Buffer,
    { envelope, remoteAddress, hostNameAppearsAs, secure, tlsOptions }: Session,
  ): Promise<InboundMail[]> {
    const mailFrom = envelope.mailFrom ? wireAddress(envelope.mailFrom.address) : ""
    const protocol = typeof tlsOptions === "object" ? tlsOptions.version : undefined
    const common = {
      mailFrom: storable(mailFrom),
      client: remoteAddress,
      helo: storable(hostNameAppearsAs),
      ...(secure ? { tls: protocol ?? "TLS" } : {}),
      digest: sha256(raw).subarray(0, digestBytes),
      raw,
    }
    const mails = envelope.rcptTo.map(async ({ address: given }): Promise<InboundMail> => {
      const address = wireAddress(given)
      const recipient = recipientOf(address, { hmac, service, now: new Date() })
      if (recipient && (await admitOurs(recipient)) !== "unknown") {
        const { door, deliveryId, address: rcptTo } = recipient
        return { ...common, door, rcptTo, ...(deliveryId ? { deliveryId } : {}) }
      }
      const route = await options.routes?.find(address.toLowerCase())
      // It was deleted, or paused, between the recipient and the mail.
      if (!route) throw reply(550, refusals.unknown.text, "recipient")
      if (!route.isLive) throw reply(refusals.paused.code, refusals.paused.text, "paused")
      return { ...common, door: "route", rcptTo: storable(address.toLowerCase()), routeId: route.id }
    })
    return Promise.all(mails)
  }
}

type Session = SMTPServerSession & { tlsOptions?: unknown }

/** An open session, and how many of its recipients nobody has. */
type Open = { timer: NodeJS.Timeout; unknown: number }

const digestBytes = 16

type Answer = Intake | RouteAnswer

/** The answer for each way in which a mail was not stored; the sender tries again, and what was stored is recognized. */
const refusals = {
  stored: null,
  unknown: { code: 550, text: "5.1.1 No such address here" },
  paused: { code: 450, text: "4.2.1 This address takes no mail at the moment" },
  busy: { code: 451, text: "4.7.1 Too much mail for this address, try again in a minute" },
  full: { code: 452, text: "4.2.2 This address has taken as much mail as it may" },
  late: { code: 451, text: "4.3.0 Mail cannot be stored now, try again later" },
} as const satisfies Record<Answer, { code: number; text: string } | null>

class Reply extends Error {
  constructor(
    readonly responseCode: number,
    text: string,
    /** As it is counted. */
    readonly reason: string,
  ) {
    super(text)
  }
}

function reply(responseCode: number, text: string, reason = "other"): Reply {
  return new Reply(responseCode, text, reason)
}

function notStored(): Reply {
  return reply(451, "4.3.0 Mail cannot be stored now, try again later", "database")
}

const headerBytesMax = 2 ** 20

/** Received fields of the header; every server puts its own in front. */
function hopsOf(raw: Buffer, most: number): number {
  let hops = 0
  for (let at = 0; at < raw.length && at < headerBytesMax && hops <= most;) {
    const end = raw.indexOf(10, at)
    const line = raw.toString("latin1", at, Math.min(end < 0 ? raw.length : end, at + received.length))
    if (line === "" || line === "\r") break
    if (line.toLowerCase() === received) hops += 1
    if (end < 0) break
    at = end + 1
  }
  return hops
}

const received = "received:"

function storable(text: string): string {
  return cutText(text, addressCharsMax)
}
