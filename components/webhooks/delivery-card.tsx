"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { RotateCw } from "lucide-react"
import { useEffect, useEffectEvent } from "react"
import { May } from "@/components/access/powers"
import { LoadError } from "@/components/data/load-error"
import { isPlain, isTyping } from "@/components/layout/keys"
import { useAddressParam } from "@/components/layout/use-address-param"
import { Button, ButtonLink } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { CodeBlock } from "@/components/ui/code-block"
import { SkeletonRows } from "@/components/ui/skeleton"
import { toast } from "@/components/ui/toast"
import { StateWord } from "@/components/webhooks/state-word"
import { Attempts } from "@/components/webhooks/attempts"
import { pretty } from "@/components/webhooks/pretty"
import { deliveryQuery, useReplayDelivery, type Delivery, type Webhook } from "@/components/webhooks/queries"
import { SentRequest } from "@/components/webhooks/sent-request"
import { deliveryState, isBusy } from "@/components/webhooks/states"

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

type ReplayProps = { projectId: string; webhookId: string; delivery: Delivery; disabled: boolean }

/** Also by the key `r`. */
function Replay({ projectId, webhookId, delivery, disabled }: ReplayProps) {
  const replay = useReplayDelivery()
  const [, keepOpen] = useAddressParam("delivery")
  const waits = delivery.status === "pending"
  async function act() {
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
  }
  const busy = disabled || replay.isPending
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "r" || event.repeat || event.defaultPrevented || !isPlain(event) || isTyping(event.target)) return
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
function emailOf({ payload = "" }: Delivery): string | undefined {
  return /"emailId":"(email_[0-9a-z]{26})"/.exec(payload)?.[1]
}
