import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { createCaller, createMcpServer, type OwnKey } from "@/lib/mcp/server"
import { log } from "@/lib/platform/log"
import { printAndExit } from "@/lib/server/processes/print"

// The protocol is on stdout: nothing else may be written there.
log.level = "silent"

try {
  const { MAILROOM_URL: url = "http://localhost:3000", MAILROOM_API_KEY: apiKey } = process.env
  if (!apiKey) throw new Error("Set MAILROOM_API_KEY to an API key of the project, and MAILROOM_URL to the address.")
  const call = createCaller(url, apiKey)
  const { ok, value } = await call({ method: "GET", path: "/v1/key" })
  if (!ok) throw new Error(`Mailroom at ${url} does not accept the key in MAILROOM_API_KEY.`)
  const server = createMcpServer(call, value as OwnKey, { maySend: process.argv.includes("--allow-sending") })
  await server.connect(new StdioServerTransport())
} catch (error) {
  printAndExit(error)
}
