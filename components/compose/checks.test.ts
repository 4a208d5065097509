import { expect, test } from "vitest"
import { type Around, composeChecks } from "@/components/compose/checks"
import type { CheckedRecipient } from "@/components/compose/check"
import { faultsOf, refusedFaults } from "@/components/compose/faults"
import { noFields, type Fields } from "@/components/compose/fields"
import { createKeys } from "@/components/compose/send-actions"

const now = Date.parse("2026-11-21T12:00:00Z")
const good: Fields = { ...noFields, from: "Acme <hello@acme.test>", to: "ada@x.example", subject: "Hello", text: "Hi" }
const sendable = (address: string): CheckedRecipient => ({ address, state: "sendable" })
const around: Around = {
  domains: [
    { domain: "acme.test", status: "verified" },
    { domain: "new.test", status: "pending" },
  ],
  recipients: [sendable("ada@x.example")],
  maxRecipients: 2,
  now,
}

function check(id: string, fields: Partial<Fields>, more: Partial<Around> = {}) {
  return composeChecks({ ...good, ...fields }, { ...around, ...more }).find((one) => one.id === id)
}

test("an email that can go has nothing but good marks, and an empty form nothing but what is missing", () => {
  expect(composeChecks(good, around).every(({ tone }) => tone === "good")).toBe(true)
  const empty = composeChecks(noFields, { ...around, recipients: [] })
  expect(empty.filter(({ tone }) => tone === "bad")).toEqual([])
  expect(faultsOf(noFields, empty).map(({ field }) => field)).toEqual(["from", "to", "subject", "write"])
})

test("a delivery window, which a broadcast does not have, is not left out unsaid", () => {
  const window = { windowStart: "2026-11-22T09:00", windowEnd: "2026-11-22T17:00" }
  const toAll = { ...good, ...window, to: "seg_01k9q3f7c2e8m9v4x6y8z0a1b3" }
  expect(faultsOf(toAll, []).map(({ field }) => field)).toEqual(["windowStart"])
  expect(faultsOf({ ...toAll, windowStart: "" }, []).map(({ field }) => field)).toEqual(["windowEnd"])
  expect(faultsOf({ ...good, ...window }, [])).toEqual([])
})

test("an email from a template needs a value for each variable without a fallback, and no subject or body", () => {
  const fields = { ...noFields, from: good.from, to: good.to, template: "tpl_1", templateValues: { plan: "pro" } }
  const templates = [{ id: "tpl_1", name: "welcome", version: 3 }]
  const variables = [{ name: "plan" }, { name: "link" }, { name: "sign", fallback: "Ada" }]
  const checks = (more: Partial<Around>) => composeChecks(fields, { ...around, ...more })
  const missing = checks({ templates, variables })
  expect(missing.map(({ id }) => id)).not.toContain("subject")
  expect(missing.find(({ id }) => id === "template")?.detail).toBe("Give link: no fallback is declared.")
  expect(faultsOf(fields, missing).map(({ field }) => field)).toEqual(["templateValues"])
  expect(checks({ templates, variables: [] }).find(({ id }) => id === "template")).toMatchObject({
    tone: "good",
    detail: "welcome, version 3.",
  })
  expect(checks({ templates: [] }).find(({ id }) => id === "template")?.tone).toBe("bad")
  const problem = { type: "about:blank", title: "Invalid", status: 400, code: "request.invalid" }
  expect(refusedFaults({ ...problem, errors: [{ pointer: "/template/variables/link", detail: "Missing." }] })).toEqual([
    { field: "templateValues", message: "link: Missing." },
  ])
})

