import { ApiProblem } from "@/components/data/call"
import { landingPath } from "@/lib/access/rules"

/** Signs in and goes to the wanted page of this site. @throws ApiProblem when it is refused */
export async function signIn(
  by: "password" | "link" | "second-step" | "passkey",
  fields: Record<string, string>,
  wanted?: string | null,
): Promise<void> {
  await post(`callback/${by}`, fields)
  go(landingPath(wanted))
}

/** Goes to an identity provider, which sends the browser back to the wanted page. @throws ApiProblem when it does not answer */
export async function beginSignIn(provider: "github" | "google" | "oidc", wanted: string): Promise<void> {
  const { url } = (await post(`signin/${provider}`, { callbackUrl: landingPath(wanted) })) as { url: string }
  go(url)
}

/** Ends the session of this browser and goes to the sign-in page, and from there back where one wants to be. */
export async function signOut(wanted?: string): Promise<void> {
  await post("signout", {})
  go(wanted ? `/sign-in?callbackUrl=${encodeURIComponent(wanted)}` : "/sign-in")
}

/** A full page load, so that no data of an earlier user stays in memory. */
export function go(path: string) {
  window.location.assign(path)
}

async function post(action: string, fields: Record<string, string>): Promise<unknown> {
  const { csrfToken } = (await answerOf(await fetch("/api/auth/csrf", { cache: "no-store" }))) as { csrfToken: string }
  const headers = { "Content-Type": "application/json" }
  return answerOf(
    await fetch(`/api/auth/${action}`, { method: "POST", headers, body: JSON.stringify({ ...fields, csrfToken }) }),
  )
}

async function answerOf(response: Response): Promise<unknown> {
  const answer: unknown = await response.json()
  if (!response.ok) throw new ApiProblem(answer as ApiProblem["problem"])
  return answer
}
