import { encodeId } from "@/lib/platform/ids"
import type { LinkedMail } from "@/lib/tracking/brand-store"
import { escaped, hostedPage } from "@/lib/tracking/hosted-page"

export type ShownTopic = { topicId: string; name: string; description: string | null; subscribed: boolean }

type Shown = { mail: LinkedMail; topics: readonly ShownTopic[]; unsubscribed: boolean; saved: boolean; logoUrl: string }

/** What a recipient gets from a project, topic by topic, and a way to leave all of it at once. */
export function preferencesPage({ mail, topics, unsubscribed, saved, logoUrl }: Shown): Response {
  const to = `<p>Emails from <b>${escaped(mail.brand.name)}</b> to <b>${escaped(mail.recipient)}</b></p>`
  const note = saved ? '<p role="status"><b>Saved.</b></p>' : ""
  const content = unsubscribed ? to + note + comeBack : to + note + choices(topics) + leaveAll
  return hostedPage({ title: "Your email preferences", content, brand: mail.brand, logoUrl })
}

/** When the mail is gone, so is what its link could change but one thing: not to be written to again. */
export function forgottenPage(): Response {
  const content = "<p>The email that this link came with is no longer kept. Open the link of a newer email.</p>"
  return hostedPage({ status: 404, title: "This link is too old", content })
}

const comeBack = `<p>You have unsubscribed from all of them.</p>
<form method="post"><button name="action" value="return">Get emails again</button></form>`

const leaveAll = '<form method="post"><button class="quiet" name="action" value="leave">Unsubscribe from all</button></form>'

function choices(topics: readonly ShownTopic[]): string {
  if (!topics.length) return ""
  return `<form method="post">
<fieldset><legend>Emails that you get</legend>
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
