import { timingSafeEqual } from "node:crypto"
import { bodyEndOf } from "@/lib/delivery/message/tracked-html"
import { deliveryOfVerp, type Hmac, verpFor } from "@/lib/delivery/message/proven-ids"

/** Version of the layout and key purpose: a new layout gets a new number, and links in old mails keep working. */
const version = 1
const idBytes = 16
const tagBytes = 16

/** The token in a mail's unsubscribe link: version, delivery and keyed hash, 44 characters of base64url. */
export function unsubscribeToken(deliveryId: string, hmac: Hmac): string {
  const id = Buffer.from(deliveryId.replaceAll("-", ""), "hex")
  if (id.length !== idBytes) throw new TypeError("A delivery id is a UUID.")
  const head = Buffer.concat([Buffer.of(version), id])
  return Buffer.concat([head, tagOf(head, hmac)]).toString("base64url")
}

/** The delivery whose mail carried the token; null if we did not make it. */
export function readUnsubscribeToken(token: string, hmac: Hmac): string | null {
  const bytes = Buffer.from(token, "base64url")
  if (bytes.length !== 1 + idBytes + tagBytes || bytes.toString("base64url") !== token) return null
  const head = bytes.subarray(0, 1 + idBytes)
  if (head[0] !== version || !timingSafeEqual(bytes.subarray(1 + idBytes), tagOf(head, hmac))) return null
  const hex = head.subarray(1).toString("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}

function tagOf(head: Buffer, hmac: Hmac): Buffer {
  return hmac("unsubscribe", head.toString("hex")).subarray(0, tagBytes)
}

const prefix = "u-"
const purpose = "unsubscribe-address-1"

/**
 * The local part of the address that a mail's List-Unsubscribe names beside its link (RFC 2369): made like a return path,
 * so that upper and lower case are the same, and with a different HMAC key.
 */
export function unsubscribeAddress(deliveryId: string, hmac: Hmac): string {
  return prefix + verpFor(deliveryId, forLeaving(hmac))
}

/** The delivery whose mail named the address; null if we did not make it. */
export function deliveryOfUnsubscribeAddress(localPart: string, hmac: Hmac): string | null {
  if (!localPart.toLowerCase().startsWith(prefix)) return null
  return deliveryOfVerp(localPart.slice(prefix.length), forLeaving(hmac))
}

function forLeaving(hmac: Hmac): Hmac {
  return (_, text) => hmac(purpose, text)
}

type Bodies = { text: string | null; html: string | null }

const words = "Unsubscribe, or choose which emails you get"

/**
 * Adds a link to the recipient's preference page at the end of both bodies, because not every mail program shows
 * List-Unsubscribe. In HTML it is inserted before the end of the body, or at `bodyEnd` where that is known.
 */
export function withFooter<Given extends Bodies>(bodies: Given, url: string, bodyEnd?: number): Given {
  const text =
    bodies.text === null ? null : `${bodies.text}${bodies.text.endsWith("\n") ? "" : "\n"}\n${words}:\n${url}\n`
  return { ...bodies, text, html: bodies.html === null ? null : withLink(bodies.html, url, bodyEnd) }
}

function withLink(html: string, url: string, end = bodyEndOf(html)): string {
  // No escaping needed: the URL is our own origin and base64url.
  const link = `<a href="${url}" style="color:inherit">${words}</a>`
  const footer = `<p style="margin:32px 0 0;color:#6b6b66;font:12px/1.5 sans-serif;text-align:center">${link}</p>`
  return `${html.slice(0, end)}${footer}${html.slice(end)}`
}
