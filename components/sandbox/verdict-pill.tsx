import { Pill } from "@/components/ui/pill"
import { checkNames, verdictWords, type Check } from "@/components/sandbox/verdicts"

/** A check and how it came out; the whole sentence on hover. */
export function VerdictPill({ check, result }: { check: Check; result: string }) {
  const { word, tone, means } = verdictWords(check, result)
  return (
    <Pill tone={tone} tip={means} focusable={false}>
      {checkNames[check]} {word.toLowerCase()}
    </Pill>
  )
}
