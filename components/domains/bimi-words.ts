import type { Words } from "@/components/domains/statuses"

/** The state of the logo's record, in the list and on the domain's page. */
export function bimiWords(status: string): Words {
  return states[status] ?? { tone: "wait", word: status, tip: "" }
}

const states: Record<string, Words> = {
  not_configured: { tone: "wait", word: "No logo", tip: "Optional: mail programs show your logo beside your email." },
  pending: {
    tone: "warn",
    word: "Not yet",
    tip: "The record is not found yet. Publish it as the domain's page shows it.",
  },
  verified: { tone: "good", word: "Published", tip: "The record names this logo." },
  failed: {
    tone: "bad",
    word: "Different",
    tip: "A different record was found. Replace it with the value on the domain's page.",
  },
}
