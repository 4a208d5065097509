import { describe, expect, test } from "vitest"
import {
  shownName,
  subjectWith,
  systemSubjectCharsMax,
  type FormerRateNotice,
  type RateCause,
} from "@/lib/access/system-mail/system-mail"
import { noticeEmail } from "@/lib/access/system-mail/notice-messages"
import { sampleNotices } from "@/e2e/support/access/sample-notices"

const host = "mail.example.com"
const place = { project: "Shop", url: "https://mail.example.com/projects/proj_1/settings?a=1&b=2" }
const emailOf = (name: keyof typeof sampleNotices, changes = {}) =>
  noticeEmail({ ...sampleNotices[name], ...place, ...changes }, host)
const names = Object.keys(sampleNotices) as (keyof typeof sampleNotices)[]

describe.each(names)("the notice %s", (name) => {
  test("says where it is from, why it is sent, and links to its page in both forms", () => {
    const { text, html, subject } = emailOf(name)
    for (const body of [text, html]) {
      expect(body).toContain(host)
      expect(body).toContain("You get this email because you are an owner of the organization.")
      expect(body).not.toMatch(/undefined|null|NaN|Invalid Date|\[object/)
    }
    expect(text).toContain(place.url)
    expect(html).toContain(`href="${place.url.replace("&", "&#38;")}"`)
    expect(subject).not.toMatch(/undefined|\n/)
  })

  test("escapes what others have named", () => {
    const bad = `<img src=x onerror="alert('1')">&`
    const recordFaults = [
      { record: "mail-from-mx", name: bad, expected: "", found: [bad], code: "not-found", facts: {} },
    ]
    const { html, text } = emailOf(name, { project: bad, organization: bad, domain: bad, webhook: bad, recordFaults })
    expect(html).not.toContain("<img")
    expect(html).not.toContain('onerror="')
    expect(text).toContain(bad)
  })
})

describe.each(names.filter((name) => name !== "webhook"))("the subject of the notice %s", (name) => {
  test.each([
    ["short", "Ä"],
    ["long", "Größte Würstchenbude 🌭 ".repeat(12)],
    ["one word", "x".repeat(253)],
  ])("has fewer than 70 characters with a %s name", (_, given) => {
    const { subject } = emailOf(name, { project: given, organization: given, domain: given })
    expect([...subject].length).toBeLessThan(70)
    expect(subject).toBe(subject.toWellFormed())
  })
})

describe("a name that someone else chose", () => {
  const hostile = [
    "http://evil.test/ Your account is locked, sign in",
    "Your account is locked: evil.test/login or www.evil.test, mailto:me@evil.test",
    "\u202etset.live\u202c \u2066x\u2069\u200f\u200b",
    "line\r\nSubject: other\u2028\u2029\u0085\u0007",
    "ｈｔｔｐ：／／ｅｖｉｌ．ｔｅｓｔ　javascript:alert(1) tel:+123",
    "evil。test and evil｡test",
    `${"Very long ".repeat(10)}https://evil.test`,
  ]

  test.each(hostile)("is one line of at most 60 characters without links, controls and direction marks: %j", (name) => {
    const shown = shownName(name)
    expect([...shown].length).toBeLessThanOrEqual(60)
    expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}@]|:\/|\w\.\w|[a-z]:\S/u)
    expect(shown.trim()).toBe(shown)
    expect(shownName(shown)).toBe(shown)
  })

  test("is left as it is where it is a name", () => {
    for (const name of ["Acme & Söhne", "Grace <Hopper>", "O'Neill, Inc.", "株式会社ロケット", "Team 🌭", "R&D: mail"])
      expect(shownName(name)).toBe(name)
    expect(shownName("\u200b")).toBe("(unnamed)")
  })

  test.each(names)("never begins the subject or the text of %s", (notice) => {
    const name = "http://evil.test/ Zebra"
    const { subject, text } = emailOf(notice, { project: name, organization: name, webhook: name, subject: name })
    for (const said of [subject, text]) {
      expect(said).not.toContain("evil.test")
      expect(said).not.toMatch(/^(Zebra|acme\.com)/)
    }
  })
})

