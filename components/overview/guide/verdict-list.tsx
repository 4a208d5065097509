import { checkNames, checks, verdictWords } from "@/components/sandbox/verdicts"
import type { MessageDetail } from "@/components/sandbox/types"
import { cn } from "@/components/ui/cn"
import type { Tone } from "@/components/ui/pill"

/** What the receiver found, a line for each check. */
export function VerdictList({ verdicts }: { verdicts: MessageDetail["verdicts"] }) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {checks.map((check) => {
        const { result } = verdicts[check]
        const { tone, means } = verdictWords(check, result)
        return (
          <li key={check} className="grid grid-cols-[60px_60px_minmax(0,1fr)] items-baseline py-2.5">
            <b className="font-semibold">{checkNames[check]}</b>{" "}
            <span className={cn("flex items-center gap-2", text[tone])}>
              <span aria-hidden="true" className={cn("size-2 rounded-full", fill[tone])} />
              {result}
            </span>{" "}
            <span className="text-sm text-muted">{means}</span>
          </li>
        )
      })}
    </ul>
  )
}

const text: Record<Tone, string> = { wait: "text-muted", good: "text-good", warn: "text-warn", bad: "text-bad" }
const fill: Record<Tone, string> = { wait: "bg-wait", good: "bg-good", warn: "bg-warn", bad: "bg-bad" }
