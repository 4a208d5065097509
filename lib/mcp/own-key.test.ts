import { expect, test, vi } from "vitest"
import { createCaller, ownKey } from "@/lib/mcp/server"

const url = "https://mail.example.com"

async function told(status: number, body: string): Promise<string> {
  vi.stubGlobal("fetch", async () => new Response(body, { status }))
  try {
    return await ownKey(createCaller(url, "mr_live_x"), url).then(
      ({ projectId }) => projectId,
      (error: Error) => error.message,
    )
  } finally {
    vi.unstubAllGlobals()
  }
}

test("the key is blamed only where it is refused, and what is no answer of Mailroom is said to be none", async () => {
  expect(await told(200, '{"projectId":"proj_1","permissions":[]}')).toBe("proj_1")
  const problem = (detail: string) => JSON.stringify({ code: "x", detail })
  expect(await told(401, problem("The API key is unknown."))).toBe(
    `Mailroom at ${url} does not accept the key in MAILROOM_API_KEY: The API key is unknown.`,
  )
  for (const status of [429, 503]) {
    const words = await told(status, problem("Try again after 1 s."))
    expect(words).toBe(`Mailroom at ${url} answers ${status}, whatever the key is: Try again after 1 s.`)
  }
  expect(await told(502, "<html>Bad Gateway</html>")).toBe(
    `What answers at ${url} with 502 is not Mailroom, or a proxy that does not reach it.`,
  )
})
