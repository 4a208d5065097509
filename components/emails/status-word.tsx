import { statusWords } from "@/components/emails/status"
import { cn } from "@/components/ui/cn"
import { Tooltip } from "@/components/ui/tooltip"

/** The state of a row: a dot and a word, coloured only where somebody should look; on hover what it means. */
export function StatusWord({ status, detail }: { status: string; detail?: string }) {
  const { word, tone, means, todo } = statusWords(status)
  const tip = [detail, means, todo].filter(Boolean).join(" ")
  return (
    <Tooltip text={tip}>
      <span className="flex items-center gap-2 whitespace-nowrap">
        <span aria-hidden="true" className={cn("size-2 shrink-0 rounded-full", dot[tone])} />
        <span className={text[tone]}>{word}</span>
        <span className="sr-only">. {tip}</span>
      </span>
    </Tooltip>
  )
}

const dot = { wait: "bg-wait", warn: "bg-warn", good: "bg-good", bad: "bg-bad" }
const text = { wait: "", warn: "text-warn", good: "", bad: "text-bad" }
