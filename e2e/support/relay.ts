import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { buffer } from "node:stream/consumers"
import PostalMime, { type Email } from "postal-mime"
import { SMTPServer } from "smtp-server"

export const relayUser = "relay"

/** A mail server on loopback that requires a password, like an operator's relay. It stores accepted mail in `folder`. */
export type Relay = { url: string; folder: string; stop(): Promise<void> }

export async function startRelay(password: string): Promise<Relay> {
  const folder = mkdtempSync(join(tmpdir(), "mailroom-emails-"))
  let taken = 0
  const server = new SMTPServer({
    // Its client sends a password without TLS to loopback alone.
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    authMethods: ["PLAIN"],
    logger: false,
    onAuth: (given, _session, done) =>
      given.username === relayUser && given.password === password
        ? done(null, { user: relayUser })
        : done(new Error("Not the password.")),
    async onData(stream, session, done) {
      const message = await buffer(stream)
      for (const { address } of session.envelope.rcptTo) writeFileSync(join(folder, fileOf(address, ++taken)), message)
      done()
    },
  })
  server.on("error", () => undefined)
  server.listen(0, "127.0.0.1")
  await once(server.server, "listening")
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://${relayUser}:${encodeURIComponent(password)}@127.0.0.1:${port}?tls=none`,
    folder,
    async stop() {
      await new Promise<void>((closed) => server.close(closed))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The link in the newest email to an address with this subject, once it has arrived at a relay; by default at that of the suite. */
export async function linkTo(address: string, subject: RegExp, folder = folderOfSuite()): Promise<URL> {
  const deadline = Date.now() + 20_000
  for (;;) {
    for (const email of await emailsTo(address, folder)) {
      const link = /^.+: (http\S+)$/m.exec(email.text ?? "")?.[1]
      if (subject.test(email.subject ?? "") && link) return new URL(link)
    }
    if (Date.now() > deadline) throw new Error(`No email "${subject.source}" arrived at ${address} within 20 s.`)
    await wait(100)
  }
}

const folderOfSuite = () => process.env.E2E_SYSTEM_EMAILS ?? ""

/** Emails that a relay took for an address, the newest first. */
export async function emailsTo(address: string, folder: string): Promise<Email[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith(fileOf(address)))
  return Promise.all(
    files
      .sort()
      .reverse()
      .map((name) => PostalMime.parse(readFileSync(join(folder, name)))),
  )
}

function fileOf(address: string, number?: number): string {
  const end = `-${address.toLowerCase()}.eml`
  return number === undefined ? end : `${String(number).padStart(6, "0")}${end}`
}
