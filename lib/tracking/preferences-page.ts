import { encodeId } from "@/lib/platform/ids"
import type { SuppressionReason } from "@/lib/consent/rules"
import type { LinkedMail } from "@/lib/tracking/brand-store"
import { addressHtml, escaped, hostedPage } from "@/lib/tracking/hosted-page"

export type ShownTopic = { topicId: string; name: string; description: string | null; subscribed: boolean }

export type Preferences = {
  topics: ShownTopic[]
  /** From all of them, by the recipient's own wish. */
  unsubscribed: boolean
  /** Why the address is suppressed besides, which the recipient cannot undo. */
  otherReason: Exclude<SuppressionReason, "unsubscribe"> | null
}

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
