import { decodeId } from "@/lib/platform/ids"
import { announceWork } from "@/lib/platform/jobs/announce-sql"
import { findLogo, findMail, type LinkedMail } from "@/lib/tracking/brand-store"
import { readForm } from "@/lib/tracking/form"
import { answering, deliveryOf, linksOf } from "@/lib/tracking/link"
import { forgottenPage, preferencesPage } from "@/lib/tracking/preferences-page"
import { readPreferences, savePreferences, resubscribe } from "@/lib/tracking/preferences-store"
import * as tracking from "@/lib/tracking/store"
import { invalidLinkPage, refusedPage } from "@/lib/tracking/unsubscribe-page"

/** What the recipient of a mail gets from its project, to choose from. Reads only. */
export async function showPreferences(token: string): Promise<Response> {
  const deliveryId = deliveryOf(token)
  if (!deliveryId) return invalidLinkPage()
  return answering(async () => {
    const mail = await findMail(deliveryId)
    return mail ? shown(mail, token, false) : forgottenPage()
  })
}

/** Keeps the recipient's choice: among the topics, to leave all, or to come back. */
export async function changePreferences(request: Request, token: string): Promise<Response> {
  const deliveryId = deliveryOf(token)
  if (!deliveryId) return invalidLinkPage()
  const form = await readForm(request)
  if (!form.ok) return refusedPage(form.status, form.reason)
  return answering(async () => {
    const mail = await findMail(deliveryId)
    if (!mail) return forgottenPage()
    const action = form.fields.get("action")
    if (action === "leave") await tracking.unsubscribe(deliveryId, "page", { fromAll: true })
    if (action === "return") await resubscribe(mail, request.headers.get("x-client-ip") ?? "")
    if (action === "save") await savePreferences(mail, ids(form.fields, "shown"), ids(form.fields, "topic"))
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

async function shown(mail: LinkedMail, token: string, saved: boolean): Promise<Response> {
  return preferencesPage({ mail, ...(await readPreferences(mail)), saved, logoUrl: linksOf(token).logo })
}

function ids(fields: URLSearchParams, name: string): Set<string> {
  return new Set(fields.getAll(name).flatMap((text) => decodeId("top", text) ?? []))
}
