import { afterEach, expect, test } from "vitest"
import { faultServer, type Faults, type FaultServer } from "@/e2e/support/delivery/fault-server"
import { freePort } from "@/e2e/support/free-port"
import { checkRelay } from "@/lib/delivery/setup/connections"
import type { SetupContext } from "@/lib/delivery/setup/checks"
import type { RegionProfile } from "@/lib/regions/settings"
import { setupWords } from "@/lib/delivery/setup/words"

let relay: FaultServer | undefined
afterEach(() => relay?.close())

function checkAt(port: number, signedIn = false, tls: "none" | "required" = "none") {
  const smtp = { host: "127.0.0.1", port, tls, maxConnections: 1 } as const
  const profile: RegionProfile = {
    region: "eu-west-1",
    ehloName: "out.mail.test",
    delivered: "never",
    transport: "smtp",
    smtp: signedIn ? { ...smtp, user: "mailer", password: "wrong" } : smtp,
  }
  return checkRelay({ now: new Date() } as SetupContext, { region: { profile, sources: [] } })
}

async function checkWith(faults: Faults, signedIn = false) {
  relay = await faultServer(faults)
  return checkAt(relay.port, signedIn)
}

test("a relay that opens a session is right, and gets no message", async () => {
  expect(await checkWith({})).toMatchObject({ state: "ok" })
  expect(relay?.messages).toEqual([])
})

test("a relay at which nobody listens, or that refuses the greeting, is named with what was said", async () => {
  const closed = await checkAt(await freePort())
  expect(closed).toMatchObject({ state: "wrong", code: "unreachable" })
  expect(setupWords("relay", closed).message).toContain("ECONNREFUSED")
  const refused = await checkWith({ EHLO: "550 5.7.1 Not you", HELO: "550 5.7.1 Not you" })
  expect(refused).toMatchObject({ state: "wrong", code: "unreachable", found: [expect.stringContaining("Not you")] })
})

test("a relay with which TLS fails is told from one that cannot be reached", async () => {
  const faults = { EHLO: "250-fault.test\r\n250 STARTTLS", STARTTLS: "454 4.7.0 TLS not available" }
  relay = await faultServer(faults)
  const failed = await checkAt(relay.port, false, "required")
  expect(failed).toMatchObject({ state: "wrong", code: "tls_failed" })
  expect(setupWords("relay", failed).fix).toContain("certificate must be valid for the host name in SMTP_URL")
})

test("a relay that refuses user or password is told from one that cannot be reached, without the password", async () => {
  const refused = await checkWith(
    { EHLO: "250-fault.test\r\n250 AUTH PLAIN", AUTH: "535 5.7.8 authentication failed" },
    true,
  )
  expect(refused).toMatchObject({ state: "wrong", code: "sign_in_refused" })
  const { message, fix } = setupWords("relay", refused)
  expect(message).toContain("535 ")
  expect(message).not.toContain("wrong")
  expect(fix).toContain("percent-encoded")
})