test("placeholders of a broadcast are refused where they name nothing, and counted where people lack a value", () => {
  const to = "seg_01k9q3f7c2e8m9v4x6y8z0a1b3"
  const audience = { id: to, name: "Readers", preview: { sendable: 2, exact: true, excluded: [] } as never }
  const fields = { to, write: "", text: "Hi {{contact.firstName}}" }
  const shown = { subject: "News", people: [], sendable: 2, complete: true, lacking: [] }
  const of = (preview: Around["preview"]) => check("placeholder", fields, { audience, ...(preview && { preview }) })
  expect(of({})).toMatchObject({ tone: "wait", allowed: true })
  expect(of({ shown })?.tone).toBe("good")
  const lacking = [{ key: "firstName", count: 1 }]
  expect(of({ shown: { ...shown, lacking } })).toMatchObject({
    tone: "warn",
    detail: expect.stringMatching(/^First name: 1 of 2 recipients\. They see nothing there/) as string,
  })
  expect(of({ shown: { ...shown, lacking, complete: false } })?.detail).toContain("1 of the first 2 recipients")
  const fault = { pointer: "/text", detail: "{{contact.nope}} is neither a field" }
  expect(of({ faults: [fault] })).toMatchObject({ tone: "bad", field: "text", detail: fault.detail })
  const faults = faultsOf(
    { ...good, ...fields },
    composeChecks({ ...good, ...fields }, { ...around, audience, preview: { faults: [fault] } }),
  )
  expect(faults).toMatchObject([{ field: "text" }])
})

test("a placeholder of another service is named, as everybody would read it", () => {
  const text = "Hello {{ first_name }}"
  expect(check("placeholder", { text })).toMatchObject({
    tone: "warn",
    detail: expect.stringContaining("{{ first_name }}") as string,
  })
  expect(check("placeholder", { text: "a {b} {{}}" })).toBeUndefined()
  expect(check("size", { html: "", text: "" })).toBeUndefined()
})

test("the sender is judged by exactly its domain, and the API has the last word", () => {
  expect(check("sender", { from: "a@ACME.test" })?.tone).toBe("good")
  expect(check("sender", { from: "a@mail.acme.test" })).toMatchObject({ tone: "bad", fix: "domains" })
  expect(check("sender", { from: "a@new.test" })?.tone).toBe("bad")
  expect(faultsOf({ ...good, from: "a@new.test" }, composeChecks({ ...good, from: "a@new.test" }, around))).toEqual([])
})

test("a topic makes the mail leavable, leaves nobody out of addresses, and stops it once deleted", () => {
  const topicId = "top_01k9q3f7c2e8m9v4x6y8z0a1b3"
  const topics = [{ id: topicId, name: "News" }]
  const id = topicId.replace("top", "seg")
  expect(check("topic", {})).toBeUndefined()
  expect(check("topic", { topicId }, { topics })).toMatchObject({ tone: "good", title: "Part of News" })
  expect(check("topic", { topicId, to: id }, { topics, audience: { id } })).toMatchObject({
    tone: "good",
    title: "Only subscribers of News",
  })
  expect(check("topic", { topicId, to: topicId }, { topics, audience: { id: topicId } })).toBeUndefined()
  expect(check("topic", { topicId }, { topics: [] })).toMatchObject({
    tone: "bad",
    title: "The topic no longer exists",
  })
  expect(check("unsubscribe", { topicId }, { topics })).toMatchObject({
    tone: "good",
    detail: "One-click unsubscribe (RFC 8058) goes into the headers, a link below the text.",
  })
})

test("suppressed recipients are a warning, invalid and too many ones stop it", () => {
  const suppressed: CheckedRecipient = { address: "gone@x.example", state: "suppressed", reason: "bounce" }
  expect(check("recipients", {}, { recipients: [sendable("a@x.example"), suppressed] })).toMatchObject({
    tone: "warn",
    detail: "Nothing goes to gone@x.example; the others get theirs.",
  })
  expect(check("recipients", {}, { recipients: [suppressed] })).toMatchObject({ tone: "bad", allowed: true })
  expect(check("recipients", {}, { recipients: [{ address: "x", state: "invalid" }] })?.tone).toBe("bad")
  expect(
    check("recipients", {}, { recipients: ["a", "b", "c"].map((name) => sendable(`${name}@x.example`)) })?.tone,
  ).toBe("bad")
})

