import { cookies, headers } from "next/headers"
import { liveSession, sessionIdOf } from "@/lib/access/credentials/session"
import type { SessionWire } from "@/lib/access/credentials/schema"
import { performAs } from "@/lib/api/perform-as"
import type { Api } from "@/lib/api/registry"
import { submissionSettings } from "@/lib/delivery/smtp/submission-settings"
import type { Reader } from "@/lib/docs/reader-rules"
import { languageCookie, projectCookie } from "@/components/docs/choices"
import { env } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { sandboxZones } from "@/lib/regions/io"
import { regionSettings } from "@/lib/regions/settings"

type Domains = Api["GET /v1/projects/{projectId}/domains"]["answer"]
type Keys = Api["GET /v1/projects/{projectId}/api-keys"]["answer"]

/** Projects that a page offers at most. */
const projectsMax = 100

/** Somebody who is not signed in, or a program. */
export function strangerReader(): Reader {
  const { baseUrl, serviceDomain } = env()
  const { port, tlsPort } = submissionSettings()
  return {
    baseUrl,
    submission: { port, tlsPort },
    inboundPort: regionSettings().inbound.port,
    serviceDomain,
    testDomains: sandboxZones({ ...env(), ...regionSettings() }).includes("test"),
    relays: relays(Object.values(regionSettings().profiles)),
  }
}

function relays(profiles: readonly { transport: string }[]): boolean {
  return profiles.some(({ transport }) => transport !== "sandbox")
}

/** Whom a page is written for, and the projects that they can choose. */
type ReaderAndProjects = { reader: Reader; projects: readonly { id: string; name: string }[] }

/**
 * For whom a page is written: strangers read it too, and without a database it is read as by a stranger. `asked` is a project
 * in the page's address; else it is the one that was chosen last.
 */
export async function readReader(asked?: string): Promise<ReaderAndProjects> {
  const stranger = strangerReader()
  try {
    const session = await signedInSession()
    const all = session?.organizations.flatMap((organization) => organization.projects) ?? []
    const wanted = asked ?? (await cookies()).get(projectCookie)?.value
    const project = all.find(({ id }) => id === wanted) ?? all[0]
    if (!project) return { reader: stranger, projects: [] }
    const [domain, keys] = await Promise.all([verifiedDomain(project.id), workingKeys(project.id)])
    const profiles = Object.values(regionSettings().profiles)
    return {
      reader: {
        ...stranger,
        project,
        relays: relays(profiles.filter((one) => one.region === project.region)),
        keys,
        ...(domain ? { domain } : {}),
      },
      projects: all.slice(0, projectsMax).map(({ id, name }) => ({ id, name })),
    }
  } catch (error) {
    log.warn({ err: error }, "a page of the docs could not be written for its reader")
    return { reader: stranger, projects: [] }
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

/** Keys that work now. */
async function workingKeys(projectId: string): Promise<Reader["keys"]> {
  const { data } = (await perform("GET /v1/projects/{projectId}/api-keys", { projectId })) as Keys
  return data
    .filter(({ enabled }) => enabled)
    .map(({ name, start = "", permissions = {} }) => ({
      name: name ?? start,
      permissions: Object.entries(permissions).flatMap(([resource, actions]) =>
        actions.map((action) => `${resource}:${action}`),
      ),
    }))
}

async function perform(route: string, params: Record<string, string> = {}): Promise<unknown> {
  const cookie = (await cookies()).toString()
  return performAs(cookie, (await headers()).get("x-client-ip") ?? "127.0.0.1", route, { params })
}

/** The language of samples that this browser chose last. */
export async function chosenLanguage(): Promise<string | undefined> {
  return (await cookies()).get(languageCookie)?.value
}
