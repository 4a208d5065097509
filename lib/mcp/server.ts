import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import type { Caller } from "@/lib/mcp/mailroom-calls"
import { toolRequest, type Tool, toolsFor } from "@/lib/mcp/tools"
import type { Json } from "@/lib/platform/http/json-schema"

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
