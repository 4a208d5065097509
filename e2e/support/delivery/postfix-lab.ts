import { createServer as createTcpServer } from "node:net"
import { createServer, type Server } from "node:https"
import { mkdtempSync, rmSync } from "node:fs"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createSecureContext } from "node:tls"
import { createAuthority } from "@/e2e/support/delivery/authority"
import { selfSignedCertificate } from "@/e2e/support/delivery/certificate"
import { type DnsRecord, type SignedDns, startSignedDns } from "@/e2e/support/delivery/signed-dns"
import { freePort } from "@/e2e/support/free-port"
import { launchPostfix, type Postfix } from "@/e2e/support/postfix"
import type { Certificate } from "@/lib/platform/smtp-server/certificate"

/** What the mail servers do, each on an address of its own. All but `plain` encrypt, with a certificate that nobody has issued. */
export const serverAddresses = {
  plain: "127.0.0.11",
  /** Its certificate is the lab authority's for the names below `mx.test` and `mx.plain`. */
  certified: "127.0.0.12",
  selfSigned: "127.0.0.13",
  /** It knows no recipient. */
  refusing: "127.0.0.14",
  /** It takes the second attempt of a sender, a recipient and a client. */
  greylisting: "127.0.0.15",
  /** It answers 421 instead of a greeting. */
  closing: "127.0.0.16",
  /** It takes five connections of a client. */
  fiveAtOnce: "127.0.0.17",
} as const
export type ServerName = keyof typeof serverAddresses

const policyHost = "127.0.0.20"

/** What a client did in one connection, as the server has logged it: how often each command, refused ones included. */
export type Session = Readonly<Record<string, number>>

/** Recipients' mail servers as they are outside: Postfix, Knot DNS, a resolver that validates, and a host of MTA-STS policies. */
export type PostfixLab = {
  /** The variables that lead `direct:` here. */
  variables: Record<string, string>
  /** Certificate of the authority that certified servers and policy hosts have theirs from, as PEM. */
  authority: string
  /** Of the servers that encrypt. */
  certificates: { certified: Certificate; selfSigned: Certificate }
  publish: SignedDns["publish"]
  /** By domain; a domain without one answers 404. */
  policies: Map<string, string>
  /** All connections to a server so far, once they are closed. */
  sessions(server: ServerName): Promise<Session[]>
  stop(): Promise<void>
}

