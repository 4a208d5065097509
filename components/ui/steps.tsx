import type { ReactNode } from "react"
import { Card } from "@/components/ui/card"

export type Step = { pill: ReactNode; title: ReactNode; text: ReactNode }

/** A strip of up to four states side by side; below each other on a phone. */
export function Steps({ steps, label }: { steps: Step[]; label: string }) {
  return (
    <Card aria-label={label}>
      <ul className="grid gap-px bg-line sm:grid-cols-2 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
        {steps.map((step, index) => (
          <li key={index} className="min-w-0 bg-panel px-4 py-3.5">
            {step.pill}
            <b className="mt-1.5 mb-0.5 block">{step.title}</b>
            <span className="text-muted">{step.text}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
