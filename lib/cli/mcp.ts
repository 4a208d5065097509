import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { createCaller, createMcpServer, ownKey } from "@/lib/mcp/server"
import { log } from "@/lib/platform/log"
import { printAndExit } from "@/lib/server/processes/print"

// The protocol is on stdout: nothing else may be written there.
log.level = "silent"

try {
  const { MAILROOM_URL: url = "http://localhost:3000", MAILROOM_API_KEY: apiKey } = process.env
  if (!apiKey) throw new Error("Set MAILROOM_API_KEY to an API key of the project, and MAILROOM_URL to the address.")
  const call = createCaller(url, apiKey)
  const server = createMcpServer(call, await ownKey(call, url), { maySend: process.argv.includes("--allow-sending") })
  await server.connect(new StdioServerTransport())
} catch (error) {
  printAndExit(error)
}
