import { endpoints } from "@/lib/api/registry"
import { methodOf, pathOf, type Endpoint } from "@/lib/platform/http/endpoint"
import { type Json, schemaOf } from "@/lib/platform/http/json-schema"

/** Operations that answer questions. Of all that the API can read, what an agent is asked about: many tools confuse it. */
export const readTools = [
  ...["getProject", "getProjectSettings", "getProjectRegion", "listRequests"],
  ...["listEmails", "countEmails", "getProjectEmail", "getEmailExplanation", "getEmailTimeline", "listEmailDeliveries"],
  ...["listDomains", "getDomain", "diagnoseDomain", "listDomainChecks", "getDmarcSummary"],
  ...["listSuppressions", "listContacts", "getContact", "getContactActivity", "getContactTopics"],
  ...["listSegments", "getSegment", "listContactsInSegment", "listTopics", "listTemplates", "getTemplate"],
  ...["listBroadcasts", "getBroadcast"],
  ...["getMetricsAdvisor", "getMetricsBreakdown", "getProjectMetricsSummary", "getProjectMetricsTimeline"],
  ...["listWebhooks", "getWebhookHealth", "listWebhookDeliveries", "getWebhookDelivery"],
]

/** Operations with a body that change nothing. */
export const checkTools = ["checkRecipients", "validateLinks", "previewTemplate", "previewSegment"]

const sendTool = "sendEmail"

/** An operation as an agent sees it: its parameters and the fields of its body are the fields of one object. */
export type Tool = {
  endpoint: Endpoint
  name: string
  description: string
  inputSchema: Json & { type: "object" }
  isRead: boolean
}

/** The tools for a key with these permissions. Sends are in test mode unless the person who starts this allows more. */
export function toolsFor(permissions: readonly string[], { maySend }: { maySend: boolean }): Tool[] {
  return [...readTools, ...checkTools, sendTool].flatMap((operationId) => {
    const endpoint = endpoints.find((one) => one.operationId === operationId)
    if (!endpoint || !isAllowed(endpoint, permissions)) return []
    return [toolOf(endpoint, maySend)]
  })
}

function isAllowed({ access }: Endpoint, permissions: readonly string[]): boolean {
  return access.credential === "any" && access.anyOf.some((permission) => permissions.includes(permission))
}

function toolOf(endpoint: Endpoint, maySend: boolean): Tool {
  const { operationId: name, summary, description } = endpoint
  const isRead = name !== sendTool
  const testOnly = "Only test mode is allowed here: the email is checked, composed and signed, and not sent."
  const parts = [`${summary}.`, !isRead && !maySend && testOnly, description]
  return { endpoint, name, description: parts.filter(Boolean).join("\n\n"), inputSchema: inputOf(endpoint), isRead }
}

/** The path's parameters but for the project, which is the key's own, the query and the fields of the body. */
function inputOf(endpoint: Endpoint): Tool["inputSchema"] {
  const schemas: Json = {}
  const path = pathNames(endpoint).filter((name) => name !== "projectId")
  const query = Object.entries(endpoint.query ?? {}).filter(([name]) => name !== "projectId")
  const body = endpoint.body ? resolved(schemaOf(endpoint.body, schemas), schemas) : {}
  const properties = {
    ...Object.fromEntries(path.map((name) => [name, { type: "string" }])),
    ...Object.fromEntries(query.map(([name, schema]) => [name, schemaOf(schema, schemas)])),
    ...(body.properties as Json | undefined),
  }
  const ofQuery = query.filter(([, schema]) => !schema.safeParse(undefined).success).map(([name]) => name)
  const required = [...path, ...ofQuery, ...((body.required as string[] | undefined) ?? [])]
  const text = JSON.stringify({ type: "object", properties, required, additionalProperties: false, $defs: schemas })
  // Tools have no document around them: each brings along what its schema refers to.
  return JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")) as Tool["inputSchema"]
}

function resolved(schema: Json, schemas: Json): Json {
  const name = typeof schema.$ref === "string" ? (schema.$ref.split("/").at(-1) ?? "") : undefined
  return name === undefined ? schema : (schemas[name] as Json)
}

function pathNames(endpoint: Endpoint): string[] {
  return [...pathOf(endpoint).matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
}

export type ToolCall = { method: string; path: string; body: Json | undefined }

/** The request that calls a tool with these values; a field that is none of the path's or query's is the body's. */
export function toolRequest({ endpoint }: Tool, given: Json, projectId: string): ToolCall {
  const values: Json = { ...given, projectId }
  const inPath = pathNames(endpoint)
  const inQuery = Object.keys(endpoint.query ?? {})
  const path = pathOf(endpoint).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(values[name])))
  const query = new URLSearchParams(
    inQuery.flatMap((name) => (given[name] === undefined ? [] : [[name, textOf(given[name])]])),
  )
  const rest = Object.entries(given).filter(([name]) => !inPath.includes(name) && !inQuery.includes(name))
  return {
    method: methodOf(endpoint),
    path: query.size > 0 ? `${path}?${query.toString()}` : path,
    body: endpoint.body ? Object.fromEntries(rest) : undefined,
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value)
}
