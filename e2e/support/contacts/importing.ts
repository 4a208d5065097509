import { api, type World } from "@/e2e/support/world"
import { runImport } from "@/lib/contacts/imports/run/worker"
import { claimImports } from "@/lib/contacts/imports/run/data"
import { pool } from "@/lib/platform/database/db"

export const contacts = "/v1/projects/{projectId}/contacts"
export const imports = "/v1/projects/{projectId}/contact-imports"
export const leaseMs = 60_000

export type Importing = ReturnType<typeof createImporting>

/** What tests of imports do with a project. */
export function createImporting(world: World) {
  const at = () => ({ key: world.apiKey, params: { projectId: world.project } })
  const post = (path: string, body: unknown) =>
    api(`POST ${path}` as "POST /v1/projects/{projectId}/contacts", { ...at(), body })
  const contact = async (email: string) => (await api(`GET ${contacts}`, { ...at(), query: { email } })).json.data[0]
  const of = (importId: string) => ({ key: world.apiKey, params: { projectId: world.project, importId } })
  const imported = async (importId: string) => (await api(`GET ${imports}/{importId}`, of(importId))).json

  function upload(csv: BodyInit, query: Record<string, string> = {}, headers = { "content-type": "text/csv" }) {
    return api(`POST ${contacts}/import`, { ...at(), rawBody: csv, query, headers })
  }

  /** Uploads, lets the worker read it, and answers what became of it. */
  async function bring(csv: BodyInit, query: Record<string, string> = {}) {
    const { status, json } = await upload(csv, query)
    if (status !== 202) throw new Error(JSON.stringify(json))
    await work()
    return imported(json.id)
  }

  /** The refused rows, as line and reasons. */
  async function refusals(importId: string): Promise<[line: number, details: string[]][]> {
    const { json } = await api(`GET ${imports}/{importId}/errors`, of(importId))
    return json.data.map(({ line, faults }: { line: number; faults: { detail: string }[] }) => [
      line,
      faults.map(({ detail }) => detail),
    ])
  }

  return { at, post, contact, of, imported, upload, bring, refusals }
}

/** Lets a worker take up every import that waits, whenever it is due. */
export async function work(signal = new AbortController().signal) {
  await pool().query("UPDATE imports SET due_at = now() - interval '1 second' WHERE due_at IS NOT NULL")
  for (const held of await claimImports(10, leaseMs)) await runImport(held, signal)
}
