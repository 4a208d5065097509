import { cutText } from "@/lib/platform/format"

/** Nothing but the code says it. */
type None = Record<never, never>

/** Why a record is not valid, as far as we recognise it: what the sentences about it need, by code. */
type CauseFacts = {
  "doubled-zone": { foundAt: string; host: string } | { in: "target" | "exchange"; value: string }
  "wrong-host": { foundAt: string; name: string; host: string }
  "several-records": { kind: "DKIM" | "SPF" | "BIMI"; count: number; name: string }
  quoted: None
  "escaped-semicolon": None
  "testing-flag": None
  "dkim-hash": { allowed: string }
  "dkim-service": { allowed: string }
  "dkim-version-order": None
  "revoked-key": None
  "other-key": None
  "retired-key": { keepUntil: string }
  truncated: { characters?: number; of?: number }
  "split-records": None
  unreadable: None
  "other-value":
    | { is: "no-dkim-key" }
    | { is: "key-type"; type: string }
    | { is: "no-bimi" | "unreadable-bimi" | "other-certificate" | "other-logo"; name: string }
  "cname-in-the-way": { name: string; targets: string[]; host: string }
  wildcard: { name: string }
  "names-changed": None
  "alias-loop": { name: string }
  proxied: { name: string; host: string }
  "other-target": { name: string }
  "extra-mx": { name: string }
  "other-mx": { name: string }
  "spf-lookups": None
  "spf-voids": None
  "spf-syntax": { term?: string; includedFrom?: string }
  "spf-not-passing": { include: string }
  "dmarc-several": { count: number; name: string; policyKept: boolean }
  "dmarc-invalid": { name: string }
  "dmarc-policy-unreadable": { name: string }
  "dmarc-vendor-hosted": { name: string; targets: string[] }
  "dmarc-rua-missing": None
  "dmarc-not-authorized": { reportDomain: string }
}

export type LikelyCauseCode = keyof CauseFacts

export type Cause = { [C in LikelyCauseCode]: { code: C; facts: CauseFacts[C] } }[LikelyCauseCode]

/** A cause as the API tells it. `foundAt` is the name at which the record was found instead. */
export type ToldCause = { code: string; message: string; fix: string; foundAt?: string }

/** Checks of earlier releases stored their sentences. */
export type StoredCause = Cause | (ToldCause & { facts?: never })

/**
 * What is wrong with a record that is required, in notices and the audit log: a cause that we recognise, or no more than that it is
 * not found, has another value, or was not answered for.
 */
type Fault =
  | Cause
  | { code: "not-found"; facts: None }
  | { code: "another-value"; facts: None }
  | { code: "no-answer"; facts: { hours: number } }
  /** The sentence that a check of an earlier release stored as the cause. */
  | { code: "recorded"; facts: { text: string } }

/** Which record it is, its name, and what was expected and found there. */
export type RecordFault = Fault & {
  record: "dkim-a" | "dkim-b" | "mail-from-mx" | "mail-from-spf"
  name: string
  expected: string
  found: readonly string[]
}

const asShown = "Publish the value shown."
const replaceByShown = "Replace it with the value shown."
const nothingElse = "Publish the value shown; this name needs nothing else."
const wholeValue =
  "Paste the whole value; providers that limit a text to 255 characters take it in several quoted parts of one record."
const withoutQuotes = "Paste the value without quotation marks."

/** What is wrong, and what to do about it. */
export function causeWords(stored: StoredCause): ToldCause {
  if (!stored.facts) return stored
  const [message, fix] = sentencesOf(stored)
  const foundAt = "foundAt" in stored.facts ? { foundAt: stored.facts.foundAt } : {}
  return { code: stored.code, message: cutText(message, sentenceMax), fix: cutText(fix, sentenceMax), ...foundAt }
}

const sentenceMax = 2_048

/** A fault of a record as a line; notices and audit entries of earlier releases hold the line itself. */
export function recordFaultWords(stored: RecordFault | string): string {
  if (typeof stored === "string") return stored
  return `${titles[stored.record]} at ${stored.name}: ${faultSentence(stored)}`
}

