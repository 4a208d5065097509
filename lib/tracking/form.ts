const bodyBytesMax = 64 * 1024

/** A received form, or why the request is not one. */
export type Received = { ok: true; fields: URLSearchParams } | { ok: false; status: 413 | 415; reason: string }

/** Reads a form of at most 64 KiB, from any origin; no body at all is an empty form. Of multipart bodies no field is read. */
export async function readForm(request: Request): Promise<Received> {
  const [type = ""] = (request.headers.get("content-type") ?? "").toLowerCase().split(";", 1)
  const body = await readBody(request)
  if (body === null) return { ok: false, status: 413, reason: "The request is too large." }
  const plain = type.trim() === "application/x-www-form-urlencoded"
  if (body.length && !plain && type.trim() !== "multipart/form-data")
    return { ok: false, status: 415, reason: "The request is not a form." }
  return { ok: true, fields: new URLSearchParams(plain ? body.toString("latin1") : "") }
}

/** Null if there is more than 64 KiB of it. */
async function readBody(request: Request): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength
    if (length > bodyBytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
