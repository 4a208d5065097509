"use client"

import { formatNumber } from "@/lib/platform/format"
import { cn } from "@/components/ui/cn"
import { CodeBlock } from "@/components/ui/code-block"
import { RelativeTime } from "@/components/ui/relative-time"
import { DayTime } from "@/components/webhooks/day-time"
import type { Attempt, Delivery } from "@/components/webhooks/queries"

/** When each attempt was made and how it ended, the next one, and what the endpoint said last. */
export function Attempts({ delivery }: { delivery: Delivery }) {
  const { attempts = [], nextAttemptAt, responseBodySnippet, lastStatusCode, status } = delivery
  return (
    <>
      <h3 className="mb-1.5 text-xs font-medium text-muted">Attempts</h3>
      <ol aria-label="Attempts">
        {attempts.map((attempt, index) => (
          <Line key={index} tone={attempt.error ? "bg-bad" : "bg-good"} detail={detailOf(attempt)}>
            <DayTime at={attempt.at} />
            <span className="text-muted tabular-nums">{formatNumber(attempt.durationMs)} ms</span>
          </Line>
        ))}
        {nextAttemptAt ? (
          <Line
            tone="border-[1.5px] border-warn"
            detail={
              <>
                {attempts.length ? "next, " : "first, "}
                <RelativeTime at={nextAttemptAt} />
              </>
            }
          >
            <DayTime at={nextAttemptAt} />
          </Line>
        ) : null}
        {status === "processing" ? (
          <Line tone="bg-warn" detail="A request is in progress.">
            <span>Now</span>
          </Line>
        ) : null}
        {!attempts.length && !nextAttemptAt && status !== "processing" ? (
          <li className="text-muted">
            {status === "cancelled" ? "Cancelled before it was sent." : "No attempts are recorded."}
          </li>
        ) : null}
      </ol>
      {responseBodySnippet ? (
        <section aria-label="Response" className="mt-4">
          <h3 className="mb-1.5 flex justify-between text-xs font-medium text-muted">
            <span>Response to the last attempt</span>
            <span className="tabular-nums">{lastStatusCode}</span>
          </h3>
          <CodeBlock code={responseBodySnippet} name="response" className="max-h-60 overflow-auto" />
        </section>
      ) : null}
    </>
  )
}

type LineProps = { tone: string; detail: React.ReactNode; children: React.ReactNode }

function Line({ tone, detail, children }: LineProps) {
  return (
    <li
      className="relative grid grid-cols-[20px_1fr] pb-3 before:absolute before:top-5 before:-bottom-1 before:left-[3.5px] before:w-px
        before:bg-line last:before:hidden"
    >
      <span aria-hidden="true" className={cn("mt-1.5 size-2 rounded-full", tone)} />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className="flex flex-wrap justify-between gap-x-3">{children}</span>
        <span className="block text-sm text-muted">{detail}</span>
      </span>
    </li>
  )
}

function detailOf({ error, statusCode }: Attempt): string {
  return error ?? `The endpoint answered ${statusCode}.`
}
