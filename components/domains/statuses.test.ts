import { describe, expect, it } from "vitest"
import { sandboxOf } from "@/lib/domains/rules"
import {
  bimiWords,
  componentWords,
  domainWords,
  lacking,
  recordPurpose,
  recordWords,
  shownTitle,
} from "@/components/domains/statuses"
import { domainExample, withRecords } from "@/e2e/support/domains/sample-domain"
import { recordGroups, type RecordKey } from "@/components/domains/records"
import { domainSteps } from "@/components/domains/progress"
import type { Domain, DomainItem } from "@/components/domains/queries"

const record = (domain: Domain, key: RecordKey) => {
  const found = recordGroups(domain)
    .flatMap(({ records }) => records)
    .find((each) => each.key === key)
  if (!found) throw new Error(key)
  return found
}
const steps = (domain: Domain) => domainSteps(domain).map(({ word }) => word)
const quoted = { code: "quoted", message: "It is quoted.", fix: "Drop the quotes." }

describe("colours", () => {
  it("waiting is never red", () => {
    const domain = domainExample()
    const keys: RecordKey[] = ["dkim-a", "dkim-b", "mail-from-mx", "mail-from-spf", "dmarc", "tracking"]
    const tones = [
      domainWords({ status: "pending", domain: "a.example" }),
      ...domainSteps(domain),
      ...keys.map((key) => recordWords(record(domain, key), false)),
    ]
    expect(tones.map(({ tone }) => tone)).not.toContain("bad")
  })

  it("every state says what it means", () => {
    for (const status of ["pending", "verified", "degraded", "failed"])
      expect(domainWords({ status, domain: "a.example" }).tip).not.toBe("")
  })

  it("a domain whose mail cannot leave yet waits for the installation, in the list as on its page", () => {
    const pending = { status: "pending", transport: "sandbox" }
    expect(domainWords({ ...pending, domain: "a.example" }).word).toBe("Waiting for this installation")
    expect(domainWords({ ...pending, domain: "a.test" }).word).toBe("Pending")
    expect(domainWords({ status: "pending", transport: "smtp", domain: "a.example" }).word).toBe("Pending")
  })

  it("a state that is not known is shown as it is", () => {
    expect(domainWords({ status: "teleported", domain: "a.example" })).toMatchObject({
      word: "teleported",
      tone: "wait",
    })
  })
})

describe("a record", () => {
  it("that is not there yet waits; an invalid one is amber", () => {
    const spf = (change: object) => record(withRecords(domainExample(), { mailFromSpf: change }), "mail-from-spf")
    expect(recordWords(spf({}), false)).toMatchObject({ word: "Not found", tone: "wait" })
    expect(recordWords(spf({ found: ["v=spf1 -all"] }), false)).toMatchObject({ word: "Wrong value", tone: "warn" })
    expect(recordWords(spf({ likelyCause: quoted }), false)).toMatchObject({ word: "Wrong value", tone: "warn" })
    const elsewhere = { ...quoted, foundAt: "send.acme.com.acme.com" }
    expect(recordWords(spf({ likelyCause: elsewhere }), false)).toMatchObject({ word: "Wrong host", tone: "warn" })
    expect(recordWords(spf({ status: "failed", found: [] }), false)).toMatchObject({ word: "Missing", tone: "bad" })
  })

  it("that is right is found, though something else keeps it from being verified", () => {
    const expected = record(domainExample(), "dmarc").value
    const unauthorized = { status: "pending", found: [expected], likelyCause: quoted }
    const dmarc = record(withRecords(domainExample(), { dmarcRecommended: unauthorized }), "dmarc")
    expect(recordWords(dmarc, false)).toMatchObject({ word: "Found", tone: "good" })
  })

  it("is called by what it does: the key that signs, and the one for the next rotation", () => {
    expect(shownTitle({ key: "dkim-b" })).toBe("DKIM key")
    expect(shownTitle({ key: "dkim-a", standby: true })).toBe("DKIM standby key")
    expect(shownTitle({ key: "mail-from-spf" })).toBe("MAIL FROM SPF")
    expect(recordPurpose({ key: "dkim-a", standby: true })).toBe("For the next rotation")
  })

  it("that a verified domain has lost is missing; the standby key never is", () => {
    expect(recordWords(record(domainExample(), "mail-from-mx"), true).word).toBe("Missing")
    expect(recordWords(record(domainExample(), "dkim-b"), true).word).toBe("Not found")
  })
})

it("what a domain lacks are the needed records that are not in place, by name", () => {
  const partly = withRecords(domainExample(), { mailFromSpf: { status: "verified" } })
  expect(lacking(partly)).toEqual(["DKIM key", "MAIL FROM MX"])
})

