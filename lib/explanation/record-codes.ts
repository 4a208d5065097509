/** Nothing but the code says it. */
type None = Record<never, never>

/** Why a record is not valid, as far as we recognise it: what the sentences about it need, by code. */
export type CauseFacts = {
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
