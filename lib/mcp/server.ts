import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { type Json, schemaOf } from "@/lib/platform/http/json-schema"
import { endpoints } from "@/lib/api/registry"
import { methodOf, pathOf, type Endpoint } from "@/lib/platform/http/endpoint"

export type OwnKey = { projectId: string; permissions: readonly string[] }

/** An answer of more characters costs an agent more than it tells. */
const answerCharsMax = 60_000
/** Of one text within an answer, such as the HTML of an email. */
const textCharsMax = 8_000

/** Mailroom for agents: a tool for each operation that they need and the key allows, by the Model Context Protocol. */
export function createMcpServer(call: Caller, key: OwnKey, { maySend }: { maySend: boolean }): Server {
  const tools = new Map(toolsFor(key.permissions, { maySend }).map((tool) => [tool.name, tool]))
  const server = new Server(
    { name: "mailroom", version: "1.0.0" },
    { capabilities: { tools: {} }, instructions: instructions(maySend) },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.values()].map(({ name, description, inputSchema, isRead, endpoint }) => ({
      ...{ name, description, inputSchema },
      annotations: { title: endpoint.summary, readOnlyHint: isRead, destructiveHint: false, openWorldHint: !isRead },
    })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.get(params.name)
    if (!tool) return failed(`There is no tool ${params.name}, or the key does not allow it.`)
    return useTool(tool, params.arguments ?? {}, { call, projectId: key.projectId, maySend })
  })
  return server
}

function instructions(maySend: boolean): string {
  const sending = maySend
    ? "sendEmail sends real email: ask before you send."
    : "sendEmail works in test mode only: the email is checked, composed and signed, and not sent."
  return `Mailroom sends transactional email. Ids begin with their kind, such as email_ and dom_. getEmailExplanation says why an email has its status and what to do; diagnoseDomain says what is wrong with DNS records. Lists take page and size. ${sending}`
}

type Use = { call: Caller; projectId: string; maySend: boolean }

async function useTool(tool: Tool, given: Json, { call, projectId, maySend }: Use): Promise<CallToolResult> {
  const isHeld = !tool.isRead && !maySend
  if (isHeld && given.testMode === false)
    return failed("Sending is not allowed here: leave testMode out, or start the server with --allow-sending.")
  const known = Object.keys(tool.inputSchema.properties as Json)
  const unknown = Object.keys(given).filter((name) => !known.includes(name))
  if (unknown.length > 0)
    return failed(`${tool.name} has no argument ${unknown.join(", ")}. Its arguments: ${known.join(", ") || "none"}.`)
  try {
    const { ok, status, value } = await call(
      toolRequest(tool, isHeld ? { ...given, testMode: true } : given, projectId),
    )
    if (!ok) return failed(JSON.stringify(value))
    // The response to a send does not say so by itself.
    return answered(isHeld ? { testMode: true, ...(value as Json) } : (value ?? { status }))
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  }
}

function answered(value: unknown): CallToolResult {
  const text = JSON.stringify(value, (_, item: unknown) => (typeof item === "string" ? shortened(item) : item))
  if (text.length > answerCharsMax)
    return failed(`The answer has ${text.length} characters. Ask for fewer items, with a smaller size.`)
  return { content: [{ type: "text", text }] }
}

function shortened(text: string): string {
  const rest = text.length - textCharsMax
  return rest > 0 ? `${text.slice(0, textCharsMax)} … (${rest} more characters)` : text
}

/** A tool error, which the agent reads: a problem document names the field by its pointer. */
function failed(text: string): CallToolResult {
  return { isError: true, content: [{ type: "text", text }] }
}

/** Operations that answer questions. Of all that the API can read, what an agent is asked about: many tools confuse it. */
const readTools = [
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
const checkTools = ["checkRecipients", "validateLinks", "previewTemplate", "previewSegment"]

const sendTool = "sendEmail"

/** An operation as an agent sees it: its parameters and the fields of its body are the fields of one object. */
type Tool = {
  endpoint: Endpoint
  name: string
  description: string
  inputSchema: Json & { type: "object" }
  isRead: boolean
}

/** The tools for a key with these permissions. Sends are in test mode unless the person who starts this allows more. */
function toolsFor(permissions: readonly string[], { maySend }: { maySend: boolean }): Tool[] {
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

type ToolCall = { method: string; path: string; body: Json | undefined }

/** The request that calls a tool with these values; a field that is none of the path's or query's is the body's. */
function toolRequest({ endpoint }: Tool, given: Json, projectId: string): ToolCall {
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

type Answered = { ok: boolean; status: number; value: unknown }

type Caller = (call: { method: string; path: string; body?: Json | undefined }) => Promise<Answered>

const timeoutMs = 30_000
/** Of an answer that is read at all. */
const answerBytesMax = 4 * 1024 * 1024

/** Calls the API of an installation with a key. @throws Error with a sentence if it cannot be reached */
export function createCaller(baseUrl: string, apiKey: string): Caller {
  return async ({ method, path, body }) => {
    let response: Response
    try {
      response = await fetch(new URL(path, baseUrl), {
        method,
        headers: {
          Authorization: `Bearer ${apiKey}`,
          Accept: "application/json",
          ...(body ? { "Content-Type": "application/json" } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch (error) {
      throw new Error(`Mailroom at ${baseUrl} does not answer.`, { cause: error })
    }
    if (Number(response.headers.get("content-length") ?? 0) > answerBytesMax)
      throw new Error("The answer is too long. Ask for fewer items.")
    const text = await response.text()
    return { ok: response.ok, status: response.status, value: valueOf(text, response.status, baseUrl) }
  }
}

function valueOf(text: string, status: number, baseUrl: string): unknown {
  try {
    return text === "" ? null : JSON.parse(text)
  } catch (error) {
    throw new Error(`What answers at ${baseUrl} with ${status} is not Mailroom, or a proxy that does not reach it.`, {
      cause: error,
    })
  }
}

/** What the key is for. @throws Error with a sentence where that cannot be found out, and whose fault it is */
export async function ownKey(call: Caller, baseUrl: string): Promise<OwnKey> {
  const { ok, status, value } = await call({ method: "GET", path: "/v1/key" })
  if (ok) return value as OwnKey
  const { detail = "" } = (value ?? {}) as { detail?: string }
  if (status === 401 || status === 403)
    throw new Error(`Mailroom at ${baseUrl} does not accept the key in MAILROOM_API_KEY: ${detail}`)
  throw new Error(`Mailroom at ${baseUrl} answers ${status}, whatever the key is: ${detail}`)
}
