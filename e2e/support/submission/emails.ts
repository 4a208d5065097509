const from = "Acme <hello@acme.test>"
const ada = "ada@lovelace.example"
const content = (bytes: number) =>
  Buffer.from(Array.from({ length: bytes }, (_, at) => (at * 7919) % 251)).toString("base64")
/** With the fields of `POST /v1/emails`. */
type Email = { from: string; to: string[]; subject: string } & Record<string, unknown>
const email = (fields: Partial<Email>): Email => ({ from, to: [ada], subject: "Hello", text: "Hi", ...fields })
const file = (filename: string, contentType: string, bytes: number) => ({
  filename,
  contentType,
  content: content(bytes),
})

/** 30 kinds of email. */
export const kindsOfEmail = (topicId: string): [string, Email][] => [
  ["text", email({})],
  ["HTML", { from, to: [ada], subject: "Hello", html: "<p>Hi</p>" }],
  ["text and HTML", email({ html: "<p>Hi</p>" })],
  ["a sender without a name", email({ from: "hello@acme.test" })],
  ["a sender with a quoted name", email({ from: '"Acme, Inc." <hello@acme.test>' })],
  [
    "names in other scripts",
    email({ from: "Jörg Müller <hello@acme.test>", to: ["Ада Лавлейс <ada@lovelace.example>"] }),
  ],
  ["a subject with an emoji", email({ subject: "Grüße aus Köln 🎉" })],
  ["a subject of 300 characters", email({ subject: "A long subject ".repeat(20).trim() })],
  ["several recipients", email({ to: [ada, "Bob <bob@lovelace.example>", "eve@lovelace.example"] })],
  ["cc", email({ cc: ["Bob <bob@lovelace.example>"] })],
  ["bcc", email({ bcc: ["bob@lovelace.example", "eve@lovelace.example"] })],
  ["cc and bcc", email({ cc: ["bob@lovelace.example"], bcc: ["eve@lovelace.example"] })],
  ["an address to reply to", email({ replyTo: "Support <help@acme.test>" })],
  ["a recipient in another letter case", email({ to: ["ADA@Lovelace.Example"] })],
  ["lines that begin with dots", email({ text: ".\n..\n.a" })],
  ["text in other scripts", email({ text: "Здравствуй 🎉\nΓειά" })],
  ["lines of 3,000 characters", email({ html: `<p>${"x".repeat(3_000)}</p>` })],
  ["200 kB of text", email({ text: `${"A line of text.\n".repeat(12_500)}The end.` })],
  ["an attachment", email({ attachments: [file("a.pdf", "application/pdf", 1_000)] })],
  ["an attachment of 400 kB", email({ attachments: [file("big.bin", "application/octet-stream", 400_000)] })],
  ["a file name in another script", email({ attachments: [file("Rechnung für Ада.pdf", "application/pdf", 10)] })],
  [
    "a picture in the HTML",
    email({
      html: '<img src="cid:logo@acme">',
      attachments: [{ ...file("logo.png", "image/png", 64), contentId: "logo@acme", disposition: "inline" }],
    }),
  ],
  ["further headers", email({ headers: { "X-Order": "8841", "X-Name": "Grüße" } })],
  [
    "an email of a thread",
    email({ headers: { "In-Reply-To": "<a@x.example>", References: "<a@x.example> <b@x.example>" } }),
  ],
  ["tags and metadata", email({ tags: { plan: "pro", team: "Köln" }, metadata: { order: "8841" } })],
  ["a topic", email({ topicId, sendTimeCategory: "marketing" })],
  ["a time", email({ scheduledAt: new Date(Date.now() + 86_400_000).toISOString() })],
  ["tracking", email({ html: "<p>Hi</p>", trackingSettings: { openTracking: true, clickTracking: false } })],
  ["test mode", email({ testMode: true })],
  [
    "a demand of TLS and a time limit",
    email({ tls: "required", giveUpAfterSeconds: 600, headers: { "X-Priority": "1" } }),
  ],
]
