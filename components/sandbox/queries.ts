import type { CallAnswer } from "@/components/data/call"
import { query } from "@/components/data/query"

export function messagesQuery(projectId: string, { page = 1, search = "" }: { page?: number; search?: string } = {}) {
  return query("GET /v1/projects/{projectId}/sandbox/messages", {
    params: { projectId },
    query: { page, size: 20, ...(search ? { search } : {}) },
  })
}

export function messageQuery(projectId: string, messageId: string) {
  return query("GET /v1/projects/{projectId}/sandbox/messages/{messageId}", { params: { projectId, messageId } })
}

type MessagePage = CallAnswer<"GET /v1/projects/{projectId}/sandbox/messages">
export type SandboxMessage = MessagePage["data"][number]
export type MessageDetail = CallAnswer<"GET /v1/projects/{projectId}/sandbox/messages/{messageId}">
