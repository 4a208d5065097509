import { expect, test } from "vitest"
import { publicEndpoint } from "@/lib/platform/http/endpoint"

test("a stack trace says the name of the operation that failed", async () => {
  const { run } = publicEndpoint({
    route: "GET /v1/weather",
    operationId: "getWeather",
    tag: "Weather",
    summary: "Get weather",
    access: { credential: "none" },
    bucket: null,
    answers: [204],
    problems: [],
    async run() {
      await Promise.resolve()
      throw new Error("No weather.")
    },
  })
  const failed: Error = await run({} as never, {} as never, {} as never).then(
    () => Promise.reject(new Error("It did not fail.")),
    (error: Error) => error,
  )
  expect(failed.stack).toMatch(/^Error: No weather\.\n\s+at getWeather /)
})
