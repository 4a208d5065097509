import { Card } from "@/components/ui/card"
import { Pill } from "@/components/ui/pill"
import type { MessageDetail } from "@/components/sandbox/types"
import { checkNames, checks, verdictWords } from "@/components/sandbox/verdicts"

/** The three checks side by side: the result of each, its domain, and what that means. */
export function VerdictSteps({ verdicts }: { verdicts: MessageDetail["verdicts"] }) {
  return (
    <Card aria-label="Verdicts">
      <ul className="grid gap-px bg-line md:grid-cols-3">
        {checks.map((check) => {
          const { result, domain, info } = verdicts[check]
          const { word, tone, means } = verdictWords(check, result)
          return (
            <li key={check} className="min-w-0 bg-panel px-4 py-3.5">
              <Pill tone={tone} tip={info}>
                {word}
              </Pill>
              <b className="mt-1.5 mb-0.5 block [overflow-wrap:anywhere]">
                {domain ? `${checkNames[check]} for ${domain}` : checkNames[check]}
              </b>
              <span className="text-muted">{means}</span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
