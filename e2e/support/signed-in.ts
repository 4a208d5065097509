import type { BrowserContext } from "@playwright/test"
import pg from "pg"
import { readRecord } from "@/lib/platform/postgres/record"
import type { SampleOrganization } from "@/e2e/support/sample-organization"

/** Signs a browser in as the owner of the test project. */
export async function becomeOwner(context: BrowserContext, { baseUrl, cookie }: SampleOrganization) {
  await context.addCookies(
    cookie
      .split("; ")
      .map((pair) => ({ name: pair.split("=")[0] ?? "", value: pair.slice(pair.indexOf("=") + 1), url: baseUrl })),
  )
}

/** A connection to the database of the running product: for what would take days to happen by itself. */
export async function productDatabase(): Promise<pg.Client> {
  const record = readRecord(process.env.E2E_DATA_DIR ?? "")
  if (!record) throw new Error("The data folder has no record of the product's database.")
  const { port, password } = record
  const client = new pg.Client({ host: "127.0.0.1", port, user: "mailroom", password, database: "mailroom" })
  await client.connect()
  return client
}

/** Sends an email with the API key of the test project; returns its id. */
export async function sendEmail(
  { baseUrl, apiKey, ids }: SampleOrganization,
  mail: Record<string, unknown>,
): Promise<string> {
  const answer = await fetch(`${baseUrl}/v1/emails`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ to: ["ada@lovelace.example"], text: "Hello.", ...mail }),
  })
  const json = (await answer.json()) as { id: string }
  if (!answer.ok) throw new Error(`The email for ${ids.projectId} was refused: ${JSON.stringify(json)}`)
  return json.id
}