export async function startPostfixLab(): Promise<PostfixLab> {
  const folder = mkdtempSync(join(tmpdir(), "mailroom-lab-"))
  const authority = createAuthority()
  const certificates = {
    certified: authority.issue(["*.mx.test", "*.mx.plain"]),
    selfSigned: selfSignedCertificate(),
  }
  const policies = new Map<string, string>()
  const [port, policyPort] = [await freePort(), await freePort()]
  const greylist = await startGreylist()
  const [dns, postfix, policyServer] = await Promise.all([
    startSignedDns(folder),
    startServers(port, greylist.port, certificates),
    startPolicyHost(policyPort, policies, (name) => authority.issue([name])),
  ])
  return {
    variables: {
      SMTP_URL: "direct:",
      MX_DNS: `127.0.0.1:${dns.port}`,
      ALLOW_PRIVATE_MX: "127.0.0.0/8",
      DIRECT_PORT: String(port),
      STS_PORT: String(policyPort),
    },
    authority: authority.certificate,
    certificates,
    publish: dns.publish,
    policies,
    sessions: (server) => sessionsOf(server, postfix),
    async stop() {
      policyServer.close()
      await Promise.all([dns.stop(), postfix.stop(), greylist.close()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The records of a domain whose mail goes to these hosts, by their preference. */
export function mailDomain(name: string, ...hosts: readonly [host: string, server: ServerName][]): DnsRecord[] {
  const exchanges = hosts.map(([host], at) => `${(at + 1) * 10} ${host}.`)
  return [
    { name, type: "MX", values: exchanges },
    ...hosts.map(([host, server]) => ({ name: host, type: "A", values: [serverAddresses[server]] })),
  ]
}

/** The records of a domain with an MTA-STS policy. */
export function policyRecords(domain: string, id: string): DnsRecord[] {
  return [
    { name: `_mta-sts.${domain}`, type: "TXT", values: [`"v=STSv1; id=${id};"`] },
    { name: `mta-sts.${domain}`, type: "A", values: [policyHost] },
  ]
}

function startServers(
  port: number,
  greylistPort: number,
  { certified, selfSigned }: PostfixLab["certificates"],
): Promise<Postfix> {
  const own: Record<ServerName, readonly string[]> = {
    plain: ["smtpd_tls_security_level=none"],
    certified: ["smtpd_tls_chain_files=$folder/certified.pem"],
    selfSigned: [],
    refusing: ["smtpd_recipient_restrictions=check_recipient_access,static:{550 5.1.1 User unknown}"],
    greylisting: [`smtpd_recipient_restrictions=check_policy_service,inet:127.0.0.1:${greylistPort}`],
    closing: [
      "smtpd_delay_reject=no",
      "smtpd_client_restrictions=check_client_access,static:{421 4.7.0 Try again later}",
    ],
    fiveAtOnce: ["smtpd_client_connection_count_limit=5", "smtpd_client_event_limit_exceptions="],
  }
  const names = Object.keys(own) as ServerName[]
  return launchPostfix({
    listeners: names.map((name) => {
      const settings = [`syslog_name=${name}`, ...own[name]].map((one) => ` -o {${one}}`)
      return `${serverAddresses[name]}:${port} inet n - n - - smtpd${settings.join("")}\n`
    }),
    main: {
      myhostname: "mx.lab.test",
      transport_maps: "static:discard:",
      smtpd_tls_security_level: "may",
      smtpd_tls_chain_files: "$folder/self-signed.pem",
      smtpd_peername_lookup: "no",
    },
    files: {
      "certified.pem": certified.key + certified.cert,
      "self-signed.pem": selfSigned.key + selfSigned.cert,
    },
  })
}

/** Postfix's policy protocol: lines of `name=value` up to an empty one, and one line in reply. */
async function startGreylist(): Promise<{ port: number; close(): Promise<void> }> {
  const seen = new Set<string>()
  const server = createTcpServer((socket) => {
    let text = ""
    socket.on("error", () => socket.destroy())
    socket.on("data", (chunk) => {
      text += chunk.toString()
      for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
        const asked = new Map(text.slice(0, end).split("\n").map(pairOf))
        text = text.slice(end + 2)
        const key = ["client_address", "sender", "recipient"].map((name) => asked.get(name)).join(" ")
        socket.write(`action=${seen.has(key) ? "dunno" : "451 4.7.1 Greylisted, please try again later"}\n\n`)
        seen.add(key)
      }
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return {
    port: typeof address === "object" && address ? address.port : 0,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function pairOf(line: string): [string, string] {
  const at = line.indexOf("=")
  return [line.slice(0, at), line.slice(at + 1)]
}

async function startPolicyHost(
  port: number,
  policies: ReadonlyMap<string, string>,
  issue: (name: string) => Certificate,
): Promise<Server> {
  const server = createServer(
    { SNICallback: (name, done) => done(null, createSecureContext(issue(name))) },
    (request, response) => {
      const domain = (request.headers.host ?? "").replace(/:\d+$/, "").replace(/^mta-sts\./, "")
      const policy = policies.get(domain)
      response.writeHead(policy === undefined ? 404 : 200, { "content-type": "text/plain" }).end(policy)
    },
  ).listen(port, policyHost)
  await once(server, "listening")
  return server
}

/** Postfix logs a connection's commands when it ends, as in `ehlo=2 starttls=1 mail=1 rcpt=0/1`. */
async function sessionsOf(server: ServerName, postfix: Postfix): Promise<Session[]> {
  for (;;) {
    const lines = postfix.log().split("\n")
    const own = lines.filter((line) => line.includes(` ${server}/smtpd[`))
    const opened = own.filter((line) => /\]: connect from /.test(line))
    const closed = own.filter((line) => /\]: disconnect from /.test(line))
    if (opened.length === closed.length) return closed.map(sessionOf)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function sessionOf(line: string): Session {
  const counts = [...line.matchAll(/ (\w+)=(?:\d+\/)?(\d+)/g)].map(([, name = "", count]) => [name, Number(count)])
  return Object.fromEntries(counts) as Session
}
