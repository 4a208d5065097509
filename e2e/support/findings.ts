import { randomBytes } from "node:crypto"
import { admin } from "@/e2e/support/product"

/**
 * The cases that once failed on the running product, as a script: `E2E_BASE_URL=… E2E_DATA_DIR=… npx playwright test e2e/findings`
 * runs them against a product that runs already, `npm test` against its own. Each file is one part of the product; a
 * case uses the public API alone and takes a second or two.
 */
export type Tenant = {
  organizationId: string
  projectId: string
  apiKey: string
  /** A request of this project's key; a body that is no string or form is sent as JSON. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

// What an answer holds is checked by the test that reads it.
export type Answer = { status: number; headers: Headers; text: string; json: any } // eslint-disable-line @typescript-eslint/no-explicit-any

export const baseUrl = () => process.env.E2E_BASE_URL ?? "http://localhost:3000"

/** An organization of its own with one project and a key that may do everything. */
export async function newTenant(region = "eu-west-1"): Promise<Tenant> {
  const tag = randomBytes(6).toString("hex")
  const made = await admin(
    process.env.E2E_DATA_DIR ?? ".data",
    "bootstrap",
    ...["--email", `findings-${tag}@example.com`, "--password", randomBytes(12).toString("hex")],
    ...["--organization", `Findings ${tag}`, "--project", `findings-${tag}`, "--region", region],
  )
  const { organizationId, projectId, apiKey } = made as Record<"organizationId" | "projectId" | "apiKey", string>
  return {
    organizationId,
    projectId,
    apiKey,
    call: (method, path, body, headers) =>
      request(method, path, body, { Authorization: `Bearer ${apiKey}`, ...headers }),
  }
}

/** One request, answered within a minute. */
export async function request(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const isRaw = body === undefined || typeof body === "string" || body instanceof FormData || body instanceof Uint8Array
  const response = await fetch(`${baseUrl()}${path}`, {
    method,
    headers: { ...(isRaw ? {} : { "Content-Type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
    redirect: "manual",
  })
  const text = await response.text()
  const json: unknown = response.headers.get("content-type")?.includes("json") && text ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, text, json }
}
