"use client"

import type { ReactNode } from "react"
import type { ComposeCheck } from "@/components/compose/check"
import { Button, ButtonLink } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import type { Tone } from "@/components/ui/pill"

type CheckCardProps = { checks: ComposeCheck[]; projectId: string; onMakeText: () => void; actions: ReactNode }

/** What is known of the email before it leaves, in words, with the fix beside what needs one. */
export function CheckCard({ checks, projectId, onMakeText, actions }: CheckCardProps) {
  return (
    <Card aria-labelledby="compose-check">
      <CardHeader id="compose-check" title="Before you send" actions={actions} />
      {checks.length === 0 ? (
        <p className="px-4 py-3 text-muted">Sender, recipients and content are checked here while you write.</p>
      ) : null}
      <ul>
        {checks.map(({ id, tone, title, detail, fix }) => (
          <li key={id} className="border-b border-line px-4 py-2.5 last:border-b-0">
            <div className="flex items-start gap-3">
              <span aria-hidden="true" className={cn("mt-1.5 size-2 shrink-0 rounded-full", fill[tone])} />
              <b className="min-w-0 flex-1 font-medium">{title}</b>
              <span className={cn("text-sm", text[tone])}>{words[tone]}</span>
            </div>
            {detail ? <p className="ml-5 text-sm text-muted [overflow-wrap:anywhere]">{detail}</p> : null}
            {fix === "text" ? (
              <Button size="small" className="mt-1.5 ml-5" onClick={onMakeText}>
                Make it from the HTML
              </Button>
            ) : null}
            {fix === "domains" ? (
              <ButtonLink size="small" className="mt-1.5 ml-5" href={`/projects/${projectId}/domains`}>
                Domains
              </ButtonLink>
            ) : null}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const words: Record<Tone, string> = { good: "Good", warn: "Check", bad: "Blocks sending", wait: "Missing" }
/** What is well needs no word that everybody reads. */
const text: Record<Tone, string> = { good: "sr-only", warn: "text-warn", bad: "text-bad", wait: "text-muted" }
const fill: Record<Tone, string> = { good: "bg-good", warn: "bg-warn", bad: "bg-bad", wait: "bg-wait" }
