import { domainOf, isKnownProvider, providerKeyOf } from "@/lib/metrics/provider-rules"
import type { Counter } from "@/lib/metrics/rules"

/** What mail can be broken down by; the API shows these. */
export const breakdowns = ["domain", "provider", "topic", "tag"] as const
export type Breakdown = (typeof breakdowns)[number]

/** Beside them, what the advisor points at: refusals by code and domain, and the first emails of a day with a fault. */
export const findings = ["refusal", "clipped", "htmlOnly"] as const
export type Finding = (typeof findings)[number]
/** Beside these, single broadcasts. */
export type Dimension = Breakdown | Finding | "broadcast"
export const dimensions: readonly Dimension[] = [...breakdowns, ...findings, "broadcast"]

/** Rows of a breakdown that the API shows; the others are one sum. */
export const breakdownRowsMax = 50

/** Keys of a project on one day, first come; the rest is counted under one key without a name. */
const keysADayMax: Record<Dimension, number> = {
  ...{ domain: 200, provider: 200, topic: 200, tag: 200, broadcast: 1_000 },
  ...{ refusal: 50, clipped: 3, htmlOnly: 3 },
}

/** The key of everything that has no row of its own. */
export const otherKey = ""

/** Tags of one email that are counted, in alphabetical order. */
const tagsMax = 10
const keyCharsMax = 330

/** What is known of the mail and the recipient of an event. */
export type Mail = {
  emailId: string | null
  groupId: string | null
  fromHeader: string | null
  topicId: string | null
  broadcastId: string | null
  tags: Record<string, string> | null
  recipient: string | null
}

export type Slice = { dimension: Dimension; key: string }

/** The rows that count a mail; each email is in exactly one by domain and one by provider, so that they add up. */
export function slicesOf({ fromHeader, topicId, broadcastId, tags, recipient }: Mail): Slice[] {
  const tagged = Object.entries(tags ?? {}).map(([name, value]) => `${name}:${value}`)
  return [
    { dimension: "domain", key: fromHeader ? cut(domainOf(fromHeader)) : otherKey },
    { dimension: "provider", key: recipient ? cut(providerKeyOf(recipient)) : otherKey },
    ...(topicId ? [{ dimension: "topic" as const, key: topicId }] : []),
    ...(broadcastId ? [{ dimension: "broadcast" as const, key: broadcastId }] : []),
    ...tagged
      .toSorted()
      .slice(0, tagsMax)
      .map((tag) => ({ dimension: "tag" as const, key: cut(tag) })),
  ]
}

const findingOf: Partial<Record<Counter, Finding>> = {
  refusedOurs: "refusal",
  clipped: "clipped",
  htmlOnly: "htmlOnly",
}

/** Where the advisor finds the evidence of what a counter counts. */
export function evidenceOf(counter: Counter, mail: Mail, code: string | undefined): Slice | null {
  const dimension = findingOf[counter]
  if (!dimension) return null
  if (dimension === "refusal") return { dimension, key: cut(`${code ?? ""} ${domainOf(mail.fromHeader ?? "")}`) }
  return { dimension, key: mail.groupId ?? mail.emailId ?? otherKey }
}

/** Whether a key may be added to those of its day. */
export function fits({ dimension, key }: Slice, keysOfDay: ReadonlySet<string>): boolean {
  if (key === otherKey || keysOfDay.has(key)) return true
  if (dimension === "provider" && isKnownProvider(key)) return true
  return keysOfDay.size < keysADayMax[dimension]
}

/** By characters: the database refuses half of one. */
function cut(key: string): string {
  return key.length <= keyCharsMax ? key : [...key].slice(0, keyCharsMax).join("")
}
