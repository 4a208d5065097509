import { describe, expect, it } from "vitest"
import { domainExample, withRecords } from "@/e2e/support/domains/sample-domain"
import { hostOf, recordGroups, recordsAsText, relativeHost } from "@/components/domains/records"

describe("hosts", () => {
  it("are written without the zone, as most forms want them", () => {
    expect(relativeHost("send.acme.com", "acme.com")).toBe("send")
    expect(relativeHost("_dmarc.acme.com", "acme.com")).toBe("_dmarc")
    expect(relativeHost("acme.com", "acme.com")).toBe("@")
  })

  it("of a subdomain are relative to the zone that its owner keeps, not to the subdomain", () => {
    expect(relativeHost("send.news.acme.co.uk", "acme.co.uk")).toBe("send.news")
  })

  it("that only end alike stay whole", () => {
    expect(relativeHost("send.notacme.com", "acme.com")).toBe("send.notacme.com")
  })

  it("are whole names on request", () => {
    expect(hostOf("send.acme.com", "acme.com", "absolute")).toBe("send.acme.com")
  })
})

it("records are grouped by what they are for; a group without records is left out", () => {
  const { trackingCname: _, ...rest } = domainExample().verificationRecords
  const titles = recordGroups({ verificationRecords: rest }).map(({ title }) => title)
  expect(titles).toEqual(["DKIM", "MAIL FROM", "DMARC"])
  const keys = recordGroups(domainExample()).flatMap(({ records }) => records.map(({ key }) => key))
  expect(keys).toEqual(["dkim-a", "dkim-b", "mail-from-mx", "mail-from-spf", "dmarc", "tracking"])
})

describe("all records as text", () => {
  it("hold everything that a form asks for, each on its line", () => {
    const text = recordsAsText(domainExample(), "relative")
    expect(text).toContain("DNS records for acme.com. Hosts are relative to acme.com; the TTL is 300 seconds.")
    expect(text).toContain("Type:     MX\nHost:     send\nPriority: 10\nValue:    feedback.eu-west-1.mailroom.test")
    expect(text).toContain("Type:     TXT\nHost:     _dmarc\nValue:    v=DMARC1; p=none")
    expect(text.match(/^Type:/gm)).toHaveLength(6)
  })

  it("say which key is the standby, so that nobody waits for it", () => {
    const [, active = "", standby = ""] = recordsAsText(domainExample(), "relative").split("Type:     TXT")
    expect(active.includes("standby")).toBe(false)
    expect(standby.includes("standby")).toBe(true)
  })

  it("say how long an old key has to stay before the new one takes its place", () => {
    const domain = domainExample()
    const retired = { value: "v=DKIM1; k=rsa; p=OLD", keepUntil: "2026-11-28T14:00:00.000Z" }
    const [active, idle] = domain.verificationRecords.dkim
    if (!active || !idle) throw new Error("two keys")
    domain.verificationRecords.dkim = [active, { ...idle, retired }]
    const text = recordsAsText(domain, "relative")
    expect(text.match(/^Not before 2026-11-28/gm)).toHaveLength(1)
    expect(text).not.toContain("p=OLD")
  })

  it("say that the new key takes the old one's place once the old one is no longer needed, as of the last check", () => {
    const domain = domainExample()
    const retired = { value: "v=DKIM1; k=rsa; p=OLD", keepUntil: "2026-11-28T14:00:00.000Z" }
    const [active, idle] = domain.verificationRecords.dkim
    if (!active || !idle) throw new Error("two keys")
    domain.verificationRecords.dkim = [active, { ...idle, retired, found: [retired.value] }]
    const at = (checkedAt: string) => recordsAsText({ ...domain, checkedAt }, "relative")
    expect(at("2026-11-28T13:59:59.000Z")).toContain("Not before 2026-11-28")
    expect(at(retired.keepUntil)).not.toContain("Not before")
    expect(at(retired.keepUntil)).toContain("Note:     replaces the current record: v=DKIM1; k=rsa; p=OLD")
    const [, over] = recordGroups({ ...domain, checkedAt: retired.keepUntil })[0]?.records ?? []
    expect(over?.retiredOver).toBe(true)
  })

  it("say where a record takes the place of another, as a second one would void both", () => {
    const text = recordsAsText(
      withRecords(domainExample(), { dmarcRecommended: { found: ["v=DMARC1; p=reject"] } }),
      "relative",
    )
    expect(text).toContain("dmarc.mailroom.test\nNote:     replaces the current record: v=DMARC1; p=reject\n")
    expect(text.match(/^Note: +replaces/gm)).toHaveLength(1)
  })

  it("follow the way in which hosts are shown", () => {
    const text = recordsAsText(domainExample(), "absolute")
    expect(text).toContain("Host:     send.acme.com\n")
    expect(text).not.toContain("relative")
  })
})
