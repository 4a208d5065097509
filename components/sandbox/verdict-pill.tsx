import { Pill } from "@/components/ui/pill"
import { checkNames, verdictWords, type Check } from "@/components/sandbox/verdicts"

/** A check and its result; the explanation is in the tooltip. */
export function VerdictPill({ check, result }: { check: Check; result: string }) {
  const { word, tone, means } = verdictWords(check, result)
  return (
    <Pill tone={tone} tip={means} focusable={false}>
      {checkNames[check]} {word.toLowerCase()}
    </Pill>
  )
}
