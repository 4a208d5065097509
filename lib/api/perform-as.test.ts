import { expect, test } from "vitest"
import { performAs } from "@/lib/api/perform-as"
import { endpoints } from "@/lib/api/registry"

test("a page performs reads alone: every GET, and the one read by POST", async () => {
  const performed: string[] = []
  for (const { route } of endpoints) {
    const refusal = String(await performAs("", "127.0.0.1", route).catch((error: unknown) => error))
    // What is no read is refused before anybody is looked for.
    if (/needs a session/.test(refusal)) performed.push(route)
    else expect(refusal).toMatch(/is not a read of the API/)
  }
  const reads = endpoints.map(({ route }) => route).filter((route) => route.startsWith("GET "))
  expect(performed.sort()).toEqual([...reads, "POST /v1/projects/{projectId}/webhooks/preview"].sort())
})
