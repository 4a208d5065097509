import type { AddressInfo } from "node:net"
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server"
import { deliveryOfVerp } from "@/lib/delivery/message/verp"
import { hmac } from "@/lib/platform/crypto"
import { encodeId } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import { headerOf } from "@/lib/sandbox/headers"
import { judge } from "@/lib/sandbox/judge"
import type { Resolve } from "@/lib/sandbox/resolver"
import { simulatorRefusal } from "@/lib/sandbox/simulator"
import * as mailbox from "@/lib/sandbox/store"

export type SandboxSmtp = { port: number; close(): Promise<void> }

const messageBytesMax = 25 * 2 ** 20
const clientsMax = 200
const silentClientMs = 300_000
const closeWithinMs = 2_000

/**
 * The receiver of the sandbox on 127.0.0.1 (RFC 5321): takes mail for every recipient, judges it as a stranger's server
 * would, and answers 250 once it lies in the mailbox of the project whose return path it carries.
 * @throws when the port is taken
 */
export async function openSandboxSmtp(options: {
  port: number
  serviceDomain: string
  resolver: Resolve
}): Promise<SandboxSmtp> {
  const { serviceDomain, resolver } = options
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
      receive(stream, session, resolver).then(
        (said) => done(null, said),
        (error: unknown) => {
          log.error({ err: error }, "the sandbox could not keep a message")
          done(replying(451, "4.3.0 The mailbox cannot be written now, try again later"))
        },
      )
    },
  })
  // Clients that hang up in the middle are their own concern.
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

/** The words behind 250. Foreign mail is taken and dropped: it belongs to nobody here. */
async function receive(stream: SMTPServerDataStream, session: SMTPServerSession, resolver: Resolve): Promise<string> {
  const raw = await readAll(stream)
  if (stream.sizeExceeded) return "too large"
  const mailFrom = session.envelope.mailFrom ? session.envelope.mailFrom.address : ""
  const deliveryId = deliveryOfVerp(mailFrom.slice(0, Math.max(0, mailFrom.lastIndexOf("@"))), hmac)
  if (!deliveryId) {
    log.debug({ mailFrom }, "the sandbox dropped a mail without one of our return paths")
    return "2.0.0 Taken"
  }
  const { remoteAddress: ip, hostNameAppearsAs: helo } = session
  const verdicts = await judge({ raw, mailFrom, ip, helo }, resolver)
  const [subject, from] = [headerOf(raw, "subject"), headerOf(raw, "from")]
  const kept: string[] = []
  for (const { address: rcptTo } of session.envelope.rcptTo) {
    const id = await mailbox.keepMessage({ deliveryId, mailFrom, rcptTo, subject, from, verdicts, raw })
    if (id) kept.push(encodeId("msg", id))
  }
  return kept.length ? `2.0.0 Kept as ${kept.join(" ")}` : "2.0.0 Taken"
}

async function readAll(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    // What is beyond the limit is read to its end, to be able to answer, but not kept.
    if (!stream.sizeExceeded) chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function replying(responseCode: number, text: string): Error & { responseCode: number } {
  return Object.assign(new Error(text), { responseCode })
}
