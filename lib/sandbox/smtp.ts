import type { AddressInfo } from "node:net"
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server"
import { decodeWords } from "postal-mime"
import { wireAddress } from "@/lib/addresses/hostname"
import { deliveryOfVerp } from "@/lib/delivery/message/proven-ids"
import { feedbackHost } from "@/lib/domains/records/records"
import { hmac } from "@/lib/platform/crypto"
import { env } from "@/lib/platform/env/env"
import { encodeId } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import { cutText } from "@/lib/platform/format"
import { regionNames } from "@/lib/regions/regions"
import { judgeMessage } from "@/lib/sandbox/judge"
import type { ResolveRecords } from "@/lib/sandbox/verdicts"
import { captureMessage } from "@/lib/sandbox/data"
import type { Readers } from "@/lib/sandbox/readers"

export type SandboxSmtp = { port: number; close(): Promise<void> }

const messageBytesMax = 25 * 2 ** 20
const clientsMax = 200
const silentClientMs = 300_000
const closeWithinMs = 2_000

/**
 * The SMTP server of the sandbox on 127.0.0.1 (RFC 5321): accepts mail for every recipient, authenticates it as another
 * provider's server would, and responds 250 once it is stored in the mailbox of the project whose return path it has.
 * @throws when the port is taken
 */
export async function openSandboxSmtp(options: {
  port: number
  serviceDomain: string
  resolver: ResolveRecords
  /** Who act on what they get. */
  readers?: Readers
}): Promise<SandboxSmtp> {
  const { serviceDomain } = options
  const server = new SMTPServer({
    name: `sandbox.${serviceDomain}`,
    banner: "Mailroom sandbox",
    size: messageBytesMax,
    rejectOversized: true,
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    hideSMTPUTF8: true,
    maxClients: clientsMax,
    socketTimeout: silentClientMs,
    closeTimeout: closeWithinMs,
    logger: false,
    onRcptTo({ address }, _session, done) {
      const refusal = simulatorRefusal(address, serviceDomain)
      done(refusal && replying(refusal.code, refusal.text))
    },
    onData(stream, session, done) {
      receive(stream, session, options).then(
        (said) => done(null, said),
        (error: unknown) => {
          log.error({ err: error }, "the sandbox could not store a message")
          done(replying(451, "4.3.0 Mailbox temporarily unavailable, try again later"))
        },
      )
    },
  })
  // A client may hang up in the middle of a session.
  server.on("error", (error) => log.debug({ err: error }, "a sandbox SMTP connection broke"))
  await new Promise<void>((listening, failed) => {
    server.server.once("error", failed)
    server.listen(options.port, "127.0.0.1", () => {
      server.server.off("error", failed)
      listening()
    })
  })
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}

/** The text of the 250 response. Mail without one of our return paths belongs to no project: accepted and discarded. */
async function receive(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  { resolver, readers }: { resolver: ResolveRecords; readers?: Readers },
): Promise<string> {
  const raw = await readAll(stream)
  if (stream.sizeExceeded) return "too large"
  const mailFrom = session.envelope.mailFrom ? wireAddress(session.envelope.mailFrom.address) : ""
  const recipients = session.envelope.rcptTo.map(({ address }) => wireAddress(address))
  if (recipients.some(returns)) {
    for (const to of recipients) readers?.forward({ from: mailFrom, to, message: raw })
    return "2.0.0 Forwarded to the listener for returned mail"
  }
  const deliveryId = deliveryOfVerp(mailFrom.slice(0, Math.max(0, mailFrom.lastIndexOf("@"))), hmac)
  if (!deliveryId) {
    log.debug({ mailFrom }, "the sandbox discarded a message without one of our return paths")
    return "2.0.0 Accepted and discarded"
  }
  const { remoteAddress: ip, hostNameAppearsAs: helo } = session
  const owner = mailFrom.slice(mailFrom.lastIndexOf("@") + 1)
  const verdicts = await judgeMessage({ raw, mailFrom, ip, helo, owner }, resolver)
  const [subject, from] = [headerOf(raw, "subject"), headerOf(raw, "from")]
  const captured: string[] = []
  for (const rcptTo of recipients) {
    const id = await captureMessage({ deliveryId, mailFrom, rcptTo, subject, from, verdicts, raw })
    if (!id) continue
    captured.push(encodeId("msg", id))
    readers?.read({ deliveryId, mailFrom, rcptTo, raw })
  }
  if (captured.length) readers?.count({ from, ip, verdicts })
  return captured.length ? `2.0.0 Captured as ${captured.join(" ")}` : "2.0.0 Accepted and discarded"
}

/** Whether mail to the address comes back to us: the sandbox is its own MX for the hosts at which mail is returned. */
function returns(address: string): boolean {
  const host = address.slice(address.lastIndexOf("@") + 1).toLowerCase()
  return regionNames.some((region) => feedbackHost(region, env()) === host)
}

async function readAll(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    // What exceeds the limit is read to its end, so that we can respond, but not buffered.
    if (!stream.sizeExceeded) chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function replying(responseCode: number, text: string): Error & { responseCode: number } {
  return Object.assign(new Error(text), { responseCode })
}

/** What their recipients do with the email comes after it is delivered. */
const acceptedNames = new Set(["delivered", "opened", "clicked", "complained", "bounced-later"])

/**
 * The simulator's RCPT response to a recipient; null accepts it. Labels after `+` make no difference, and every other
 * domain accepts all. `delayed@` is always deferred (RFC 5321 section 4.2.1), so its mail goes through all retries:
 * `delivery_delayed` after 20 minutes, and in the end it fails. `suppressed@` is stopped at acceptance and never gets here.
 */
function simulatorRefusal(address: string, serviceDomain: string): { code: number; text: string } | null {
  const at = address.lastIndexOf("@")
  if (address.slice(at + 1).toLowerCase() !== `simulator.${serviceDomain}`) return null
  const [name = ""] = address.slice(0, at).toLowerCase().split("+", 1)
  if (acceptedNames.has(name)) return null
  if (name === "delayed") return { code: 451, text: "4.7.0 The simulator defers all mail for this address" }
  if (name === "bounced") return { code: 550, text: "5.1.1 User unknown: the simulator rejects this address" }
  return { code: 550, text: "5.1.1 The simulator has no such address" }
}

/** The first header with a name, as a reader sees it: unfolded, encoded words decoded, at most 1,000 characters. */
function headerOf(raw: Buffer, name: string): string | null {
  const end = raw.indexOf("\r\n\r\n")
  const head = raw.toString("utf8", 0, end === -1 ? raw.length : end)
  const wanted = `${name.toLowerCase()}:`
  const line = head.split(/\r\n(?![ \t])/).find((each) => each.slice(0, wanted.length).toLowerCase() === wanted)
  if (line === undefined) return null
  const value = line
    .slice(wanted.length)
    .replace(/\r\n[ \t]+/g, " ")
    .trim()
  return cutText(decodeWords(value), 1_000)
}
