import type { CallAnswer } from "@/components/data/route"

type MessagePage = CallAnswer<"GET /v1/projects/{projectId}/sandbox/messages">
export type Message = MessagePage["data"][number]
export type MessageDetail = CallAnswer<"GET /v1/projects/{projectId}/sandbox/messages/{messageId}">
