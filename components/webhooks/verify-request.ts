import type { Tone } from "@/components/ui/pill"

export type Pasted = { headers: string; body: string; secret: string }
export type Verdict = { tone: Tone; title: string; detail: string }

const prefix = "whsec_"
const toleranceSeconds = 300
const names = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const

type Names = (typeof names)[number]

/** Whether a request is one of ours, and if not, which part of it differs. Computed here: nothing leaves the browser. */
export async function verifyRequest({ headers, body, secret }: Pasted, nowMs: number): Promise<Verdict> {
  const found = headersOf(headers)
  const missing = names.filter((name) => !found[name])
  if (missing.length) return bad(`${missing.join(" and ")} missing`, "Paste the headers as name: value, one per line.")
  const key = keyOf(secret)
  if (!key) return bad("The secret is incomplete", "It must be whsec_ followed by base64.")
  const given: Given = { id: found["webhook-id"] ?? "", timestamp: found["webhook-timestamp"] ?? "", body }
  const signatures = (found["webhook-signature"] ?? "").split(/\s+/).filter(Boolean)
  const position = signatures.indexOf(await signatureOf(key, given))
  if (position < 0) return explained(key, given, signatures)
  const age = Math.round(nowMs / 1000 - Number(given.timestamp))
  if (Math.abs(age) > toleranceSeconds)
    return {
      tone: "warn",
      title: "The signature is valid, but old",
      detail: `It was made ${span(age)}. Receivers refuse more than 5 minutes, so that a request cannot be replayed.`,
    }
  const which = position === 0 ? "" : "It matches the second signature: this is the old secret. "
  return { tone: "good", title: "Valid", detail: `${which}Id, timestamp and body are unchanged.` }
}

type Key = Uint8Array<ArrayBuffer>
type Given = { id: string; timestamp: string; body: string }

/** Tries what usually happens to a request on its way into a program. */
async function explained(key: Key, given: Given, signatures: string[]): Promise<Verdict> {
  const fits = async (change: Partial<Given>) => signatures.includes(await signatureOf(key, { ...given, ...change }))
  for (const body of rewrittenBodies(given.body))
    if (await fits({ body }))
      return bad(
        "The body was changed",
        "Its values are the same, its bytes are not. Verify the request before parsing JSON.",
      )
  const id = /"id":\s*"(evt_[0-9a-z]{26})"/.exec(given.body)?.[1]
  if (id && id !== given.id && (await fits({ id })))
    return bad("The webhook-id was changed", `The signature was made for ${id}.`)
  if (!signatures.some((one) => one.startsWith("v1,")))
    return bad("No signature of version 1", "webhook-signature holds parts such as v1,base64, separated by spaces.")
  return bad(
    "No signature matches",
    "The secret is a different one, or the body, id or timestamp was changed. Copy all of them from one request.",
  )
}

function rewrittenBodies(body: string): string[] {
  const trimmed = body.trim()
  const crlf = trimmed.replaceAll("\r\n", "\n")
  try {
    return [trimmed, crlf, `${trimmed}\n`, JSON.stringify(JSON.parse(trimmed))]
  } catch {
    return [trimmed, crlf, `${trimmed}\n`]
  }
}

/** From lines, or from the -H arguments of a curl command; a signature on a line of its own goes on with the one before. */
function headersOf(text: string): Partial<Record<Names, string>> {
  const found: Partial<Record<Names, string>> = {}
  let last: Names | undefined
  for (const raw of text.split("\n")) {
    const line = unquoted(raw)
    const colon = line.indexOf(":")
    const name = names.find((one) => one === line.slice(0, Math.max(0, colon)).trim().toLowerCase())
    if (name) found[(last = name)] = line.slice(colon + 1).trim()
    else if (last === "webhook-signature" && line.startsWith("v1")) found[last] += ` ${line}`
    else last = undefined
  }
  return found
}

function unquoted(raw: string): string {
  const line = raw.trim().replace(/^-H\s/, "").replace(/\\$/, "").trim()
  return /^(['"]).*\1$/.test(line) ? line.slice(1, -1) : line
}

function keyOf(secret: string): Key | null {
  const text = secret.trim()
  if (!text.startsWith(prefix) || text.length === prefix.length) return null
  try {
    return Uint8Array.from(atob(text.slice(prefix.length)), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

async function signatureOf(bytes: Key, { id, timestamp, body }: Given): Promise<string> {
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  const mac = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${id}.${timestamp}.${body}`))
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`
}

function bad(title: string, detail: string): Verdict {
  return { tone: "bad", title, detail }
}

function span(seconds: number): string {
  const size = Math.abs(seconds)
  const text = size < 7_200 ? `${Math.round(size / 60)} minutes` : `${Math.round(size / 3_600)} hours`
  return seconds < 0 ? `${text} ahead of this computer's clock` : `${text} ago`
}
