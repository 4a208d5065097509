import { bodyEndOf } from "@/lib/delivery/message/tracked-html"

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
