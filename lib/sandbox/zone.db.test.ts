import { expect, test, vi } from "vitest"
import { freePort } from "@/e2e/support/free-port"
import { api, newWorld } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { startZone } from "@/lib/sandbox/zone"
import { installationDns, systemIo } from "@/lib/regions/io"
import { regionSettings } from "@/lib/regions/settings"

test("a .test domain in a sandbox region verifies by itself, with its records answered by the running zone", async () => {
  const port = await freePort()
  regionSettings().sandboxDnsPort = port
  const stop = new AbortController()
  const running = startZone(stop.signal)
  const io = { ...systemIo(), dns: installationDns() }
  await vi.waitFor(async () => expect((await io.dns.addresses("track.mailroom.test")).kind).toBe("found"), 5_000)

  const world = await newWorld()
  const created = await api("POST /v1/projects/{projectId}/domains", {
    key: world.apiKey,
    params: { projectId: world.project },
    body: { domain: "hello.acme.test", region: "eu-west-1" },
    io,
  })
  expect(created.json).toMatchObject({ status: "pending", mailFromDomain: "send.hello.acme.test" })
  const call = { key: world.apiKey, params: { projectId: world.project, domainId: created.json.id }, io }
  const verify = () => api("POST /v1/projects/{projectId}/domains/{domainId}/verify", call)
  expect((await verify()).json.status).toBe("pending")
  await vi.waitFor(async () => expect((await verify()).json.status).toBe("verified"), {
    timeout: 20_000,
    interval: 500,
  })
  const { json } = await api("GET /v1/projects/{projectId}/domains/{domainId}", call)
  expect(json).toMatchObject({ dkimStatus: "verified", mailFromStatus: "verified", dmarcStatus: "verified" })
  expect(json.verificationRecords).toMatchObject({
    dmarcRecommended: { status: "verified" },
    trackingCname: { status: "verified" },
  })

  await api("DELETE /v1/projects/{projectId}/domains/{domainId}", call)
  // Accepted mail may still leave with the key that is kept for it, so its records stay until that key is destroyed.
  expect((await io.dns.txt("_dmarc.acme.test")).kind).toBe("found")
  await pool().query("DELETE FROM retained_signers")
  expect((await io.dns.txt("_dmarc.acme.test")).kind).toBe("missing")
  stop.abort()
  await running
  expect((await io.dns.addresses("track.mailroom.test")).kind).toBe("error")
})