test("HTML alone asks for a text part, and large or clipped mail is named", () => {
  expect(check("body", { text: "", html: "<p>Hi</p>" })).toMatchObject({ tone: "warn", fix: "text" })
  expect(check("size", { html: "x".repeat(110_000) })?.tone).toBe("warn")
  expect(check("size", { html: "x".repeat(2 * 2 ** 20 + 1) })).toMatchObject({ tone: "bad", field: "html" })
})

test("mail that is not transactional carries an unsubscribe header, unless several share it", () => {
  expect(check("unsubscribe", { sendTimeCategory: "marketing" })?.tone).toBe("good")
  const shared = { recipients: [sendable("a@x.example"), sendable("b@x.example")] }
  expect(check("unsubscribe", { sendTimeCategory: "marketing", cc: "b@x.example" }, shared)?.tone).toBe("warn")
  const on = { openTracking: "", clickTracking: "", readEngagement: "", unsubscribeTracking: "on" } as const
  expect(check("unsubscribe", { tracking: on, bcc: "b@x.example" }, shared)).toMatchObject({
    tone: "bad",
    title: "Unsubscribe link refused",
  })
  const off = { openTracking: "", clickTracking: "", readEngagement: "", unsubscribeTracking: "off" } as const
  expect(check("unsubscribe", { sendTimeCategory: "digest", tracking: off })?.tone).toBe("warn")
})

test("a time must be 30 seconds to 30 days ahead", () => {
  const at = (ms: number) => check("time", { when: "later", scheduledAt: new Date(now + ms).toISOString() })?.tone
  expect(at(10_000)).toBe("bad")
  expect(at(60_000)).toBe("good")
  expect(at(31 * 24 * 3600_000)).toBe("bad")
  expect(check("time", { when: "later" })?.tone).toBe("wait")
})

test("links without https or to this machine are named", () => {
  expect(check("links", {})).toBeUndefined()
  expect(check("links", { text: "see https://acme.test/a" })?.tone).toBe("good")
  expect(check("links", { text: "see http://acme.test/a" })?.tone).toBe("warn")
  expect(check("links", { html: '<a href="http://localhost:3000">x</a>' })?.title).toContain("this machine")
})

test("a problem of the API is shown at its field, or on the form if it has none", () => {
  const problem = { type: "x", title: "Invalid", status: 400, code: "request.invalid" }
  const errors = [
    { pointer: "/to/1", detail: "No address." },
    { pointer: "/headers/Bcc", detail: "Set by us." },
    { pointer: "/deliveryWindow/end", detail: "Too early." },
    { pointer: "/giveUpAfterSeconds", detail: "Too long." },
    { pointer: "/other", detail: "What?" },
  ]
  expect(refusedFaults({ ...problem, errors }).map(({ field }) => field)).toEqual([
    "to",
    "headers",
    "windowEnd",
    "giveUpHours",
    "root",
  ])
  expect(refusedFaults({ ...problem, code: "email.from_domain_not_verified", status: 422 })[0]?.field).toBe("from")
  expect(refusedFaults({ ...problem, code: "quota.daily_exceeded", status: 429, detail: "Used up." })).toEqual([
    { field: "root", message: "Used up." },
  ])
})

test("headers that we set, doubled names and half a window are found before the API is asked", () => {
  const fields: Fields = {
    ...good,
    headers: [{ name: "Bcc", value: "x@x.example" }],
    tags: [
      { name: "a", value: "1" },
      { name: "a", value: "2" },
    ],
    windowStart: "2026-11-22T10:00",
  }
  expect(faultsOf(fields, composeChecks(fields, around)).map(({ field }) => field)).toEqual([
    "headers",
    "tags",
    "windowEnd",
  ])
})

test("sending the same words again uses the same key, other words another", () => {
  let made = 0
  const keyFor = createKeys(() => String(++made))
  expect(keyFor("a")).toBe("compose-1")
  expect(keyFor("a")).toBe("compose-1")
  expect(keyFor("b")).toBe("compose-2")
  expect(keyFor("a")).toBe("compose-3")
})
