import { announceWork } from "@/lib/platform/jobs/announce-sql"
import { findMail } from "@/lib/tracking/brand-store"
import { readForm } from "@/lib/tracking/form"
import { answering, deliveryOf, linksOf } from "@/lib/tracking/link"
import * as tracking from "@/lib/tracking/store"
import { confirmationPage, donePage, invalidLinkPage, refusedPage } from "@/lib/tracking/unsubscribe-page"

/** The page behind the link of a mail. Reads only. 404 for a token that we did not issue. */
export async function showUnsubscribe(token: string): Promise<Response> {
  const deliveryId = deliveryOf(token)
  if (!deliveryId) return invalidLinkPage()
  return answering(async () => confirmationPage(await findMail(deliveryId), linksOf(token)))
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
    await tracking.unsubscribe(deliveryId, method)
    announceWork()
    return donePage(await findMail(deliveryId), linksOf(token))
  })
}
