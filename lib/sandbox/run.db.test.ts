import { createServer, type AddressInfo } from "node:net"
import { expect, test, vi } from "vitest"
import { freePort } from "@/e2e/support/free-port"
import { runSandbox } from "@/lib/sandbox/run"
import { createSmtpPool } from "@/lib/delivery/smtp/client"
import { installationDns } from "@/lib/regions/io"
import { regionSettings } from "@/lib/regions/settings"

test("name server and mail server answer until the abort, and both ports are free again then", async () => {
  Object.assign(regionSettings(), { sandboxDnsPort: await freePort(), sandboxSmtpPort: await freePort() })
  for (let start = 0; start < 2; start++) {
    const stop = new AbortController()
    const running = runSandbox(stop.signal)
    await vi.waitFor(
      async () => expect((await installationDns().addresses("track.mailroom.test")).kind).toBe("found"),
      5_000,
    )
    await vi.waitFor(async () => expect((await sendTo("bounced@simulator.mailroom.test")).code).toBe(550), 5_000)
    stop.abort()
    await running
  }
})

test("a taken port ends both with a sentence that names the port and its variable", async () => {
  const other = createServer().listen(0, "127.0.0.1")
  await new Promise((listening) => other.once("listening", listening))
  const { port } = other.address() as AddressInfo
  for (const [setting, variable] of [
    ["sandboxSmtpPort", "SANDBOX_SMTP_PORT"],
    ["sandboxDnsPort", "SANDBOX_DNS_PORT"],
  ] as const) {
    Object.assign(regionSettings(), {
      sandboxDnsPort: await freePort(),
      sandboxSmtpPort: await freePort(),
      [setting]: port,
    })
    await expect(runSandbox(new AbortController().signal)).rejects.toThrow(
      `Port ${port} is in use by another program. Stop that, or choose another by ${variable}.`,
    )
  }
  await new Promise((closed) => other.close(closed))
})

async function sendTo(to: string) {
  const target = { host: "127.0.0.1", port: regionSettings().sandboxSmtpPort, tls: "none", maxConnections: 1 } as const
  const client = createSmtpPool(target, { ehloName: "test.mailroom.test" })
  const result = await client.send({ from: "", to, message: Buffer.from("Subject: hi\r\n\r\nhi\r\n") })
  await client.close()
  return result
}
