import type { CallAnswer } from "@/components/data/call"
import { query } from "@/components/data/query"
import { useCall } from "@/components/data/use-call"

const messages = "GET /v1/projects/{projectId}/sandbox/messages"
/** The navigation says how many there are. */
const counts = "GET /v1/projects/{projectId}/counts"

export function messagesQuery(projectId: string, { page = 1, search = "" }: { page?: number; search?: string } = {}) {
  return query(messages, {
    params: { projectId },
    query: { page, size: 20, ...(search ? { search } : {}) },
  })
}

export function messageQuery(projectId: string, messageId: string) {
  return query("GET /v1/projects/{projectId}/sandbox/messages/{messageId}", { params: { projectId, messageId } })
}

export const useClearSandbox = () => useCall("DELETE /v1/projects/{projectId}/sandbox/messages", [messages, counts])
export const useDeleteMessage = () =>
  useCall("DELETE /v1/projects/{projectId}/sandbox/messages/{messageId}", [messages, counts])

type MessagePage = CallAnswer<typeof messages>
export type SandboxMessage = MessagePage["data"][number]
export type MessageDetail = CallAnswer<"GET /v1/projects/{projectId}/sandbox/messages/{messageId}">
