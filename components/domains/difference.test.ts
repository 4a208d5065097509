import { describe, expect, it } from "vitest"
import { difference, nameDifference } from "@/components/domains/record-diff"

const joined = ({ before, marked, after }: { before: string; marked: string; after: string }) =>
  `${before}[${marked}]${after}`

describe("a name at which a record was put by mistake", () => {
  it("has the zone that was added a second time marked", () => {
    expect(joined(nameDifference("send.acme.com", "send.acme.com.acme.com"))).toBe("send.[acme.com.]acme.com")
  })

  it("has marked what comes before the domain when the host was left out", () => {
    expect(joined(nameDifference("send.acme.com", "acme.com"))).toBe("[]acme.com")
  })
})

describe("a value beside the one expected", () => {
  it("has only the part marked that differs, on both sides", () => {
    const { expected, found } = difference("v=spf1 include:spf.ours.test ~all", "v=spf1 include:_spf.google.com ~all")
    expect(joined(expected)).toBe("v=spf1 include:[spf.ours.test] ~all")
    expect(joined(found)).toBe("v=spf1 include:[_spf.google.com] ~all")
  })

  it("has what is missing marked in the expected one", () => {
    const { expected, found } = difference("v=DMARC1; p=reject; rua=mailto:a@b.test", "v=DMARC1; p=reject")
    expect(joined(expected)).toBe("v=DMARC1; p=reject[; rua=mailto:a@b.test]")
    expect(found.marked).toBe("")
  })

  it("has nothing marked when it is correct", () => {
    expect(difference("10 feedback.test", "10 feedback.test").found.marked).toBe("")
  })

  it("is marked whole when no more than a letter or two agrees", () => {
    expect(joined(difference("10 feedback.test", "20 mx.other.net").found)).toBe("[20 mx.other.net]")
  })

  it("is shortened to the difference when it is long, never losing the difference itself", () => {
    const key = "A".repeat(300)
    const { found } = difference(`p=${key}XYZ${key}`, `p=${key}x${key}`)
    expect(found.marked).toBe("x")
    expect(found.before.length + found.after.length).toBeLessThan(80)
  })
})