const titles: Record<RecordFault["record"], string> = {
  ...{ "dkim-a": "DKIM record", "dkim-b": "DKIM record" },
  ...{ "mail-from-mx": "MAIL FROM MX record", "mail-from-spf": "MAIL FROM SPF record" },
}

function faultSentence(fault: RecordFault): string {
  switch (fault.code) {
    case "not-found":
      return "not found."
    case "another-value":
      return "another value was found."
    case "no-answer":
      return `the name servers have not answered for ${fault.facts.hours} hours.`
    case "recorded":
      return fault.facts.text
    default:
      return causeWords(fault).message
  }
}

/** After a way back, rows hold codes that only the next release knows. */
function sentencesOf(cause: Cause): [message: string, fix: string] {
  const known: [string, string] | undefined = sentences(cause)
  return known ?? ["The record is not valid.", asShown]
}

function sentences({ code, facts }: Cause): [message: string, fix: string] {
  switch (code) {
    case "doubled-zone":
      if ("foundAt" in facts)
        return [
          `Found at ${facts.foundAt}. Your DNS provider added the domain again.`,
          `Enter ${facts.host} as the host.`,
        ]
      return [
        `Your DNS provider added your domain to ${facts.in === "target" ? "the target" : "the mail server's name"}.`,
        `End the value with a dot: ${facts.value}.`,
      ]
    case "wrong-host":
      return [`Found at ${facts.foundAt} instead of ${facts.name}.`, `Move it to the host ${facts.host}.`]
    case "several-records":
      return severalSentences(facts)
    case "quoted":
      return ["The value contains quotation marks.", withoutQuotes]
    case "escaped-semicolon":
      return [
        "The value has a backslash before its semicolons, which receivers read as part of the value.",
        "Paste the value without backslashes.",
      ]
    case "testing-flag":
      return [
        "The record says t=y: receivers treat mail signed with a key under test as unsigned.",
        "Remove t=y from the value.",
      ]
    case "dkim-hash":
      return [
        `The record allows only h=${facts.allowed}, and mail is signed with sha256.`,
        "Remove h= from the value, or publish the value shown.",
      ]
    case "dkim-service":
      return [
        `The record allows the key only for s=${facts.allowed}, not for email.`,
        "Remove s= from the value, or publish the value shown.",
      ]
    case "dkim-version-order":
      return [
        "The record has v=DKIM1 behind other tags; receivers accept it only as the first.",
        "Move v=DKIM1 to the beginning, or publish the value shown.",
      ]
    case "revoked-key":
      return ["The record has an empty key, which means that the key is revoked.", asShown]
    case "other-key":
      return ["Another key is published at this name.", replaceByShown]
    case "retired-key":
      return [
        "The retired key is still published: mail in transit is verified with it.",
        `Keep it until ${facts.keepUntil.slice(0, 10)}, then replace it with the value shown.`,
      ]
    case "truncated":
      if (facts.characters === undefined)
        return ["Only the end of the value is published; its first part is missing.", wholeValue]
      return [`Only ${facts.characters} of the key's ${facts.of} characters are published.`, wholeValue]
    case "split-records":
      return [
        "The value was published in pieces, as several TXT records.",
        "Publish one TXT record that holds the whole value.",
      ]
    case "unreadable":
      return ["The value does not begin with v=spf1 and a space.", replaceByShown]
    case "other-value":
      return otherValueSentences(facts)
    case "cname-in-the-way":
      return [
        `${facts.name} has a CNAME to ${facts.targets.join(", ")}, and no other record is valid beside a CNAME.`,
        `Delete the CNAME at ${facts.host}, or switch the provider's proxy to "DNS only".`,
      ]
    case "wildcard":
      return [
        `Nothing is published at ${facts.name} itself: a wildcard record answers there, as at every other name under ${facts.name.replace(/^[^.]+\./, "")}.`,
        "Add the record shown. It takes precedence over the wildcard, which can stay.",
      ]
    case "names-changed":
      return [
        "This installation has a new name or sends in another way, so the record has a new value. The old one is still published.",
        replaceByShown,
      ]
    case "alias-loop":
      return [
        `The CNAME records at ${facts.name} form a loop.`,
        `Delete the CNAME at ${facts.name} and publish the record itself.`,
      ]
    case "proxied":
      return [
        `${facts.name} resolves to addresses instead of a CNAME: your DNS provider proxies or flattens it.`,
        `Set ${facts.host} to "DNS only" at your provider.`,
      ]
    case "other-target":
      return [`${facts.name} points elsewhere.`, "Replace the target with the value shown."]
    case "extra-mx":
      return [`Other mail servers are published beside ours at ${facts.name}.`, "Delete all MX records there but ours."]
    case "other-mx":
      return [`Another mail server receives the mail of ${facts.name}.`, "Replace the MX record with ours."]
    case "spf-lookups":
      return ["The record needs more than 10 lookups, so receivers give up on it.", nothingElse]
    case "spf-voids":
      return [
        "More than 2 names in the record do not exist, so receivers give up on it.",
        "Remove the names that no longer exist.",
      ]
    case "spf-syntax":
      return spfSyntaxSentences(facts)
    case "spf-not-passing":
      return ["The record does not allow our servers to send.", `Add include:${facts.include} before the last term.`]
    case "dmarc-several":
      return [
        `${facts.count} DMARC records found at ${facts.name}, so receivers ignore them all.`,
        facts.policyKept
          ? "Replace them all with the value shown: the same policy, with the report addresses of all."
          : "Keep the one with the policy that you want, and delete the others.",
      ]
    case "dmarc-invalid":
      return [
        `The record at ${facts.name} is not valid, so receivers ignore it.`,
        "Replace it with the value shown: the same policy and report addresses, in valid syntax.",
      ]
    case "dmarc-policy-unreadable":
      return [
        `The record at ${facts.name} is not valid, so receivers do not apply its policy, and the policy that it asks for cannot be read.`,
        "Begin it with v=DMARC1; and then p=none, p=quarantine or p=reject, whichever you want; sp and np take the same values. End each tag with a semicolon.",
      ]
    case "dmarc-vendor-hosted":
      return [
        `${facts.name} has a CNAME to ${facts.targets.join(", ")}: another service manages this record for you.`,
        "Add our report address in that service. Do not publish a record beside the CNAME.",
      ]
    case "dmarc-rua-missing":
      return [
        "A policy applies, but its reports are not sent to us.",
        "Replace the record with the value shown: the same policy with our address appended.",
      ]
    case "dmarc-not-authorized":
      return [
        `${facts.reportDomain} does not accept reports about other domains yet.`,
        "Your record is correct. The operator of this service has to publish the authorization record.",
      ]
  }
}

