import { dayMs } from "@/lib/platform/time"
import { answerProblem } from "@/lib/platform/http/answer"
import { newRequestId } from "@/lib/platform/http/perform"
import { pathNotFound } from "@/lib/platform/http/problems"
import { env } from "@/lib/platform/env/env"

/** RFC 9116, 2.5.5 wants less than a year; the text is made anew with each request. */
const validMs = 180 * dayMs

/** The answer to `/.well-known/security.txt`. Source: RFC 9116. */
export function securityText(now: Date): Response {
  const { securityContact, baseUrl } = env()
  if (!securityContact) return answerProblem(pathNotFound(), newRequestId().text)
  const lines = [
    `Contact: ${securityContact}`,
    `Expires: ${new Date(now.getTime() + validMs).toISOString()}`,
    `Canonical: ${baseUrl}/.well-known/security.txt`,
  ]
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  })
}
