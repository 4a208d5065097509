import { randomBytes } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import { admin } from "@/e2e/support/product"
import { linkTo } from "@/e2e/support/relay"

/** An organization of its own in the running product, with one of each thing that pages and operations show. */
export type SampleOrganization = {
  baseUrl: string
  email: string
  password: string
  projectId: string
  apiKey: string
  /** Cookie header of the signed-in owner. */
  cookie: string
  /** Values for the parameters of paths: `projectId`, `domainId`, … */
  ids: Record<string, string>
}

/**
 * Makes it by the operator's command and the API alone, as its owner would, in the product of the suite unless another one
 * is given. `name` is part of address and domain.
 */
export async function createSampleOrganization(
  name: string,
  { baseUrl = process.env.E2E_BASE_URL ?? "", dataDir = process.env.E2E_DATA_DIR ?? "" } = {},
): Promise<SampleOrganization> {
  const email = `${name}@example.com`
  const password = `pass-${randomBytes(15).toString("base64url")}`
  const made = await admin(
    dataDir,
    "bootstrap",
    "--email",
    email,
    "--password",
    password,
    "--organization",
    name,
    "--project",
    name,
    "--region",
    "eu-west-1",
  )
  const [projectId, apiKey, keyId] = [String(made.projectId), String(made.apiKey), String(made.keyId)]
  const ask = asker(baseUrl, apiKey)

  const domain = await ask("POST", `/v1/projects/${projectId}/domains`, { domain: `${name}.test`, region: "eu-west-1" })
  await until(
    async () => (await ask("POST", `/v1/projects/${projectId}/domains/${domain.id}/verify`)).status === "verified",
  )
  const mail = {
    from: `hello@${name}.test`,
    to: ["ada@lovelace.example"],
    subject: "Your receipt",
    text: "Thank you.",
    html: "<p>Thank you.</p>",
  }
  const sent = await ask("POST", "/v1/emails", mail)
  let message = ""
  await until(async () =>
    Boolean((message = (await ask("GET", `/v1/projects/${projectId}/sandbox/messages`)).data[0]?.id ?? "")),
  )
  await until(async () => (await ask("GET", `/v1/emails/${sent.id}`)).status === "delivered")

  const contact = await ask("POST", `/v1/projects/${projectId}/contacts`, {
    email: "ada@lovelace.example",
    firstName: "Ada",
  })
  const topic = await ask("POST", `/v1/projects/${projectId}/topics`, {
    name: "News",
    defaultSubscription: "opt_in",
    visibility: "public",
  })
  const segment = await ask("POST", `/v1/projects/${projectId}/segments`, {
    name: "Named Ada",
    filter: { all: [{ field: "firstName", operator: "equals", value: "Ada" }] },
  })

  const broadcast = await ask("POST", `/v1/projects/${projectId}/broadcasts`, {
    ...mail,
    to: [segment.id],
    draft: true,
  })

  const template = await ask("POST", `/v1/projects/${projectId}/templates`, {
    name: "welcome",
    subject: "Welcome, {{contact.firstName | there}}",
    html: "<h1>Welcome</h1><p>Your plan: {{plan}}.</p>",
    variables: [{ name: "plan", fallback: "free" }],
  })

  // Its URL is never called: nothing here complains.
  const webhook = await ask("POST", `/v1/projects/${projectId}/webhooks`, {
    name: "Complaints",
    url: "https://8.8.8.8/hooks",
    events: ["email.complained"],
  })

  const route = await ask("POST", `/v1/projects/${projectId}/inbound-routes`, {})

  const cookie = await signIn(baseUrl, "password", { email, password })
  const ids = {
    projectId,
    domainId: domain.id,
    emailId: sent.id,
    keyId,
    messageId: message,
    contactId: contact.id,
    topicId: topic.id,
    segmentId: segment.id,
    broadcastId: broadcast.id,
    templateId: template.id,
    routeId: route.id,
    webhookId: webhook.id,
    endpointId: webhook.id,
    code: "request.invalid",
    guide: "quickstart",
    tag: "emails",
  }
  return { baseUrl, email, password, projectId, apiKey, cookie, ids }
}

/** An import of one contact; its id. */
export async function addImport({ baseUrl, apiKey, projectId }: SampleOrganization): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "text/csv" }
  const body = "email,firstName\ngrace@hopper.example,Grace\n"
  const answer = await fetch(`${baseUrl}/v1/projects/${projectId}/contacts/import`, { method: "POST", headers, body })
  if (!answer.ok) throw new Error(`The import was refused: ${await answer.text()}`)
  return ((await answer.json()) as { id: string }).id
}

/** Invites an address as the owner; the link in the email that arrived there. */
export async function inviteSomebody(
  { baseUrl, cookie, projectId }: Pick<SampleOrganization, "baseUrl" | "cookie" | "projectId">,
  email: string,
): Promise<URL> {
  const headers = { cookie, "sec-fetch-site": "same-origin", "content-type": "application/json" }
  const body = JSON.stringify({ email, role: "developer" })
  const answer = await fetch(`${baseUrl}/v1/projects/${projectId}/invites`, { method: "POST", headers, body })
  if (!answer.ok) throw new Error(`The invite was refused: ${await answer.text()}`)
  return linkTo(email, /You are invited to/)
}

/** Signs in as the sign-in page does. The result is a Cookie header. */
export async function signIn(
  baseUrl: string,
  by: "password" | "link",
  fields: Record<string, string>,
): Promise<string> {
  const first = await fetch(`${baseUrl}/api/auth/csrf`)
  const { csrfToken } = (await first.json()) as { csrfToken: string }
  const answer = await fetch(`${baseUrl}/api/auth/callback/${by}`, {
    method: "POST",
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", cookie: cookiesOf(first) },
    body: JSON.stringify({ ...fields, csrfToken }),
  })
  if (!answer.ok) throw new Error(`Signing in was refused: ${await answer.text()}`)
  return cookiesOf(answer)
}

/** The cookies that an answer sets, as a Cookie header. */
export function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ")
}

// What an answer holds is for the caller to know.
type Json = any // eslint-disable-line @typescript-eslint/no-explicit-any

function asker(baseUrl: string, apiKey: string) {
  return async (method: string, path: string, body?: unknown): Promise<Json> => {
    const headers = { authorization: `Bearer ${apiKey}`, ...(body ? { "content-type": "application/json" } : {}) }
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
}

async function until(done: () => Promise<boolean>) {
  const deadline = Date.now() + 30_000
  while (!(await done())) {
    if (Date.now() > deadline) throw new Error("The product did not get there within 30 s.")
    await wait(500)
  }
}
