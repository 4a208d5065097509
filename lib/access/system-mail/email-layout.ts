import { cutText } from "@/lib/platform/text"

/** A system email in both forms. */
export type SystemEmail = { subject: string; text: string; html: string }

/** What a system email says, before it has a form. */
export type SystemContent = {
  subject: string
  lead: string
  /** What the reader needs to know before the button. */
  paragraphs?: readonly string[]
  action: string
  url: string
  small: readonly string[]
}

/** Mail programs cut longer subjects off. */
export const systemSubjectCharsMax = 69

const nameCharsMax = 60

/** Controls, line ends, and characters without a width, with which text could run backwards or hide. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** What someone else has named, on one line and too short for a message of its own. Mail programs make no link of it. */
export function shownName(name: string): string {
  const line = name
    .normalize("NFKC")
    .replace(unseen, " ")
    .replace(/[a-z][a-z0-9+.-]{0,30}:\/{0,9}\S*/gi, (text) => (/:./.test(text) ? "" : text))
    .replace(/@/g, " at ")
    // A dot between letters makes a host name of them.
    .replace(/(?<=[\p{L}\p{N}-])[.。｡](?=[\p{L}\p{N}-])/gu, ". ")
    .replace(/\s+/g, " ")
    .trim()
  return shortened(line) || "(unnamed)"
}

/** The same for a host name, which is shown as it is. */
export function shownHost(host: string): string {
  return shortened(host.replace(unseen, ""))
}

function shortened(line: string): string {
  const characters = [...line]
  return characters.length <= nameCharsMax
    ? line
    : `${characters
        .slice(0, nameCharsMax - 1)
        .join("")
        .trimEnd()}…`
}

/** A subject with a name in it, which is shortened where the subject would be too long. */
export function subjectWith(name: string, words: (name: string) => string): string {
  const line = name.replaceAll(/\s+/g, " ")
  const room = Math.max(8, systemSubjectCharsMax - [...words("")].length)
  return words([...line].length <= room ? line : `${cutText(line, room - 1).trimEnd()}…`)
}

export function emailOf({ subject, lead, paragraphs = [], action, url, small }: SystemContent): SystemEmail {
  const html = (text: string) => `<p style="margin:0 0 24px">${escaped(text)}</p>`
  return {
    subject,
    text: [lead, ...paragraphs, `${action}: ${url}`, ...small].join("\n\n") + "\n",
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:32px 16px;font:16px/1.5 system-ui,sans-serif"><div style="max-width:480px;margin:0 auto;overflow-wrap:anywhere">
${[lead, ...paragraphs].map(html).join("\n")}
<p style="margin:0 0 24px"><a href="${escaped(url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#2f5bea;color:#ffffff;text-decoration:none;font-weight:600">${escaped(action)}</a></p>
<p style="margin:0 0 24px;font-size:14px">Or copy this address: ${escaped(url)}</p>
${small.map((sentence) => `<p style="margin:0 0 8px;font-size:14px">${escaped(sentence)}</p>`).join("\n")}
</div></body></html>
`,
  }
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
