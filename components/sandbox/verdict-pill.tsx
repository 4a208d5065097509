import { Pill } from "@/components/ui/pill"
import { checkNames, verdictWords, type Check } from "./verdicts"

/** A check and how it came out; the whole sentence on hover. */
export function VerdictPill({ check, result, focusable = false }: { check: Check; result: string; focusable?: boolean }) {
  const { word, tone, means } = verdictWords(check, result)
  return (
    <Pill tone={tone} tip={`${word}: ${means}`} focusable={focusable}>
      {checkNames[check]}
    </Pill>
  )
}
