import { env } from "@/lib/platform/env/env"

/** True for a request from our own pages: by Fetch Metadata, or by the Origin header for browsers that do not send it. */
export function sameOrigin(request: { headers: Pick<Headers, "get"> }): boolean {
  const site = request.headers.get("sec-fetch-site")
  if (site !== null) return site === "same-origin"
  return request.headers.get("origin") === new URL(env().baseUrl).origin
}
