import { api } from "@/e2e/support/world"
import { closeDatabase } from "@/lib/platform/database/db"

// One process of several that use the same key: so many test sends at once, and what each was answered.
const { BUCKET_KEY: key, BUCKET_FROM: from, BUCKET_REQUESTS: requests } = process.env
const body = { from, to: ["ada@lovelace.example"], subject: "Hello", text: "Hi", testMode: true }
const answers = await Promise.all(Array.from({ length: Number(requests) }, () => api("POST /v1/emails", { key, body })))
const waits = answers.filter(({ status }) => status === 429).map(({ headers }) => Number(headers.get("retry-after")))
process.stdout.write(
  JSON.stringify({ passed: answers.filter(({ json }) => json.code !== "rate_limit.exceeded").length, waits }),
)
await closeDatabase()