describe("the four steps", () => {
  it("of a new domain wait, and tracking is optional", () => {
    expect(steps(domainExample())).toEqual(["Not found", "Not found", "None", "None"])
  })

  it("count what is found of MAIL FROM", () => {
    expect(steps(withRecords(domainExample(), { mailFromMx: { status: "verified" } }))[1]).toBe("1 of 2 found")
  })

  it("call DKIM found as soon as the key that signs is, and ask for the standby", () => {
    const [dkim] = domainSteps(domainExample({ dkimStatus: "verified" }))
    expect(dkim).toMatchObject({ word: "Found", tone: "good", tip: expect.stringContaining("standby") as string })
  })

  it("call a policy found, say whether its reports reach us, and tell an unreadable one from none", () => {
    const applies = domainExample({ dmarcStatus: "verified" })
    expect(steps(applies)[2]).toBe("Found, no reports")
    expect(steps(withRecords(applies, { dmarcRecommended: { status: "verified" } }))[2]).toBe("Found")
    expect(steps(domainExample({ dmarcStatus: "failed" }))[2]).toBe("Unreadable")
  })

  it("say that the tracking host does not answer yet, which it does later than its record is found", () => {
    const published = withRecords(domainExample({ trackingStatus: "pending" }), {
      trackingCname: { status: "verified" },
    })
    expect(steps(published)[3]).toBe("No HTTPS yet")
    expect(steps({ ...published, trackingStatus: "verified" })[3]).toBe("Found")
  })

  it("of a domain that lost its records say so", () => {
    expect(steps(domainExample({ status: "degraded" }))[1]).toBe("Missing")
    expect(steps(domainExample({ status: "failed", mailFromStatus: "failed" }))[1]).toBe("Missing")
  })
})

it("a tile never says something else than the rows that it sums up", () => {
  const cause = (code: string) => ({ ...quoted, code })
  const states = [
    {},
    { status: "verified" },
    { found: ["x"] },
    { found: ["x"], likelyCause: quoted },
    { found: [], likelyCause: cause("wildcard") },
    { found: ["x"], oldValue: "x", likelyCause: cause("names-changed") },
    { status: "failed" },
  ]
  for (const state of states)
    for (const of of ["verified", "failed", "pending", "not_configured"])
      for (const status of ["pending", "verified", "degraded", "failed"]) {
        const component = of === "pending" ? {} : { dmarcStatus: of }
        const domain = withRecords(domainExample({ ...component, trackingStatus: of, status }), {
          ...{ dmarcRecommended: state, trackingCname: state, mailFromMx: state, mailFromSpf: state },
        })
        const [, mailFrom, dmarc, tracking] = domainSteps(domain)
        const agree = (tile: { tone: string } | undefined, key: RecordKey) => {
          const row = recordWords(record(domain, key), status === "degraded")
          // A tile that is green above an amber row, or the other way round, says two things at once.
          expect(tile?.tone === "good", `${key} ${state} ${of} ${status}`).toEqual(row.tone === "good")
        }
        agree(dmarc, "dmarc")
        agree(tracking, "tracking")
        const inPlace = "status" in state && state.status === "verified"
        if (inPlace) expect(mailFrom?.tone).not.toBe("good") // Only the domain's own status makes it so.
        if (!inPlace) agree(mailFrom, "mail-from-mx")
      }
})

describe("in the list", () => {
  const item = (over: Partial<DomainItem>): DomainItem => ({
    id: "dom_1",
    domain: "acme.com",
    region: "eu-west-1",
    status: "pending",
    dkimStatus: "pending",
    trackingStatus: "not_configured",
    bimiStatus: "not_configured",
    updatedAt: "2026-11-21T14:00:00.000Z",
    mailFromStatus: "pending",
    dmarcStatus: "not_configured",
    ...over,
  })

  it("a part is found, not found, missing or none", () => {
    expect(componentWords("dkim", item({ dkimStatus: "verified" })).word).toBe("Found")
    expect(componentWords("mailFrom", item({})).word).toBe("Not found")
    expect(componentWords("mailFrom", item({ mailFromStatus: "failed" })).tone).toBe("bad")
    expect(componentWords("dkim", item({ status: "degraded" })).word).toBe("Missing")
    expect(componentWords("dmarc", item({})).word).toBe("None")
    expect(componentWords("dmarc", item({ dmarcStatus: "failed" })).tone).toBe("warn")
    expect(componentWords("tracking", item({})).word).toBe("None")
    expect(componentWords("tracking", item({ trackingStatus: "pending" })).word).toBe("No HTTPS yet")
  })

  it("the logo's record is as on the domain's page", () => {
    const statuses = ["not_configured", "pending", "verified", "failed", "teleported"]
    expect(statuses.map((status) => bimiWords(status).word)).toEqual([
      "No logo",
      "Not yet",
      "Published",
      "Different",
      "teleported",
    ])
  })
})

it("in a sandbox region a .test domain is answered by the sandbox and the mail of any other is captured", () => {
  expect(sandboxOf({ domain: "acme.test", transport: "sandbox" })).toBe("answered")
  expect(sandboxOf({ domain: "acme.com", transport: "sandbox" })).toBe("captured")
  expect(sandboxOf({ domain: "acme.test", transport: "smtp" })).toBeNull()
})
