import type { LinkedMail } from "@/lib/tracking/brand-store"
import { addressHtml, escaped, hostedPage } from "@/lib/tracking/hosted-page"

export type Links = { preferences: string; logo: string }

export function confirmationPage(mail: LinkedMail | null, links: Links): Response {
  const stop = '<form method="post"><button name="by" value="page">Unsubscribe</button></form>'
  if (!mail) return hostedPage({ title: "Unsubscribe", content: `<p>Stop these emails?</p>${stop}` })
  const which = mail.topic ? `<b>${escaped(mail.topic.name)}</b> emails` : "emails"
  const question = `<p>Stop ${which} from <b>${escaped(mail.sender)}</b> to <b>${addressHtml(mail.recipient)}</b>?</p>`
  const choose = `<p><a href="${links.preferences}">Choose which emails you get</a></p>`
  return hostedPage({
    title: "Unsubscribe",
    content: `${question}${stop}${choose}`,
    brand: mail.brand,
    logoUrl: links.logo,
  })
}

export function donePage(mail: LinkedMail | null, links: Links): Response {
  const kind = mail?.topic ? `<b>${escaped(mail.topic.name)}</b> emails` : "of these emails"
  const rest = `<p>You will get no more ${kind}. An email that is on its way may still arrive.</p>`
  const choose = mail ? `<p><a href="${links.preferences}">Choose which emails you get</a></p>` : ""
  return hostedPage({ title: "You are unsubscribed", content: rest + choose, brand: mail?.brand, logoUrl: links.logo })
}

export function invalidLinkPage(): Response {
  const content = "<p>It may have been cut off. Copy the whole link from the email, or write to whoever sent it.</p>"
  return hostedPage({ status: 404, title: "This link is not valid", content })
}

export function refusedPage(status: 413 | 415, reason: string): Response {
  return hostedPage({ status, title: "Request not accepted", content: `<p>${reason}</p>` })
}

export function unavailablePage(): Response {
  const content = "<p>Nothing has changed yet. Please try again in a moment.</p>"
  return hostedPage({ status: 503, title: "Try again in a moment", content, headers: { "Retry-After": "5" } })
}
