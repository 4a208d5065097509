import type { CallAnswer } from "@/components/api/route"
import type { Tone } from "@/components/ui/pill"

export type Email = CallAnswer<"GET /v1/projects/{projectId}/emails/{emailId}">
export type Delivery = CallAnswer<"GET /v1/projects/{projectId}/emails/{emailId}/deliveries">["data"][number]
export type Attempt = Delivery["attempts"][number]
export type EmailEvent = CallAnswer<"GET /v1/projects/{projectId}/emails/{emailId}/events">["items"][number]
export type EmailPage = CallAnswer<"GET /v1/projects/{projectId}/emails">

export type Explanation = {
  tone: Tone
  /** The answer to "why did it not arrive?" in one sentence. */
  title: string
  /** The evidence, what follows from it and what to do. */
  detail: string
  /** The page that fixes it. */
  fix?: "domains"
}
