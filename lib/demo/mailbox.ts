import type { Queryable } from "@/lib/platform/database/db"
import { type DemoPlace, insert } from "@/lib/demo/rows-store"
import { idAt, type Seeded } from "@/lib/demo/seeded"
import type { Story } from "@/lib/demo/story"
import { bodiesOf } from "@/lib/demo/templates"

/** The newest mails of the story as they would lie in the sandbox's mailbox. */
export async function addMailbox(
  client: Queryable,
  { projectId }: DemoPlace,
  stories: readonly Story[],
  random: Seeded,
) {
  const rows = stories.map((story) => {
    const at = story.deliveredAt ?? story.at
    const domain = story.from.slice(story.from.lastIndexOf("@") + 1, -1)
    const raw = messageOf(story, domain, at)
    const pass = { result: "pass", domain }
    return {
      id: idAt(at, random),
      project_id: projectId,
      email_id: story.id,
      delivery_id: story.deliveryId,
      mail_from: `b-${story.deliveryId.slice(-12)}@send.${domain}`,
      rcpt_to: story.person.address,
      subject: story.subject,
      from_header: story.from,
      dkim: "pass",
      spf: "pass",
      dmarc: "pass",
      verdicts: {
        dkim: { ...pass, selector: "mrdemoa" },
        spf: { result: "pass", domain: `send.${domain}` },
        dmarc: { ...pass, policy: "none" },
      },
      size: raw.length,
      raw: `\\x${raw.toString("hex")}`,
      created_at: at,
    }
  })
  await insert(client, "sandbox_messages", rows)
}

function messageOf(story: Story, domain: string, at: Date): Buffer {
  const { text, html } = bodiesOf(story.template, story.person, story.order)
  const boundary = `part-${story.id.slice(-12)}`
  const part = (type: string, body: string) => [
    `--${boundary}`,
    `Content-Type: text/${type}; charset=utf-8`,
    "Content-Transfer-Encoding: 8bit",
    "",
    body,
  ]
  const lines = [
    `From: ${story.from}`,
    `To: ${story.person.name} <${story.person.address}>`,
    `Subject: ${story.subject}`,
    `Date: ${at.toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: <${story.id.replaceAll("-", "")}@${domain}>`,
    "MIME-Version: 1.0",
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    "",
    ...part("plain", text),
    ...part("html", html),
    `--${boundary}--`,
    "",
  ]
  return Buffer.from(lines.join("\n").replaceAll("\n", "\r\n"))
}
