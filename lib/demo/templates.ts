import type { DemoPerson } from "@/lib/demo/people"
import type { Seeded } from "@/lib/demo/seeded"

export type Template = {
  kind: string
  from: string
  /** Which of the demo's domains sends it. */
  sender: "shop" | "news"
  category: "transactional" | "marketing"
  /** How often it goes out beside the others. */
  weight: number
  opens: number
  clicks: number
  subject: (person: DemoPerson, order: number) => string
  lines: (person: DemoPerson, order: number) => string[]
  link: string
  /** What it links to where it is about no order. */
  pages?: readonly string[]
}

const shop = { sender: "shop", category: "transactional" } as const
const news = { sender: "news", category: "marketing" } as const

/** Goes to many at once, on Fridays. */
export const newsletter: Template = {
  ...news,
  kind: "newsletter",
  from: "The Friday Letter <letter@%>",
  weight: 16,
  opens: 0.31,
  clicks: 0.05,
  link: "/letter",
  pages: ["/letter/lamp", "/letter/workshop", "/letter/kiln"],
  subject: () => "The Friday Letter",
  lines: ({ first }) => [
    `Good morning ${first},`,
    "this week: a lamp that took nine tries, the workshop in the rain, and what came back from the kiln.",
  ],
}

export const templates: readonly Template[] = [
  {
    ...shop,
    kind: "order-confirmation",
    from: "Harbor & Pine <orders@%>",
    weight: 22,
    opens: 0.72,
    clicks: 0.2,
    link: "/orders",
    subject: (_, order) => `Your order ${order} is confirmed`,
    lines: ({ first }, order) => [
      `Hello ${first},`,
      `thank you for your order ${order}. We pack it within a working day and write again when it leaves.`,
    ],
  },
  {
    ...shop,
    kind: "shipped",
    from: "Harbor & Pine <orders@%>",
    weight: 20,
    opens: 0.78,
    clicks: 0.41,
    link: "/parcels",
    subject: (_, order) => `Order ${order} is on its way`,
    lines: ({ first }, order) => [
      `Hello ${first},`,
      `order ${order} left our house today. The carrier needs two to four days.`,
    ],
  },
  {
    ...shop,
    kind: "password-reset",
    from: "Harbor & Pine <account@%>",
    weight: 7,
    opens: 0.83,
    clicks: 0.7,
    link: "/reset",
    subject: () => "Set a new password",
    lines: ({ first }) => [
      `Hello ${first},`,
      "somebody, we hope you, asked for a new password. The link below holds for an hour.",
    ],
  },
  {
    ...shop,
    kind: "sign-in",
    from: "Harbor & Pine <account@%>",
    weight: 8,
    opens: 0.5,
    clicks: 0.03,
    link: "/devices",
    subject: () => "New sign-in to your account",
    lines: ({ first }) => [
      `Hello ${first},`,
      "your account was opened on a device that we had not seen before. If that was you, there is nothing to do.",
    ],
  },
  {
    ...shop,
    kind: "receipt",
    from: "Harbor & Pine <billing@%>",
    weight: 9,
    opens: 0.44,
    clicks: 0.08,
    link: "/invoices",
    subject: (_, order) => `Receipt for order ${order}`,
    lines: ({ name }, order) => [
      `Dear ${name},`,
      `attached you would find the receipt for order ${order}; in this demo it is only spoken of.`,
    ],
  },
  {
    ...shop,
    kind: "welcome",
    from: "Mara of Harbor & Pine <hello@%>",
    weight: 6,
    opens: 0.64,
    clicks: 0.25,
    link: "/start",
    subject: ({ first }) => `Welcome aboard, ${first}`,
    lines: ({ first }) => [
      `Hello ${first},`,
      "good to have you. Three things people like to know at first: how we pack, how returns work, and whom to ask.",
    ],
  },
  {
    ...news,
    kind: "review",
    from: "Harbor & Pine <hello@%>",
    weight: 7,
    opens: 0.33,
    clicks: 0.09,
    link: "/review",
    subject: (_, order) => `How was order ${order}?`,
    lines: ({ first }, order) => [
      `Hello ${first},`,
      `order ${order} should have been with you for a week. Two minutes of your time would help us much.`,
    ],
  },
  {
    ...news,
    kind: "cart",
    from: "Harbor & Pine <hello@%>",
    weight: 5,
    opens: 0.36,
    clicks: 0.14,
    link: "/cart",
    subject: ({ first }) => `${first}, your basket is still here`,
    lines: ({ first }) => [`Hello ${first},`, "what you had chosen waits for you until Sunday."],
  },
  newsletter,
]

/** Sent once, to somebody who then asks where it is. */
export const invoice: Template = {
  ...shop,
  kind: "invoice",
  from: "Harbor & Pine <billing@%>",
  weight: 0,
  opens: 0,
  clicks: 0,
  link: "/invoices",
  subject: (_, order) => `Invoice for order ${order}`,
  lines: ({ name }, order) => [
    `Dear ${name},`,
    `please find the invoice for order ${order} below. It is payable within 14 days.`,
  ],
}

const spread = templates.flatMap((template) => Array.from({ length: template.weight }, () => template))

export function pickTemplate(random: Seeded): Template {
  return random.pick(spread)
}

const site = "https://harborpine.example"

/** Where a mail leads. */
export function urlsOf({ link, pages }: Template, order: number): string[] {
  return pages?.map((page) => site + page) ?? [`${site}${link}/${order}`]
}

/** The two bodies of a mail. */
export function bodiesOf(template: Template, person: DemoPerson, order: number): { text: string; html: string } {
  const said = template.lines(person, order)
  const urls = urlsOf(template, order)
  const links = urls.map((href) => `<p><a href="${href}">Have a look</a></p>`).join("")
  return {
    text: [...said, "", ...urls, "", "Harbor & Pine, Quay 4, Brennbach"].join("\n"),
    html: `<!doctype html><body style="font-family:sans-serif;color:#222">${said.map((line) => `<p>${line}</p>`).join("")}${links}<p style="color:#777">Harbor &amp; Pine, Quay 4, Brennbach</p></body>`,
  }
}
