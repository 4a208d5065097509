import type { Tone } from "@/components/ui/pill"
import type { SuppressionReason } from "@/lib/consent/rules"

type Words = { word: string; tone: Tone; means: string; removal: string }

/** What a reason means, and what removing it risks. */
export const reasons: Record<SuppressionReason, Words> = {
  bounce: {
    word: "Bounced",
    tone: "bad",
    means: "The recipient's server said that the address does not take mail.",
    removal:
      "The address bounced. If it still does not exist, the next mail bounces too, and that counts against your sending domain.",
  },
  complaint: {
    word: "Complained",
    tone: "bad",
    means: "The recipient marked a mail as spam.",
    removal:
      "The person marked your mail as spam. Writing again without being asked harms the reputation of your domain.",
  },
  manual: {
    word: "Manual",
    tone: "wait",
    means: "A member of this project added or imported it.",
    removal: "A member of this project added it. Make sure that they agree.",
  },
  unsubscribe: {
    word: "Unsubscribed",
    tone: "wait",
    means: "The person asked for no more mail.",
    removal:
      "The person asked for no more mail. Remove this only if they have asked for it again: the contact is then subscribed again.",
  },
}

/** Also for a reason that a later version has added. */
export function reasonWords(reason: string): Words {
  return reasons[reason as SuppressionReason] ?? { ...reasons.manual, word: reason }
}
