type Bodies = { text: string | null; html: string | null }

const words = "Unsubscribe, or choose which emails you get"

/**
 * Adds a link to the recipient's preference page at the end of both bodies, because not every mail program shows
 * List-Unsubscribe. In HTML it is inserted before the last `</body>`, or at the end if there is none.
 */
export function withFooter<Given extends Bodies>(bodies: Given, url: string): Given {
  const text =
    bodies.text === null ? null : `${bodies.text}${bodies.text.endsWith("\n") ? "" : "\n"}\n${words}:\n${url}\n`
  return { ...bodies, text, html: bodies.html === null ? null : withLink(bodies.html, url) }
}

function withLink(html: string, url: string): string {
  // No escaping needed: the URL is our own origin and base64url.
  const link = `<a href="${url}" style="color:inherit">${words}</a>`
  const footer = `<p style="margin:32px 0 0;color:#6b6b66;font:12px/1.5 sans-serif;text-align:center">${link}</p>`
  // Searched in the original, because a lower-case copy may be longer (Turkish İ becomes two characters).
  const end = [...html.matchAll(/<\/body>/gi)].at(-1)?.index
  return end === undefined ? `${html}${footer}` : `${html.slice(0, end)}${footer}${html.slice(end)}`
}
