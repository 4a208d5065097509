type Bodies = { text: string | null; html: string | null }

const words = "Unsubscribe, or choose which emails you get"

/**
 * The bodies with a line under them that leads to the recipient's page: not every mail program shows what the header
 * List-Unsubscribe offers. In markup it stands before the last `</body>`, or at the end where there is none.
 */
export function withFooter<Given extends Bodies>(bodies: Given, url: string): Given {
  const text =
    bodies.text === null ? null : `${bodies.text}${bodies.text.endsWith("\n") ? "" : "\n"}\n${words}:\n${url}\n`
  return { ...bodies, text, html: bodies.html === null ? null : withLink(bodies.html, url) }
}

function withLink(html: string, url: string): string {
  // The address is ours: base64url under our own origin, nothing that markup could read otherwise.
  const link = `<a href="${url}" style="color:inherit">${words}</a>`
  const footer = `<p style="margin:32px 0 0;color:#6b6b66;font:12px/1.5 sans-serif;text-align:center">${link}</p>`
  // Found in the markup itself: a copy in lower case may be longer (Turkish İ becomes two characters).
  const end = [...html.matchAll(/<\/body>/gi)].at(-1)?.index
  return end === undefined ? `${html}${footer}` : `${html.slice(0, end)}${footer}${html.slice(end)}`
}
