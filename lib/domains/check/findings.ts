import { cutText } from "@/lib/platform/text"

/**
 * A mistake that we recognise: its code, what it is in a sentence, and what to do about it. `at` is the name at which
 * the record stands instead.
 */
export type Mistake = { code: MistakeCode; sentence: string; mend: string; at?: string }

export type MistakeCode =
  | "doubled-zone"
  | "wrong-host"
  | "several-records"
  | "quoted"
  | "escaped-semicolon"
  | "testing-flag"
  | "revoked-key"
  | "other-key"
  | "retired-key"
  | "truncated"
  | "split-records"
  | "unreadable"
  | "other-value"
  | "cname-in-the-way"
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
  | "dmarc-vendor-hosted"
  | "dmarc-rua-missing"
  | "dmarc-not-authorized"

/**
 * What one look at one record showed. `unknown`: a lookup failed, which says nothing about whether the record is right.
 * `found` is what stands there, as text.
 */
export type Finding = {
  outcome: "right" | "wrong" | "missing" | "unknown"
  found: string[]
  mistake?: Mistake
}

const foundMax = 8
const foundLengthMax = 2048

/**
 * The finding as it may be kept and shown: strangers' zones hold any bytes and any amount of them, and what no text can
 * carry is written as in zone files (RFC 1035 5.1).
 */
export function presentable(finding: Finding): Finding {
  const found = finding.found.slice(0, foundMax).map((text) => cutText(printable(text), foundLengthMax))
  return { ...finding, found, ...(finding.mistake ? { mistake: cleaned(finding.mistake) } : {}) }
}

function cleaned({ sentence, mend, ...rest }: Mistake): Mistake {
  return {
    ...rest,
    sentence: cutText(printable(sentence), foundLengthMax),
    mend: cutText(printable(mend), foundLengthMax),
  }
}

function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => `\\${String(character.charCodeAt(0)).padStart(3, "0")}`)
}

export function right(found: string[]): Finding {
  return { outcome: "right", found }
}

export function wrong(found: string[], code: MistakeCode, sentence: string, mend: string): Finding {
  return { outcome: "wrong", found, mistake: { code, sentence, mend } }
}

export function missing(mistake?: Mistake): Finding {
  return mistake ? { outcome: "missing", found: [], mistake } : { outcome: "missing", found: [] }
}

export const unknown: Finding = { outcome: "unknown", found: [] }

/** It stands there, and whether it is right could not be told. */
export function undecided(found: string[]): Finding {
  return { outcome: "unknown", found }
}
