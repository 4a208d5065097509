import { Check } from "lucide-react"
import Link from "next/link"
import { Card, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { Tooltip } from "@/components/ui/tooltip"
import type { SetupStep } from "@/components/overview/setup-steps"

/** The steps to the first email; hidden once all are done. */
export function SetupCard({ steps }: { steps: SetupStep[] }) {
  const done = steps.filter((step) => step.done).length
  if (done === steps.length) return null
  const next = steps.find((step) => !step.done)
  return (
    <Card>
      <CardHeader
        title="Set up sending"
        description="Four steps to the first email that arrives."
        actions={
          <span className="tabular-nums">
            {done} of {steps.length} done
          </span>
        }
      />
      <ol className="divide-y divide-line">
        {steps.map((step, index) => (
          <SetupRow key={step.id} step={step} number={index + 1} current={step === next} />
        ))}
      </ol>
    </Card>
  )
}

function SetupRow({ step, number, current }: { step: SetupStep; number: number; current: boolean }) {
  return (
    <li className="grid grid-cols-[28px_1fr_auto] items-start px-4 py-3">
      <span
        className={cn(
          "grid size-5 place-items-center rounded-full border text-xs tabular-nums",
          step.done
            ? "border-transparent bg-good-soft text-good"
            : current
              ? "border-accent text-accent"
              : "border-line-strong text-muted",
        )}
      >
        {step.done ? <Check aria-hidden="true" className="size-3.5" /> : <span aria-hidden="true">{number}</span>}
        <span className="sr-only">{step.done ? "Done:" : "To do:"}</span>
      </span>
      <span className="min-w-0">
        {step.done ? (
          <span className="text-muted">{step.title}</span>
        ) : (
          <>
            <Link href={step.href} className="rounded-sm font-medium hover:underline">
              {step.title}
            </Link>
            <span className="block text-muted">{step.todo}</span>
          </>
        )}
      </span>
      <Tooltip text={step.rule}>
        <span tabIndex={0} className={cn("ml-3 rounded-sm text-xs", step.done ? "text-good" : "text-faint")}>
          {step.done ? "Done" : current ? "Next" : "Open"}
        </span>
      </Tooltip>
    </li>
  )
}
