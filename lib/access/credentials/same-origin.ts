import { env } from "@/lib/platform/env/env"

/** True for a request that our own pages made: the browser says so itself (Fetch Metadata); where it does not, its Origin must be ours. */
export function sameOrigin(request: { headers: Headers }): boolean {
  const site = request.headers.get("sec-fetch-site")
  if (site !== null) return site === "same-origin"
  return request.headers.get("origin") === new URL(env().baseUrl).origin
}
