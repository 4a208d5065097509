import { cutText } from "@/lib/platform/text"

/**
 * Why a record is not valid, as far as we recognise it, and how to fix it. `foundAt` is the name at which the record was
 * found instead.
 */
export type LikelyCause = { code: LikelyCauseCode; message: string; fix: string; foundAt?: string }

export type LikelyCauseCode =
  | "doubled-zone"
  | "wrong-host"
  | "several-records"
  | "quoted"
  | "escaped-semicolon"
  | "testing-flag"
  | "dkim-hash"
  | "dkim-service"
  | "dkim-version-order"
  | "revoked-key"
  | "other-key"
  | "retired-key"
  | "truncated"
  | "split-records"
  | "unreadable"
  | "other-value"
  | "cname-in-the-way"
  | "wildcard"
  | "names-changed"
  | "alias-loop"
  | "proxied"
  | "other-target"
  | "extra-mx"
  | "other-mx"
  | "spf-lookups"
  | "spf-voids"
  | "spf-syntax"
  | "spf-not-passing"
  | "dmarc-several"
  | "dmarc-invalid"
  | "dmarc-policy-unreadable"
  | "dmarc-vendor-hosted"
  | "dmarc-rua-missing"
  | "dmarc-not-authorized"

/**
 * What a check found out about one record. `unknown`: a lookup failed, which says nothing about the record.
 * `found` is what was found, as text.
 */
export type Finding = {
  outcome: "valid" | "invalid" | "missing" | "unknown"
  found: string[]
  likelyCause?: LikelyCause
}

const foundMax = 8
const foundLengthMax = 2048

/**
 * The finding as it may be stored and shown: strangers' zones hold any bytes and any amount of them, and what no text can
 * carry is written as in zone files (RFC 1035 5.1).
 */
export function presentable(finding: Finding): Finding {
  const found = finding.found.slice(0, foundMax).map((text) => cutText(printable(text), foundLengthMax))
  return { ...finding, found, ...(finding.likelyCause ? { likelyCause: cleaned(finding.likelyCause) } : {}) }
}

function cleaned({ message, fix, ...rest }: LikelyCause): LikelyCause {
  return {
    ...rest,
    message: cutText(printable(message), foundLengthMax),
    fix: cutText(printable(fix), foundLengthMax),
  }
}

function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => `\\${String(character.charCodeAt(0)).padStart(3, "0")}`)
}

export function valid(found: string[]): Finding {
  return { outcome: "valid", found }
}

export function invalid(found: string[], code: LikelyCauseCode, message: string, fix: string): Finding {
  return { outcome: "invalid", found, likelyCause: { code, message, fix } }
}

export function missing(likelyCause?: LikelyCause): Finding {
  return likelyCause ? { outcome: "missing", found: [], likelyCause } : { outcome: "missing", found: [] }
}

export const unknown: Finding = { outcome: "unknown", found: [] }

/** Something was found, and it could not be judged. */
export function undecided(found: string[]): Finding {
  return { outcome: "unknown", found }
}
