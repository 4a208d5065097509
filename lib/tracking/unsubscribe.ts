import { readUnsubscribeToken } from "@/lib/delivery/unsubscribe-token"
import { hmac } from "@/lib/platform/crypto"
import { log } from "@/lib/platform/log"
import {
  confirmationPage,
  donePage,
  invalidLinkPage,
  refusedPage,
  unavailablePage,
} from "@/lib/tracking/unsubscribe-page"
import * as tracking from "@/lib/tracking/store"

const tokenChars = 44
const bodyBytesMax = 64 * 1024
const formTypes = ["application/x-www-form-urlencoded", "multipart/form-data"]

/** The page behind the link of a mail. Reads only. 404 for a token that we did not make. */
export async function showUnsubscribe(token: string): Promise<Response> {
  const deliveryId = deliveryOf(token)
  if (!deliveryId) return invalidLinkPage()
  return answering(async () => confirmationPage(await tracking.findMail(deliveryId)))
}

/**
 * Unsubscribes the recipient of the mail that carried the token (RFC 8058): without a session, from any origin, with a
 * form or no body at all. Answers 200 without a redirect, as often as it is asked; a token whose mail is gone gets the
 * same answer, one that we did not make 404.
 */
export async function unsubscribe(request: Request, token: string): Promise<Response> {
  const deliveryId = deliveryOf(token)
  if (!deliveryId) return invalidLinkPage()
  const [type = ""] = (request.headers.get("content-type") ?? "").toLowerCase().split(";", 1)
  const body = await readBody(request)
  if (body === null) return refusedPage(413, "The request is too large.")
  if (body.length && !formTypes.includes(type.trim())) return refusedPage(415, "The request is no form.")
  const method = new URLSearchParams(body.toString("latin1")).get("by") === "page" ? "page" : "one-click"
  return answering(async () => {
    await tracking.unsubscribe(deliveryId, method)
    return donePage()
  })
}

function deliveryOf(token: string): string | null {
  return token.length === tokenChars ? readUnsubscribeToken(token, hmac) : null
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

async function answering(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer()
  } catch (error) {
    log.error({ err: error }, "an unsubscribe could not be answered")
    return unavailablePage()
  }
}
