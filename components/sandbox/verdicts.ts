import type { Tone } from "@/components/ui/pill"

export type Check = "dkim" | "spf" | "dmarc"

export const checks: Check[] = ["dkim", "spf", "dmarc"]

export const checkNames: Record<Check, string> = { dkim: "DKIM", spf: "SPF", dmarc: "DMARC" }

type VerdictWords = { word: string; tone: Tone; means: string }

/** What a receiver's verdict says, and what follows from it for the sender. */
export function verdictWords(check: Check, result: string): VerdictWords {
  const { word, tone } = results[result] ?? { word: result, tone: "wait" }
  return {
    word,
    tone,
    means:
      (meanings[check] as Record<string, string>)[result] ??
      troubles[result] ??
      "A verdict that this page does not know.",
  }
}

const results: Record<string, { word: string; tone: Tone }> = {
  pass: { word: "Pass", tone: "good" },
  fail: { word: "Fail", tone: "bad" },
  softfail: { word: "Soft fail", tone: "warn" },
  neutral: { word: "Neutral", tone: "warn" },
  none: { word: "None", tone: "wait" },
  policy: { word: "Policy", tone: "warn" },
  temperror: { word: "No answer", tone: "warn" },
  permerror: { word: "Broken", tone: "bad" },
}

const meanings = {
  dkim: {
    pass: "The signature fits: the message comes from the signing domain and nobody has changed it.",
    fail: "The signature does not fit the message or the published key. Look at the DKIM records of the domain.",
    none: "The message carries no signature.",
    neutral: "There is a signature, but it could not be judged. Look at the DKIM records of the domain.",
    policy: "The signature is valid, but the receiver does not accept its kind.",
  },
  spf: {
    pass: "The domain of the return path allows this server to send for it.",
    fail: "The domain of the return path forbids this server. Look at its SPF record.",
    softfail: "The domain of the return path doubts this server. Look at its SPF record.",
    neutral: "The domain of the return path says nothing about this server.",
    none: "The domain of the return path publishes no SPF record.",
  },
  dmarc: {
    pass: "DKIM or SPF passes for the very domain that the reader sees in From.",
    fail: "Neither DKIM nor SPF passes for the domain in From: its policy decides what becomes of the message.",
    none: "The domain in From publishes no DMARC policy. One is recommended; delivery does not need it.",
  },
} satisfies Record<Check, Record<string, string>>

const troubles: Record<string, string> = {
  temperror: "The DNS did not answer in time, so nothing can be said.",
  permerror: "The published record cannot be read. Look at it for a typing error.",
}
