import { cookies, headers } from "next/headers"
import { liveSession, sessionIdOf } from "@/lib/access/credentials/session"
import type { SessionWire } from "@/lib/access/credentials/schema"
import { performAs } from "@/lib/api/perform-as"
import type { Api } from "@/lib/api/registry"
import type { Reader } from "@/lib/docs/reader-rules"
import { env } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { regionSettings } from "@/lib/regions/settings"

type Domains = Api["GET /v1/projects/{projectId}/domains"]["answer"]

/** Other projects that a page offers. */
const othersMax = 5

/** Somebody who is not signed in, or a program. */
export function strangerReader(): Reader {
  const { baseUrl, serviceDomain } = env()
  return { baseUrl, serviceDomain, relays: relays(Object.values(regionSettings().profiles)) }
}

function relays(profiles: readonly { transport: string }[]): boolean {
  return profiles.some(({ transport }) => transport !== "sandbox")
}

/** For whom a guide is written: strangers read it too, and without a database it is read as by a stranger. */
export async function readReader(wanted: string | undefined): Promise<Reader> {
  const stranger = strangerReader()
  try {
    const session = await signedInSession()
    const projects = session?.organizations.flatMap((organization) => organization.projects) ?? []
    const project = projects.find(({ id }) => id === wanted) ?? projects[0]
    if (!session || !project) return stranger
    const domain = await verifiedDomain(project.id)
    const profiles = Object.values(regionSettings().profiles)
    return {
      ...stranger,
      project,
      relays: relays(profiles.filter((one) => one.region === project.region)),
      ...(domain ? { domain } : {}),
      others: projects.filter(({ id }) => id !== project.id).slice(0, othersMax),
    }
  } catch (error) {
    log.warn({ err: error }, "a guide could not be written for its reader")
    return stranger
  }
}

async function signedInSession(): Promise<SessionWire | null> {
  const cookie = (await cookies()).toString()
  const sessionId = await sessionIdOf(cookie)
  if (!sessionId || !(await liveSession(sessionId))) return null
  return (await perform("GET /v1/session")) as SessionWire
}

/** The one to send from: the first that is verified, of those that were added first. */
async function verifiedDomain(projectId: string): Promise<Reader["domain"]> {
  const { data } = (await perform("GET /v1/projects/{projectId}/domains", { projectId })) as Domains
  const domain = data.findLast(({ status }) => status === "verified")
  return domain && { id: domain.id, name: domain.domain }
}

async function perform(route: string, params: Record<string, string> = {}): Promise<unknown> {
  const cookie = (await cookies()).toString()
  return performAs(cookie, (await headers()).get("x-client-ip") ?? "127.0.0.1", route, { params })
}
