import { cookies, headers } from "next/headers"
import { redirect } from "next/navigation"
import { cache } from "react"
import { liveSession, sessionIdOf } from "@/lib/access/credentials/session"
import type { SessionWire } from "@/lib/access/credentials/schema"
import { performAs } from "@/lib/api/perform-as"

/** Who is signed in, read once a request. Strangers go to the sign-in page and come back to where they wanted. */
export const signedIn = cache(async (): Promise<SessionWire> => {
  const cookie = (await cookies()).toString()
  const head = await headers()
  const sessionId = await sessionIdOf(cookie)
  if (!sessionId || !(await liveSession(sessionId))) redirect(await addressOnTheWay("/sign-in"))
  return (await performAs(cookie, head.get("x-client-ip") ?? "127.0.0.1", "GET /v1/session")) as SessionWire
})

/** The address of a page of ours that leads back to the one that was asked for. */
export async function addressOnTheWay(page: "/sign-in" | "/second-factor"): Promise<string> {
  const path = (await headers()).get("x-path")
  const wanted = path?.replace(/([?&])_rsc=[^&]*&?/, "$1").replace(/[?&]$/, "")
  return wanted && wanted !== "/" ? `${page}?callbackUrl=${encodeURIComponent(wanted)}` : page
}
