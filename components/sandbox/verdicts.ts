import type { Tone } from "@/components/ui/pill"

export type AuthCheck = "dkim" | "spf" | "dmarc"

export const checks: AuthCheck[] = ["dkim", "spf", "dmarc"]

export const checkNames: Record<AuthCheck, string> = { dkim: "DKIM", spf: "SPF", dmarc: "DMARC" }

type VerdictWords = { word: string; tone: Tone; means: string }

/** What a receiver's verdict means for the sender. */
export function verdictWords(check: AuthCheck, result: string): VerdictWords {
  const { word, tone } = results[result] ?? { word: result, tone: "wait" }
  return {
    word,
    tone,
    means: (meanings[check] as Record<string, string>)[result] ?? troubles[result] ?? "An unknown result.",
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
  permerror: { word: "Invalid", tone: "bad" },
}

const meanings = {
  dkim: {
    pass: "Valid signature, message unchanged.",
    fail: "The signature does not match the message or the published key. Check the DKIM records of the domain.",
    none: "The message has no signature.",
    neutral: "The signature could not be verified. Check the DKIM records of the domain.",
    policy: "The signature is valid, but the receiver does not accept its kind.",
  },
  spf: {
    pass: "The return path's domain allows this server.",
    fail: "The domain of the return path does not allow this server. Check its SPF record.",
    softfail: "The domain of the return path does not list this server (soft fail). Check its SPF record.",
    neutral: "The domain of the return path says nothing about this server.",
    none: "The domain of the return path publishes no SPF record.",
  },
  dmarc: {
    pass: "DKIM or SPF matches the domain in From.",
    fail: "Neither DKIM nor SPF passes for the domain in From: its policy decides what happens to the message.",
    none: "The domain in From publishes no DMARC policy. One is recommended, but not required.",
  },
} satisfies Record<AuthCheck, Record<string, string>>

const troubles: Record<string, string> = {
  temperror: "The DNS did not answer in time, so there is no result.",
  permerror: "The published record is not valid. Check it for typos.",
}