function severalSentences({ kind, count, name }: CauseFacts["several-records"]): [string, string] {
  if (kind === "BIMI")
    return [`${count} BIMI records found at ${name}, so receivers ignore them all.`, "Delete all but one."]
  const what = kind === "SPF" ? "SPF" : "TXT"
  return [`${count} ${what} records found at ${name}; receivers accept exactly one.`, "Delete all but the value shown."]
}

function otherValueSentences(facts: CauseFacts["other-value"]): [string, string] {
  switch (facts.is) {
    case "no-dkim-key":
      return ["The TXT record found is not a DKIM key.", replaceByShown]
    case "key-type":
      return [`The record has the key type ${facts.type}; ours is rsa.`, asShown]
    case "no-bimi":
      return [`The TXT record at ${facts.name} is not a BIMI record.`, replaceByShown]
    case "unreadable-bimi":
      return [`The BIMI record at ${facts.name} cannot be read.`, replaceByShown]
    case "other-certificate":
      return [`The BIMI record at ${facts.name} names another certificate.`, replaceByShown]
    case "other-logo":
      return [`The BIMI record at ${facts.name} names another logo.`, replaceByShown]
  }
}

function spfSyntaxSentences({ term, includedFrom }: CauseFacts["spf-syntax"]): [string, string] {
  if (term === undefined) return ["The record refers to a name that has no usable SPF record.", nothingElse]
  const where = includedFrom === undefined ? "" : ` in the record of ${includedFrom}, which yours includes,`
  return [
    `The term ${term}${where} is not valid SPF, so receivers ignore the whole record (permerror).`,
    includedFrom === undefined
      ? "Correct or remove it."
      : `Remove the include of ${includedFrom}, or have its owner correct it.`,
  ]
}
