import { expect, test } from "vitest"
import { installationRecords } from "@/lib/domains/api"
import type { DnsAnswer } from "@/lib/platform/dns/dns"

const service = { serviceDomain: "mail.acme.example", reportDomain: "dmarc.mail.acme.example" }
const spf = "spf.eu-west-1.mail.acme.example"
const feedback = "feedback.eu-west-1.mail.acme.example"

function dnsWith(zone: Record<string, string[]>) {
  const answer = async (name: string): Promise<DnsAnswer<string>> =>
    zone[name]
      ? { kind: "found", values: zone[name], askedServers: [] }
      : { kind: "missing", reason: "no-name", askedServers: [] }
  return { txt: answer, addresses: answer }
}
const foundIn = async (zone: Record<string, string[]>) =>
  (await installationRecords("eu-west-1", service, dnsWith(zone))).map(({ found }) => found)

test("names the SPF record and the host of returned mail of the region", async () => {
  expect(await installationRecords("eu-west-1", service, dnsWith({}))).toEqual([
    { name: spf, type: "TXT", found: false },
    { name: feedback, type: "A", found: false },
  ])
})

test("each is found by itself, and a text that is no SPF record is not", async () => {
  expect(await foundIn({ [spf]: ["google-site-verification=x", "v=spf1 ip4:192.0.2.1 -all"] })).toEqual([true, false])
  expect(await foundIn({ [spf]: ["v=spf10 -all"], [feedback]: ["192.0.2.1"] })).toEqual([false, true])
})
