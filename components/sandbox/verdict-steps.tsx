import { Pill } from "@/components/ui/pill"
import { Steps } from "@/components/ui/steps"
import type { MessageDetail } from "./types"
import { checkNames, checks, verdictWords, type Check } from "./verdicts"

/** The three checks side by side: how each came out, for which domain, and what that means. */
export function VerdictSteps({ verdicts }: { verdicts: MessageDetail["verdicts"] }) {
  return (
    <Steps
      label="Verdicts"
      steps={checks.map((check) => {
        const { result, domain, info } = verdicts[check]
        const { word, tone, means } = verdictWords(check, result)
        return {
          pill: <Pill tone={tone} tip={info}>{word}</Pill>,
          title: title(check, domain),
          text: means,
        }
      })}
    />
  )
}

function title(check: Check, domain: string | undefined): string {
  return domain ? `${checkNames[check]} for ${domain}` : checkNames[check]
}