describe("what the notices say", () => {
  test("degraded: which records, since when, and until when email leaves", () => {
    expect(emailOf("degraded").subject).toBe("DNS records of acme.com are missing")
    expect(emailOf("degraded").text)
      .toBe(`The sending domain acme.com of the project Shop at mail.example.com is degraded: required DNS records have been missing or invalid since 22 Nov 2026, 10:04 UTC.

DKIM record at mrabcdefa._domainkey.acme.com: not found.

MAIL FROM SPF record at send.acme.com: The value contains quotation marks.

Email from this domain is still sent, but receivers may refuse it or treat it as spam. If the records are not back by 25 Nov 2026, 10:04 UTC, sending from it stops.

Open the domain: ${place.url}

The domain's page shows the values to publish. The domain is checked regularly and recovers automatically.

You get this email because you are an owner of the organization.
`)
  })

  test.each(["degraded", "failed"] as const)(
    "%s: a notice that an earlier release stored says what it said then",
    (name) => {
      const faults = ["DKIM record at a._domainkey.acme.com: Another key is published at this name."]
      const { recordFaults: _, ...former } = sampleNotices[name]
      expect(noticeEmail({ ...former, faults, ...place }, host).text).toContain(`\n\n${faults[0]}\n\n`)
    },
  )

  test("failed: that sending has stopped, and how it starts again", () => {
    const { subject, text } = emailOf("failed")
    expect(subject).toBe("Sending from acme.com has stopped")
    expect(text).toContain("refused with 422")
    expect(text).toContain("Verify now")
  })

  test("verified: that email is sent again", () => {
    expect(emailOf("verified").subject).toBe("Verified again: acme.com")
  })

  test("quota: how much is used, when it resets in UTC, and where it can be raised", () => {
    const nearly = emailOf("quota80")
    expect(nearly.subject).toBe("80% of the daily quota used: Acme")
    expect(nearly.text).toContain("has sent 40,012 of 50,000 emails today, 80% of its quota.")
    expect(nearly.text).toContain("It resets at midnight UTC (23 Nov 2026, 00:00 UTC).")
    expect(nearly.text).toContain("You can raise the limit to 80,000 a day under Settings, Limits.")
    const all = emailOf("quota100")
    expect(all.subject).toBe("Daily sending quota used up: Acme")
    expect(all.text).toContain("has sent 50,000 of 50,000 emails today.")
    expect(all.text).toContain("refused with 429 until the quota resets at midnight UTC (23 Nov 2026, 00:00 UTC).")
    expect(all.text).toContain("the operator can raise it with set-limits")
  })

  test("rate: the advisor's words, the figures and the largest cause", () => {
    const { subject, text } = emailOf("rate")
    expect(subject).toBe("6.5% of your emails bounced: Shop")
    expect(text).toContain("40 of 620 sent emails in 30 days bounced.")
    expect(text).toContain("The largest part, 38 of 40, is email of the topic News.")
  })

  test.each<[string, RateCause | null, string]>([
    ["a deleted topic", { by: "topic", name: null, count: 9 }, "is email of a topic that was deleted."],
    ["a tag", { by: "tag", name: "q4", count: 9 }, "is email with the tag q4."],
    ["a domain", { by: "domain", name: "acme.test", count: 9 }, "is email from acme.test."],
    ["a provider", { by: "provider", name: "Gmail", count: 9 }, "The largest part, 9 of 40, is email to Gmail."],
    ["nothing", null, "No topic, tag, sending domain or mailbox provider stands out."],
  ])("rate: the largest cause is %s", (_, cause, expected) => {
    expect(emailOf("rate", { cause }).text).toContain(expected)
  })

  test("rate: a notice that an earlier release stored says what it said then", () => {
    const stored: FormerRateNotice = {
      ...{ kind: "rate-critical", title: "6.5% of your email bounced", cause: "The largest part is email to Gmail." },
      ...{ message: "4 addresses of 62 sent emails in 30 days did not exist.", fix: "Confirm new addresses." },
    }
    const { subject, text } = noticeEmail({ ...stored, ...place }, host)
    expect(subject).toBe("6.5% of your email bounced: Shop")
    for (const sentence of [stored.message, stored.cause, stored.fix]) expect(text).toContain(sentence)
  })
})

test("a subject keeps a name that fits, and marks one that was shortened", () => {
  expect(subjectWith("a\n b", (name) => `${name} is verified again`)).toBe("a b is verified again")
  const cut = subjectWith("x".repeat(100), (name) => `${name} is verified again`)
  expect(cut).toMatch(/^x+… is verified again$/)
  expect([...cut]).toHaveLength(systemSubjectCharsMax)
})
