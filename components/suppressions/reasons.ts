import type { Tone } from "@/components/ui/pill"
import type { SuppressionReason } from "@/lib/consent/rules"

type Words = { word: string; tone: Tone; means: string; removal: string }

/** What a reason means, and what removing it risks. */
export const reasonTexts: Record<SuppressionReason, Words> = {
  bounce: {
    word: "Bounced",
    tone: "bad",
    means: "The recipient's server said that the address does not accept email.",
    removal:
      "The address bounced. If it still does not exist, the next email bounces too, which harms the reputation of your domain.",
  },
  complaint: {
    word: "Complained",
    tone: "bad",
    means: "The recipient marked an email as spam.",
    removal:
      "The person marked your email as spam. Sending again without being asked harms the reputation of your domain.",
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
    means: "The person unsubscribed.",
    removal:
      "The person unsubscribed. Remove this only if they have asked for email again: the contact is then subscribed again.",
  },
}

/** Also for a reason that a later version has added. */
export function reasonWords(reason: string): Words {
  return reasonTexts[reason as SuppressionReason] ?? { ...reasonTexts.manual, word: reason }
}
