import { createServer, type Server } from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { createAuthority } from "@/e2e/support/delivery/authority"
import { selfSignedCertificate } from "@/e2e/support/delivery/certificate"
import type { Faults } from "@/e2e/support/delivery/fault-server"
import { type MailLab, startMailLab } from "@/e2e/support/delivery/mail-lab"
import {
  attemptRows,
  deliverDue,
  deliveryRows,
  emailRow,
  newSending,
  type Sending,
  sendMail,
} from "@/e2e/support/delivery/sending"
import { createPolicyFetch } from "@/lib/delivery/direct/demands"
import { createRelays, type Relays } from "@/lib/delivery/regions/relays"
import { findOutages } from "@/lib/delivery/regions/data"
import { createStub } from "@/lib/platform/dns/stub"
import { provideEnv } from "@/lib/platform/env/env"

// What hostile servers of recipients' domains do costs their own mail at most, and for a bounded time.

let lab: MailLab
let sender: Sending
let relays: Relays

beforeAll(async () => {
  lab = await startMailLab()
  provideEnv(lab.variables)
  sender = await newSending()
})

beforeEach(() => {
  relays = createRelays()
})

afterAll(() => lab.close())

describe("T103: TLS", () => {
  const certificate = selfSignedCertificate()
  const old = { ...certificate, minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" }

  it("before version 1.2 is none: mail goes without where nothing demands it, and waits where the sender does", async () => {
    const server = await lab.server("127.0.6.1", { certificate: old })
    lab.domain("old.example", [["mx.old.example", 10, "127.0.6.1"]])
    const [free, demanding] = [await sendTo("old.example"), await sendTo("old.example", { tls: "required" })]
    expect(await endOf(free)).toMatchObject({ status: "delivered", level: "none" })
    expect(await endOf(demanding)).toMatchObject({ status: "sending", outcome: "deferred", phase: "starttls" })
    expect(server.taken).toEqual([expect.objectContaining({ tls: false })])
  })

  it("with 100 certificates is encrypted as with one", async () => {
    const more = selfSignedCertificate().cert.repeat(100)
    await lab.server("127.0.6.2", { certificate: { ...certificate, cert: certificate.cert + more } })
    lab.domain("chain.example", [["mx.chain.example", 10, "127.0.6.2"]])
    expect(await endOf(await sendTo("chain.example"))).toMatchObject({ status: "delivered", level: "encrypted" })
  })
})

describe("T104: a policy host", () => {
  const authority = createAuthority()
  let host: Server
  const closed = new Set<string>()

  beforeAll(async () => {
    host = createServer(authority.issue(["mta-sts.slow.example", "mta-sts.endless.example"]), (request, response) => {
      const name = String(request.headers.host).split(":")[0] ?? ""
      response.writeHead(200, { "content-type": "text/plain" })
      const isSlow = name.startsWith("mta-sts.slow")
      const timer = setInterval(() => response.write(isSlow ? "v" : "x".repeat(100_000)), isSlow ? 500 : 1)
      response.on("close", () => {
        clearInterval(timer)
        closed.add(name)
      })
    })
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.21", resolve))
  })

  afterAll(() => void host.close())

  it.each(["slow", "endless"])("that is %s gives no policy, and is hung up on", async (kind) => {
    lab.dns.answer(`mta-sts.${kind}.example`, "A", ["127.0.0.21"])
    const fetchPolicy = createPolicyFetch({
      networks: [{ address: "127.0.0.0", prefix: 8 }],
      policyPort: (host.address() as AddressInfo).port,
      stub: createStub({ resolvers: [lab.dns], trusted: false }),
      ca: authority.certificate,
    })
    expect(await fetchPolicy(`${kind}.example`)).toBeNull()
    await expect.poll(() => [...closed]).toContain(`mta-sts.${kind}.example`)
  })
})

describe("T105: a server", () => {
  const flood = (words: string) => (socket: Socket) => {
    const write = () => {
      while (socket.writable && socket.write(words)) continue
      if (socket.writable) socket.once("drain", write)
    }
    write()
  }

  it.each<[string, Faults]>([
    ["greets without an end", { GREETING: flood("220-more of this\r\n".repeat(1_000)) }],
    ["greets with one endless line", { GREETING: flood("x".repeat(65_536)) }],
    ["greets with NULs", { GREETING: "\0".repeat(100) }],
    ["answers EHLO without an end", { EHLO: flood("250-more of this\r\n".repeat(1_000)) }],
    [
      "answers EHLO and resets the connection",
      { EHLO: (socket) => (socket.write("250 fault.test\r\n"), void socket.resetAndDestroy()) },
    ],
  ])("that %s costs one connection, and the mail goes to the next one", async (title, faults) => {
    const at = title.length
    const bad = await lab.faulty(`127.0.7.${at}`, faults)
    const good = await lab.server(`127.0.8.${at}`)
    const domain = `hostile-${at}.example`
    lab.domain(domain, [
      [`mx1.${domain}`, 10, `127.0.7.${at}`],
      [`mx2.${domain}`, 20, `127.0.8.${at}`],
    ])
    for (const id of [await sendTo(domain), await sendTo(domain)])
      expect(await endOf(id)).toMatchObject({ status: "delivered", host: `mx2.${domain}` })
    expect(good.taken).toHaveLength(2)
    expect(bad.connections()).toBe(1)
  })

  it("that asks for a message and then refuses the command bounces that mail alone", async () => {
    let isHostile = true
    await lab.faulty("127.0.7.2", { DOT: () => (isHostile ? "500 5.5.1 what was that?" : "250 2.0.0 ok") })
    lab.domain("refusing.example", [["mx.refusing.example", 10, "127.0.7.2"]])
    const first = await sendTo("refusing.example")
    isHostile = false
    const second = await sendTo("refusing.example")
    expect(await endOf(first)).toMatchObject({ status: "bounced", outcome: "refused", phase: "final" })
    expect(await deliveryRows(first)).toMatchObject([{ bounce_type: expect.not.stringMatching(/^hard$/) }])
    expect(await endOf(second)).toMatchObject({ status: "delivered" })
  })

  it("does none of that to the region", async () => {
    expect(await findOutages()).toEqual([])
  })
})

async function sendTo(domain: string, fields: Record<string, unknown> = {}): Promise<string> {
  const [id = ""] = await sendMail(sender, { to: [`ada@${domain}`], ...fields })
  await deliverDue(relays)
  return id
}

/** How an email stands, and what its last attempt met. */
async function endOf(id: string) {
  const { status } = await emailRow(id)
  const last = (await attemptRows(id)).at(-1)
  return {
    status,
    outcome: last?.outcome,
    phase: last?.phase,
    host: last?.remote.split(" ")[0],
    level: last?.tls_level,
  }
}
