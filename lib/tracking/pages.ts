import { createHash } from "node:crypto"
import { encodeId } from "@/lib/platform/ids"
import { labelOn } from "@/lib/projects/brand-rules"
import type { Brand, LinkedMail, Preferences, ShownTopic } from "@/lib/tracking/data"

type Shown = Preferences & { mail: LinkedMail; saved: boolean; logoUrl: string }

/** What a recipient gets from a project, topic by topic, and a way to leave all of it at once. */
export function preferencesPage({ mail, topics, unsubscribed, otherReason, saved, logoUrl }: Shown): Response {
  const to = `<p>Emails from <b>${escaped(mail.brand.name)}</b> to <b>${addressHtml(mail.recipient)}</b></p>`
  const note = saved ? '<p role="status"><b>Saved.</b></p>' : ""
  const block = otherReason ? `<p>You get none of them, because ${reasons[otherReason]} ${onlySender}</p>` : ""
  const wish = unsubscribed
    ? comeBack(otherReason !== null)
    : choices(topics, otherReason ? "Emails that you want" : "Emails that you get") + leaveAll
  const content = to + note + block + wish
  return hostedPage({ title: "Your email preferences", content, brand: mail.brand, logoUrl })
}

/** Once the mail is deleted, its link cannot change anything any more. */
export function forgottenPage(): Response {
  const content = "<p>The email with this link has been deleted. Use the link in a newer email.</p>"
  return hostedPage({ title: "This link has expired", content })
}

const reasons = {
  complaint: "one was reported as spam from this address.",
  bounce: "one to this address came back.",
  manual: "the sender has stopped emails to this address.",
}

const onlySender = "Only the sender can change that: write to them if you want their emails."

function comeBack(keptAway: boolean): string {
  const button = keptAway ? "Take back the unsubscribe" : "Get emails again"
  return `<p>You have unsubscribed from all of them.</p>
<form method="post"><button name="action" value="return">${button}</button></form>`
}

const leaveAll =
  '<form method="post"><button class="quiet" name="action" value="leave">Unsubscribe from all</button></form>'

function choices(topics: readonly ShownTopic[], legend: string): string {
  if (!topics.length) return ""
  return `<form method="post">
<fieldset><legend>${legend}</legend>
${topics.map(choice).join("\n")}
</fieldset>
<button name="action" value="save">Save</button>
</form>`
}

function choice({ topicId, name, description, subscribed }: ShownTopic): string {
  const id = encodeId("top", topicId)
  const about = description ? `<small>${escaped(description)}</small>` : ""
  return `<label><input type="checkbox" name="topic" value="${id}"${subscribed ? " checked" : ""}><span>${escaped(name)}${about}</span></label>
<input type="hidden" name="shown" value="${id}">`
}

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

export type HostedPage = {
  status?: number
  title: string
  /** HTML; whatever came from outside is escaped in it. */
  content: string
  brand?: Brand
  /** Where the logo of the brand is served. */
  logoUrl?: string
  headers?: Record<string, string>
}

/** A page for the recipients of mail: no script, no product name, never cached. */
export function hostedPage({ status = 200, title, content, brand, logoUrl, headers = {} }: HostedPage): Response {
  const style = brand?.color ? plainStyle + colored(brand.color) : plainStyle
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
${brand ? headOf(brand, logoUrl) : ""}<h1>${escaped(title)}</h1>
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
      "Content-Security-Policy": policyFor(style),
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "X-Robots-Tag": "noindex",
      ...headers,
    },
  })
}

/** An address for HTML, which breaks after its @ where it is too long for a line. */
function addressHtml(address: string): string {
  return escaped(address).replace("@", "@<wbr>")
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function headOf(brand: Brand, logoUrl: string | undefined): string {
  const logo = brand.hasLogo && logoUrl ? `<img src="${escaped(logoUrl)}" alt="${escaped(brand.name)}">` : ""
  return `<p class="brand">${logo || escaped(brand.name)}</p>\n`
}

const plainStyle = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --text: #1c2024; --soft: #5b636d; --line: #d9dde3;
  --button: var(--text); --label: #fff; --danger: #b42318;
}
@media (prefers-color-scheme: dark) {
  :root { --page: #111315; --card: #1a1d21; --text: #eceef0; --soft: #a5adb7; --line: #33383f; --label: #111315; --danger: #ff9c91 }
}
* { box-sizing: border-box }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px;
  background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif;
}
main {
  width: 100%; max-width: 480px; padding: 32px;
  background: var(--card); border: 1px solid var(--line); border-radius: 12px;
}
.brand { margin: 0 0 24px; color: var(--text); font-weight: 600 }
.brand img { display: block; max-width: 200px; max-height: 56px }
h1 { margin: 0 0 8px; font-size: 20px; line-height: 1.3 }
p { margin: 0; color: var(--soft); overflow-wrap: anywhere }
p + p, form + form, form + p { margin-top: 16px }
b { color: var(--text); font-weight: 600 }
a { color: var(--text) }
fieldset { margin: 24px 0 0; padding: 0; border: 0 }
legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
label { display: flex; gap: 12px; padding: 14px 0; border-bottom: 1px solid var(--line); cursor: pointer }
label:first-of-type { border-top: 1px solid var(--line) }
label span { display: block; min-width: 0; overflow-wrap: anywhere }
label small { display: block; color: var(--soft); font-size: 14px }
input { flex: none; width: 20px; height: 20px; margin: 2px 0 0; accent-color: var(--button) }
button {
  margin-top: 24px; width: 100%; min-height: 44px; border: 0; border-radius: 8px;
  background: var(--button); color: var(--label); font: inherit; font-weight: 600; cursor: pointer;
}
button.quiet { background: none; color: var(--danger); border: 1px solid var(--line) }
button:focus-visible, input:focus-visible, a:focus-visible { outline: 2px solid var(--text); outline-offset: 2px }
`

function colored(color: string): string {
  return `:root { --button: ${color}; --label: ${labelOn(color)} }\n`
}

const policies = new Map<string, string>()

function policyFor(style: string): string {
  const known = policies.get(style)
  if (known) return known
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    // `data:` is the icon that is none, so that browsers ask for no other.
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ")
  // One for each colour in use; cleared after a thousand.
  if (policies.size >= 1_000) policies.clear()
  policies.set(style, policy)
  return policy
}
