import { readUnsubscribeToken } from "@/lib/delivery/message/unsubscribe"
import { hmac } from "@/lib/platform/crypto"
import { decodeId } from "@/lib/platform/ids"
import { announceWork } from "@/lib/platform/jobs/notifications"
import { readAtMost } from "@/lib/platform/http/request-body"
import { log } from "@/lib/platform/log"
import * as tracking from "@/lib/tracking/data"
import {
  findCellOf,
  findLogo,
  findMail,
  type LinkedMail,
  readPreferences,
  resubscribe,
  savePreferences,
} from "@/lib/tracking/data"
import {
  confirmationPage,
  donePage,
  forgottenPage,
  invalidLinkPage,
  type Links,
  preferencesPage,
  refusedPage,
  unavailablePage,
} from "@/lib/tracking/pages"

/** The page behind the link of a mail. Reads only. 404 for a token that we did not issue. */
export async function showUnsubscribe(token: string): Promise<Response> {
  const deliveryId = deliveryOf(token)
  if (!deliveryId) return invalidLinkPage()
  return answering(async () => {
    const cell = await findCellOf(deliveryId)
    if (cell !== null) return leadTo(`${cell}/u/${token}`)
    return confirmationPage(await findMail(deliveryId), linksOf(token))
  })
}

/**
 * Unsubscribes the recipient of the mail that carried the token (RFC 8058): from its topic, where it has one, else from
 * all. Without a session, from any origin, with a form or no body at all. Answers 200 without a redirect, as often as it
 * is called; a token whose mail is deleted gets the same status, one that we did not issue 404.
 */
export async function unsubscribe(request: Request, token: string): Promise<Response> {
  const deliveryId = deliveryOf(token)
  if (!deliveryId) return invalidLinkPage()
  const form = await readForm(request)
  if (!form.ok) return refusedPage(form.status, form.reason)
  const method = form.fields.get("by") === "page" ? "page" : "one-click"
  return answering(async () => {
    const cell = await findCellOf(deliveryId)
    if (cell !== null) return await handOn(`${cell}/u/${token}`, form.fields)
    await tracking.recordUnsubscribe(deliveryId, method)
    announceWork()
    return donePage(await findMail(deliveryId), linksOf(token))
  })
}

/** What the recipient of a mail gets from its project, to choose from. Reads only. */
export async function showPreferences(token: string): Promise<Response> {
  const deliveryId = deliveryOf(token)
  if (!deliveryId) return invalidLinkPage()
  return answering(async () => {
    const cell = await findCellOf(deliveryId)
    if (cell !== null) return leadTo(cell + linksOf(token).preferences)
    const mail = await findMail(deliveryId)
    return mail ? shown(mail, token, false) : forgottenPage()
  })
}

/** Keeps the recipient's choice: among the topics, to leave all, or to come back. */
export async function acceptPreferenceForm(request: Request, token: string): Promise<Response> {
  const deliveryId = deliveryOf(token)
  if (!deliveryId) return invalidLinkPage()
  const form = await readForm(request)
  if (!form.ok) return refusedPage(form.status, form.reason)
  return answering(async () => {
    const cell = await findCellOf(deliveryId)
    if (cell !== null) return await handOn(cell + linksOf(token).preferences, form.fields)
    const mail = await findMail(deliveryId)
    if (!mail) return forgottenPage()
    const action = form.fields.get("action")
    if (action === "leave") await tracking.recordUnsubscribe(deliveryId, "page", { fromAll: true })
    if (action === "return") await resubscribe(mail, request.headers.get("x-client-ip") ?? "")
    const chosen = { shown: ids(form.fields, "shown"), wanted: ids(form.fields, "topic") }
    if (action === "save") await savePreferences(deliveryId, mail, chosen)
    announceWork()
    return shown(mail, token, true)
  })
}

/** The logo on the pages of a mail's link, from our own origin, as a picture and nothing else. */
export async function showLogo(token: string): Promise<Response> {
  const deliveryId = deliveryOf(token)
  const logo = deliveryId && (await findLogo(deliveryId))
  if (!logo) return new Response(null, { status: 404 })
  return new Response(logo.bytes, {
    headers: {
      "Content-Type": logo.type,
      "Cache-Control": "private, max-age=3600",
      "Content-Security-Policy": "sandbox; default-src 'none'",
      "X-Content-Type-Options": "nosniff",
      "X-Robots-Tag": "noindex",
    },
  })
}

/** Where the organization is served now: pages of the cell that it has left would change nothing. */
function leadTo(location: string): Response {
  return new Response(null, { status: 302, headers: { Location: location, "Cache-Control": "no-store" } })
}

const handOnMs = 10_000
const handedOnBytesMax = 1024 * 1024

/** What mailbox providers post follows no redirects (RFC 8058), so it is asked of the other cell from here. */
async function handOn(url: string, fields: URLSearchParams): Promise<Response> {
  const signal = AbortSignal.timeout(handOnMs)
  const answer = await fetch(url, { method: "POST", body: fields, redirect: "error", signal })
  const page = await readAtMost(answer.body, handedOnBytesMax, signal)
  if (!answer.ok || page === null) throw new Error(`The other cell answered ${answer.status}.`)
  return new Response(page, { status: answer.status, headers: pageHeadersOf(answer.headers) })
}

function pageHeadersOf(headers: Headers): Headers {
  const kept = ["content-type", "content-security-policy", "cache-control", "referrer-policy", "x-robots-tag"]
  return new Headers(kept.flatMap((name) => (headers.get(name) === null ? [] : [[name, headers.get(name) ?? ""]])))
}

async function shown(mail: LinkedMail, token: string, saved: boolean): Promise<Response> {
  return preferencesPage({ mail, ...(await readPreferences(mail)), saved, logoUrl: linksOf(token).logo })
}

function ids(fields: URLSearchParams, name: string): Set<string> {
  return new Set(fields.getAll(name).flatMap((text) => decodeId("top", text) ?? []))
}

const tokenChars = 44

/** The delivery whose mail carried the link; null for a token that we did not issue. */
function deliveryOf(token: string): string | null {
  return token.length === tokenChars ? readUnsubscribeToken(token, hmac) : null
}

function linksOf(token: string): Links {
  return { preferences: `/u/${token}/preferences`, logo: `/u/${token}/logo` }
}

/** The response, or a page that asks to try again. */
async function answering(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer()
  } catch (error) {
    log.error({ err: error }, "a page for recipients could not be answered")
    return unavailablePage()
  }
}

const bodyBytesMax = 64 * 1024

/** A received form, or why the request is not one. */
export type ReceivedForm = { ok: true; fields: URLSearchParams } | { ok: false; status: 413 | 415; reason: string }

/** Reads a form of at most 64 KiB, from any origin; no body at all is an empty form. Of multipart bodies no field is read. */
async function readForm(request: Request): Promise<ReceivedForm> {
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
