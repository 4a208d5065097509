import { once } from "node:events"
import { createServer, type AddressInfo } from "node:net"
import { SMTPServer } from "smtp-server"
import { faultServer, type Faults, type FaultServer } from "@/e2e/support/delivery/fault-server"
import { startDnsServer, type TestDnsServer } from "@/e2e/support/platform/dns-server"
import type { Certificate } from "@/lib/platform/smtp-server/certificate"

/** A mail server of a recipient's domain, on an address of its own. */
export type LabServer = {
  /** Recipients whose mail it has taken, and whether that came over TLS. */
  taken: { to: string; tls: boolean }[]
  /** MAIL commands, each with whether it came over TLS. */
  mails: { tls: boolean }[]
  /** Who asked for each recipient that it was asked to take, whatever it said. */
  asked: Asked[]
  connections(): number
  close(): Promise<void>
}

/** A RCPT command with where it came from. */
export type Asked = { client: string; helo: string; from: string; to: string }

/** Recipients' mail servers on 127.0.0.2 and up, all on one port, and the name server that leads to them. */
export type MailLab = {
  dns: TestDnsServer
  /** The variables that lead `direct:` here. */
  variables: Record<string, string>
  server(address: string, options?: ServerOptions): Promise<LabServer>
  /** One that behaves correctly except for these verbs. */
  faulty(address: string, faults: Faults): Promise<Omit<FaultServer, "port">>
  /** The records of a domain whose mail goes to these hosts, by their preference, with their addresses. */
  domain(name: string, hosts: readonly [host: string, preference: number, address?: string][]): void
  close(): Promise<void>
}

type ServerOptions = {
  /** Without one, the server has no TLS. */
  certificate?: Certificate
  /** What it says to a recipient; undefined takes it. */
  refuses?: (to: string, asked: Asked) => { code: number; text: string } | undefined
}

export async function startMailLab(): Promise<MailLab> {
  const dns = await startDnsServer()
  const port = await freePort("127.0.0.2")
  const open: { close(): Promise<void> }[] = []

  const keep = <T extends { close(): Promise<void> }>(server: T): T => (open.push(server), server)

  return {
    dns,
    variables: {
      SMTP_URL: "direct:",
      MX_DNS: `127.0.0.1:${dns.port}`,
      ALLOW_PRIVATE_MX: "127.0.0.0/8",
      DIRECT_PORT: String(port),
    },
    async server(address, options = {}) {
      return keep(await startServer(address, port, options))
    },
    async faulty(address, faults) {
      return keep(await faultServer(faults, port, address))
    },
    domain(name, hosts) {
      dns.answer(
        name,
        "MX",
        hosts.map(([exchange, preference]) => ({ exchange, preference })),
      )
      for (const [host, , address] of hosts) if (address !== undefined) dns.answer(host, "A", [address])
    },
    async close() {
      await Promise.all(open.map((server) => server.close()))
      await dns.close()
    },
  }
}

async function startServer(
  address: string,
  port: number,
  { certificate, refuses = () => undefined }: ServerOptions,
): Promise<LabServer> {
  const taken: LabServer["taken"] = []
  const mails: LabServer["mails"] = []
  const asked: LabServer["asked"] = []
  let connections = 0
  const server = new SMTPServer({
    ...certificate,
    disabledCommands: certificate ? ["AUTH"] : ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onConnect(_, callback) {
      connections += 1
      callback()
    },
    onMailFrom(_, { secure }, callback) {
      mails.push({ tls: secure })
      callback()
    },
    onRcptTo({ address: to }, { remoteAddress: client, hostNameAppearsAs: helo, envelope }, callback) {
      const { mailFrom } = envelope
      const one = { client, helo: String(helo), from: mailFrom ? mailFrom.address : "", to }
      asked.push(one)
      const refused = refuses(to, one)
      callback(refused ? Object.assign(new Error(refused.text), { responseCode: refused.code }) : null)
    },
    onData(stream, { secure, envelope }, callback) {
      stream.on("end", () => {
        for (const { address: to } of envelope.rcptTo) taken.push({ to, tls: secure })
        callback(null)
      })
      stream.resume()
    },
  })
  // A client that ends a handshake is not the lab's fault.
  server.on("error", () => {})
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  return {
    taken,
    mails,
    asked,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function freePort(address: string): Promise<number> {
  const server = createServer().listen(0, address)
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
