import { queryOptions } from "@tanstack/react-query"
import { call, type CallAnswer, type CallInput } from "@/components/data/call"
import { query, wholeList } from "@/components/data/query"
import { useCall } from "@/components/data/use-call"
import { utcHourRange } from "@/components/ui/time-words"
import { allEvents } from "@/lib/webhooks/rules"

const list = "GET /v1/projects/{projectId}/webhooks"
const one = "GET /v1/projects/{projectId}/webhooks/{endpointId}"
const health = "GET /v1/projects/{projectId}/webhooks/{endpointId}/health"
const deliveries = "GET /v1/projects/{projectId}/webhooks/{endpointId}/deliveries"
export const deliveryRoute = "GET /v1/projects/{projectId}/webhooks/{endpointId}/deliveries/{deliveryId}"
const preview = "POST /v1/projects/{projectId}/webhooks/preview"
const replay = "POST /v1/projects/{projectId}/webhooks/{endpointId}/replay"

export type Webhook = CallAnswer<typeof one>
export type WebhookHealth = NonNullable<Webhook["health"]>
export type HealthDetail = CallAnswer<typeof health>
export type DeliveryPage = CallAnswer<typeof deliveries>
export type WebhookDelivery = CallAnswer<typeof deliveryRoute>
export type WebhookAttempt = NonNullable<WebhookDelivery["attempts"]>[number]
export type Shape = NonNullable<CallInput<typeof preview>["body"]>
export type Previewed = CallAnswer<typeof preview>["data"][number]
export type HistoryRange = NonNullable<CallInput<typeof replay>["body"]>

/** All of them: the operator can let a project have more than a page. */
export const webhooksQuery = (projectId: string) => wholeList(list, { params: { projectId } })

export const webhookQuery = (projectId: string, endpointId: string) => query(one, { params: { projectId, endpointId } })

export const healthQuery = (projectId: string, endpointId: string) =>
  query(health, { params: { projectId, endpointId } })

export type HistoryFilter = {
  status?: WebhookDelivery["status"] | undefined
  before?: string | undefined
  /** An hour in UTC, such as 2026-11-20T14. */
  hour?: string | undefined
}

/** Without empty filters, so that server and browser use the same query key. */
export const deliveriesQuery = (projectId: string, endpointId: string, { status, before, hour }: HistoryFilter = {}) =>
  query(deliveries, {
    params: { projectId, endpointId },
    query: { size: 12, ...(isStatus(status) && { status }), ...hourRange(hour), ...(before && { before }) },
  })

function hourRange(hour: string | undefined) {
  const range = hour === undefined ? null : utcHourRange(hour)
  return range ? { since: range.from, until: range.to } : {}
}

const statuses = ["pending", "processing", "success", "failed", "cancelled"] as const

function isStatus(text: string | undefined): text is (typeof statuses)[number] {
  return statuses.some((status) => status === text)
}

export const deliveryQuery = (projectId: string, endpointId: string, deliveryId: string) =>
  query(deliveryRoute, { params: { projectId, endpointId, deliveryId } })

/** A read by POST: what a webhook of this shape would make of past events. */
export const webhookPreviewQuery = (projectId: string, shape: Shape) =>
  queryOptions({
    queryKey: [preview, { params: { projectId }, body: shape }] as const,
    queryFn: ({ signal }) => call(preview, { params: { projectId }, body: shape }, signal),
    enabled: shape.events.length > 0,
    retry: false,
  })

/** What a webhook makes of events, for its preview; its events in the order of the form. */
export function webhookShape({ events, filters = [], transformations = [] }: Webhook) {
  return { events: allEvents.filter((type) => events.includes(type)), filters, transformations }
}

/** How many events a replay would take. */
export const rangeQuery = (projectId: string, endpointId: string, range: HistoryRange) =>
  queryOptions({
    queryKey: [replay, { params: { projectId, endpointId }, body: range }] as const,
    queryFn: ({ signal }) =>
      call(replay, { params: { projectId, endpointId }, body: { ...range, dryRun: true } }, signal),
    retry: false,
    gcTime: 0,
  })

const reads = [list, one] as const
const history = [deliveries, deliveryRoute, health, list] as const

export const useCreateWebhook = () => useCall("POST /v1/projects/{projectId}/webhooks", [list])
export const useUpdateWebhook = () =>
  useCall("PATCH /v1/projects/{projectId}/webhooks/{endpointId}", [...reads, ...history])
export const useRotateSecret = () =>
  useCall("POST /v1/projects/{projectId}/webhooks/{endpointId}/rotate-secret", [...reads])
export const useDeleteWebhook = () => useCall("DELETE /v1/projects/{projectId}/webhooks/{endpointId}", [list])
export const useTestWebhook = () => useCall("POST /v1/projects/{projectId}/webhooks/{endpointId}/test", [...history])
export const useReplayDelivery = () =>
  useCall("POST /v1/projects/{projectId}/webhooks/{endpointId}/replay/{deliveryId}", [...history])
export const useReplayRange = () => useCall(replay, [...history])
