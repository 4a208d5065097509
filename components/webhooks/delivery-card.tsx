"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { RotateCw } from "lucide-react"
import { type ReactNode, useEffect, useEffectEvent } from "react"
import { May } from "@/components/access/powers"
import { LoadError } from "@/components/data/load-error"
import { useOneAtATime } from "@/components/data/use-call"
import { isPlainKey, isTyping } from "@/components/layout/keys"
import { useAddressParam } from "@/components/layout/use-address-param"
import { Button, ButtonLink } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { CodeBlock, pretty } from "@/components/ui/code-block"
import type { Tone } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/loading"
import { toast } from "@/components/ui/toast"
import { Tooltip } from "@/components/ui/tooltip"
import { DayTime } from "@/components/data/clock-time"
import {
  type WebhookAttempt,
  type WebhookDelivery,
  deliveryQuery,
  useReplayDelivery,
  type Webhook,
} from "@/components/webhooks/queries"
import { SentRequest } from "@/components/webhooks/sent-request"
import { deliveryState, isBusy } from "@/components/webhooks/states"
import { formatNumber } from "@/lib/platform/format"

type DeliveryCardProps = { projectId: string; webhook: Webhook; deliveryId: string }

const busyMs = 1_500
const calmMs = 15_000

/** One delivery: its attempts, what was sent and what came back. */
export function DeliveryCard({ projectId, webhook, deliveryId }: DeliveryCardProps) {
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...deliveryQuery(projectId, webhook.id, deliveryId),
    // The one before stays until the next is there, without a flash.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? busyMs : calmMs),
  })
  if (!data)
    return (
      <Card aria-label="Delivery">
        {error ? (
          <LoadError error={error} onRetry={() => void refetch()} retrying={isFetching} />
        ) : (
          <SkeletonRows rows={10} label="Loading the delivery" />
        )}
      </Card>
    )
  const { tone, word, tip } = deliveryState(data)
  const emailId = emailOf(data)
  return (
    <Card aria-label="Delivery" aria-busy={isPlaceholderData}>
      <CardHeader
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <code className="text-base font-semibold">{data.eventType}</code>
            <StateWord tone={tone} tip={tip}>
              {word}
            </StateWord>
          </span>
        }
        actions={
          <>
            {emailId ? (
              <ButtonLink size="small" href={`/projects/${projectId}/emails/${emailId}`}>
                Open email
              </ButtonLink>
            ) : null}
            <May permission="webhooks:write">
              <Replay projectId={projectId} webhookId={webhook.id} delivery={data} disabled={isPlaceholderData} />
            </May>
          </>
        }
      />
      <div className="grid xl:grid-cols-[minmax(0,256px)_minmax(0,1fr)]">
        <div className="min-w-0 p-4">
          <Attempts delivery={data} />
        </div>
        <div className="grid min-w-0 content-start gap-4 border-line p-4 max-xl:border-t xl:border-l">
          <SentRequest url={webhook.url} delivery={data} />
          <section aria-label="Payload" className="min-w-0">
            <h3 className="mb-1.5 text-xs font-medium text-muted">Payload</h3>
            <CodeBlock wrap={false} code={data.payload ?? ""} name="payload">
              {pretty(data.payload ?? "")}
            </CodeBlock>
          </section>
        </div>
      </div>
    </Card>
  )
}

type ReplayProps = { projectId: string; webhookId: string; delivery: WebhookDelivery; disabled: boolean }

/** Also by the key `r`. */
function Replay({ projectId, webhookId, delivery, disabled }: ReplayProps) {
  const replay = useReplayDelivery()
  const [, keepOpen] = useAddressParam("delivery")
  const waits = delivery.status === "pending"
  const act = useOneAtATime(async () => {
    // It may leave a filtered list, and is what the person looks at.
    keepOpen(delivery.id)
    try {
      await replay.mutateAsync({ params: { projectId, endpointId: webhookId, deliveryId: delivery.id } })
      toast.success(
        waits ? "Attempted now" : "Replayed",
        waits ? undefined : { description: "The replay is a new delivery at the top of the list." },
      )
    } catch (error) {
      toast.error("It was not replayed", { description: error instanceof Error ? error.message : undefined })
    }
  })
  const busy = disabled || replay.isPending
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "r" || event.repeat || event.defaultPrevented || !isPlainKey(event) || isTyping(event.target))
      return
    if (!busy) void act()
  })
  useEffect(() => {
    document.addEventListener("keydown", press)
    return () => document.removeEventListener("keydown", press)
  }, [])
  return (
    <Button
      size="small"
      icon={<RotateCw />}
      disabled={disabled}
      loading={replay.isPending}
      aria-keyshortcuts="r"
      onClick={() => void act()}
    >
      {waits ? "Retry now" : "Replay"}
    </Button>
  )
}

/** The email that the event is about, unless a transformation has removed it. */
function emailOf({ payload = "" }: WebhookDelivery): string | undefined {
  return /"emailId":"(email_[0-9a-z]{26})"/.exec(payload)?.[1]
}

/** When each attempt was made and how it ended, the next one, and what the endpoint said last. */
function Attempts({ delivery }: { delivery: WebhookDelivery }) {
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

function detailOf({ error, statusCode }: WebhookAttempt): string {
  return error ?? `The endpoint answered ${statusCode}.`
}

type StateWordProps = { tone: Tone; tip: string; children: ReactNode }

/** A state as a dot and a word of the same colour; on hover and focus what it means and what to do. */
function StateWord({ tone, tip, children }: StateWordProps) {
  return (
    <Tooltip text={tip}>
      <span tabIndex={0} className={cn("inline-flex items-center gap-1.5 rounded-sm font-normal", tones[tone])}>
        <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-current" />
        {children}
      </span>
    </Tooltip>
  )
}

const tones: Record<Tone, string> = { wait: "text-muted", warn: "text-warn", good: "text-good", bad: "text-bad" }
