import { createHash } from "node:crypto"

/** Whose mails to whom, as far as it is still known. */
export type MailInQuestion = { sender: string; recipient: string }

export function confirmationPage(mail: MailInQuestion | null): Response {
  const question = mail
    ? `Stop emails from <b>${escaped(mail.sender)}</b> to <b>${escaped(mail.recipient)}</b>?`
    : "Stop these emails?"
  return page(
    200,
    "Unsubscribe",
    `<p>${question}</p><form method="post"><button name="by" value="page">Unsubscribe</button></form>`,
  )
}

export function donePage(): Response {
  return page(
    200,
    "You are unsubscribed",
    "<p>You will get no more of these emails. An email that is on its way may still arrive.</p>",
  )
}

export function invalidLinkPage(): Response {
  const help = "<p>It may be incomplete. Open it again from the email, or answer the email and ask its sender.</p>"
  return page(404, "This link does not work", help)
}

export function refusedPage(status: 413 | 415, reason: string): Response {
  return page(status, "Not understood", `<p>${reason}</p>`)
}

export function unavailablePage(): Response {
  return page(503, "Try again in a moment", "<p>Nothing has changed yet. Please try again in a moment.</p>", {
    "Retry-After": "5",
  })
}

const style = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --text: #1c2024; --soft: #5b636d; --line: #d9dde3; --label: #fff;
}
@media (prefers-color-scheme: dark) {
  :root { --page: #111315; --card: #1a1d21; --text: #eceef0; --soft: #a5adb7; --line: #33383f; --label: #111315 }
}
* { box-sizing: border-box }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px;
  background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif;
}
main {
  width: 100%; max-width: 440px; padding: 32px;
  background: var(--card); border: 1px solid var(--line); border-radius: 12px;
}
h1 { margin: 0 0 8px; font-size: 20px; line-height: 1.3 }
p { margin: 0; color: var(--soft); overflow-wrap: anywhere }
b { color: var(--text); font-weight: 600 }
button {
  margin-top: 24px; width: 100%; min-height: 44px; border: 0; border-radius: 8px;
  background: var(--text); color: var(--label); font: inherit; font-weight: 600; cursor: pointer;
}
button:focus-visible { outline: 2px solid var(--text); outline-offset: 2px }
`

const styleHash = createHash("sha256").update(style).digest("base64")
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ")

/** A page of its own: no script, no picture, nothing of the product's name, kept by nobody. */
function page(status: number, title: string, content: string, headers: Record<string, string> = {}): Response {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`
  return new Response(html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": policy,
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "X-Robots-Tag": "noindex",
      ...headers,
    },
  })
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
