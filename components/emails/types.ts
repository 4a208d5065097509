import type { CallAnswer } from "@/components/data/call"

export type Email = CallAnswer<"GET /v1/projects/{projectId}/emails/{emailId}">
export type Delivery = CallAnswer<"GET /v1/projects/{projectId}/emails/{emailId}/deliveries">["data"][number]
export type Attempt = Delivery["attempts"][number]
export type EmailEvent = Explanation["events"][number]
export type EmailPage = CallAnswer<"GET /v1/projects/{projectId}/emails">

export type Explanation = CallAnswer<"GET /v1/projects/{projectId}/emails/{emailId}/explanation">
