import { describe, expect, it } from "vitest"
import { domainExample } from "@/e2e/support/domains/sample-domain"
import { domainSentence, sharedAdvice, sharedCause } from "@/components/domains/sentence"
import type { Domain } from "@/components/domains/queries"

const doubled = {
  code: "doubled-zone",
  message: "Your provider added the domain again.",
  fix: "Enter send as the host.",
}

/** The example with the same change to every record that it needs. */
function withRecords(change: object, over: Partial<Domain> = {}): Domain {
  const example = domainExample(over)
  const { dkim, mailFromMx, mailFromSpf } = example.verificationRecords
  return {
    ...example,
    verificationRecords: {
      ...example.verificationRecords,
      dkim: dkim.map((record) => ({ ...record, ...change })),
      mailFromMx: { ...mailFromMx, ...change },
      mailFromSpf: { ...mailFromSpf, ...change },
    },
  }
}

describe("the sentence of a domain", () => {
  it("says what to do while nothing is found", () => {
    expect(domainSentence(domainExample())).toMatchObject({
      text: "No records found yet.",
      detail: "Add the first 4 at your DNS provider (the other 2 are optional); we check automatically.",
      found: [false, false, false, false],
    })
  })

  it("counts what is found, and gives the fix of what is wrong", () => {
    const domain = withRecords({ status: "verified" })
    const { mailFromSpf } = domain.verificationRecords
    domain.verificationRecords.mailFromSpf = { ...mailFromSpf, status: "pending", likelyCause: doubled }
    expect(domainSentence(domain)).toMatchObject({
      tone: "warn",
      text: "3 of 4 records found.",
      detail: "Your provider added the domain again. Enter send as the host.",
    })
  })

  it("is green once one can send, and says when only the standby key is missing", () => {
    const domain = withRecords({ status: "verified" }, { status: "verified" })
    expect(domainSentence(domain)).toMatchObject({
      tone: "good",
      text: "4 of 4 records found. You can send from acme.com.",
    })
    const [active, standby] = domain.verificationRecords.dkim
    if (!active || !standby) throw new Error("The example has two keys.")
    domain.verificationRecords.dkim = [active, { ...standby, status: "pending" }]
    expect(domainSentence(domain)).toMatchObject({
      tone: "good",
      text: "3 of 4 records found. You can send from acme.com.",
    })
    expect(domainSentence(domain).detail).toContain("The standby key is missing")
  })

  it("names what is missing while it still sends, and that nothing is sent afterwards", () => {
    const degraded = domainSentence(domainExample({ status: "degraded" }))
    expect(degraded.text).toContain("3 records are missing: DKIM key")
    expect(degraded.detail).toBe("Publish them again and the domain recovers by itself.")
    expect(domainSentence(domainExample({ status: "failed" }))).toMatchObject({
      tone: "bad",
      text: "Nothing is sent from acme.com.",
    })
  })

  it("does not say to publish records now where the installation cannot send yet", () => {
    const captured = (status: string) =>
      domainSentence(withRecords({ likelyCause: doubled }, { status, transport: "sandbox" }))
    expect(captured("failed").detail).toBe(
      "Not in place for 72 hours: DKIM key, MAIL FROM MX, MAIL FROM SPF. Publish the records once this installation can send.",
    )
    expect(captured("degraded").detail).toBe(
      "Publish them once this installation can send; the domain then recovers by itself.",
    )
  })
})

describe("the one record that the sentence is about", () => {
  const found = withRecords({ status: "verified" }).verificationRecords
  const lacksMx = { ...found, mailFromMx: { ...found.mailFromMx, status: "pending" } }

  it("is the only one that is missing; the standby key is not missed while a needed one is", () => {
    const domain = domainExample({ verificationRecords: lacksMx })
    expect(domainSentence(domain).named).toBe("mail-from-mx")
    const [active, standby] = found.dkim
    if (!active || !standby) throw new Error("The example has two keys.")
    const both = { ...lacksMx, dkim: [active, { ...standby, status: "pending" }] }
    expect(domainSentence({ ...domain, verificationRecords: both }).named).toBeUndefined()
    expect(domainSentence({ ...domain, verificationRecords: both, status: "degraded" })).toMatchObject({
      text: "A record is missing: MAIL FROM MX.",
      detail: "Publish it again and the domain recovers by itself.",
      named: "mail-from-mx",
    })
    const green = { ...found, dkim: both.dkim }
    expect(domainSentence({ ...domain, verificationRecords: green, status: "verified" }).named).toBe("dkim-b")
  })

  it("is wrong, not missing, where another record is at its name", () => {
    const mailFromSpf = { ...found.mailFromSpf, status: "pending", found: ["v=spf1 -all"] }
    const domain = domainExample({ verificationRecords: { ...found, mailFromSpf }, status: "degraded" })
    expect(domainSentence(domain).text).toBe("A record is wrong: MAIL FROM SPF.")
    expect(domainSentence(domain).detail).toContain("Correct it and the domain recovers by itself.")
  })

  it("is the one with the mistake that is said, and none where records share it or must not be published yet", () => {
    const domain = domainExample()
    const { mailFromSpf } = domain.verificationRecords
    domain.verificationRecords.mailFromSpf = { ...mailFromSpf, likelyCause: doubled }
    expect(domainSentence(domain).named).toBe("mail-from-spf")
    expect(domainSentence({ ...domain, transport: "sandbox" }).named).toBeUndefined()
    expect(domainSentence(withRecords({ found: ["x"], likelyCause: doubled })).named).toBeUndefined()
    expect(domainSentence(domainExample()).named).toBeUndefined()
  })
})

describe("a mistake of several records", () => {
  it("is shared only where all wrong records have it", () => {
    const all = withRecords({ found: ["x"], likelyCause: doubled })
    expect(sharedCause(all)?.code).toBe("doubled-zone")
    all.verificationRecords.mailFromMx.likelyCause = { ...doubled, code: "wrong-host" }
    expect(sharedCause(all)).toBeUndefined()
    expect(sharedCause(domainExample())).toBeUndefined()
  })

  it("is said once, in words that hold for each of them", () => {
    const advice = "Your DNS provider added acme.com to these hosts again. Leave it out when you enter them."
    const all = withRecords({ found: ["x"], likelyCause: doubled })
    expect(sharedAdvice(all)).toBe(advice)
    expect(domainSentence(all).detail).toBe(advice)
    expect(sharedAdvice(domainExample())).toBe("")
  })
})
