import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import type { Seeded } from "@/lib/demo/seeded"

type Refusal = Pick<DeliveryAttempt, "outcome" | "phase"> & { code: number; enhanced: string; text: string }

const refused = { outcome: "refused", phase: "rcpt" } as const

/** Replies of real receiving servers. The first kind means that the mailbox does not exist. */
export const serverRefusals = {
  gone: [
    {
      ...refused,
      code: 550,
      enhanced: "5.1.1",
      text: "5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos.",
    },
    {
      ...refused,
      code: 550,
      enhanced: "5.1.1",
      text: "5.1.1 <recipient>: Recipient address rejected: User unknown in virtual mailbox table",
    },
    {
      ...refused,
      code: 550,
      enhanced: "5.1.10",
      text: "5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
    },
    { ...refused, code: 554, enhanced: "5.1.1", text: "5.1.1 Sorry, no mailbox here by that name." },
  ],
  full: [
    {
      ...refused,
      code: 552,
      enhanced: "5.2.2",
      text: "5.2.2 The recipient's inbox is out of storage space and inactive.",
    },
    { ...refused, code: 552, enhanced: "5.2.2", text: "5.2.2 Over quota" },
  ],
  blocked: [
    {
      ...refused,
      phase: "final",
      code: 550,
      enhanced: "5.7.1",
      text: "5.7.1 Our system has detected that this message is likely unsolicited mail. To reduce the amount of spam, this message has been blocked.",
    },
    {
      ...refused,
      phase: "mail",
      code: 554,
      enhanced: "5.7.1",
      text: "5.7.1 Service unavailable; client host [203.0.113.25] blocked by policy",
    },
  ],
  later: [
    {
      outcome: "deferred",
      phase: "rcpt",
      code: 450,
      enhanced: "4.2.0",
      text: "4.2.0 <recipient>: Recipient address rejected: Greylisted, try again in 300 seconds",
    },
    {
      outcome: "deferred",
      phase: "mail",
      code: 421,
      enhanced: "4.7.0",
      text: "4.7.0 Try again later, closing connection.",
    },
    {
      outcome: "deferred",
      phase: "rcpt",
      code: 452,
      enhanced: "4.2.2",
      text: "4.2.2 The recipient's inbox is out of storage space.",
    },
  ],
} satisfies Record<string, readonly Refusal[]>

export type Trouble = keyof typeof serverRefusals

/** One attempt as the delivery keeps it, with the conversation behind it. Addresses are those of documentation (RFC 5737). */
export function attempt(
  mail: { from: string; to: string; at: Date },
  random: Seeded,
  trouble?: Trouble,
): DeliveryAttempt {
  const host = `mx${random.whole(1, 3)}.${mail.to.slice(mail.to.indexOf("@") + 1)}`
  const remote = `${host} 198.51.100.${random.whole(4, 250)}:25`
  const reply = trouble ? random.pick<Refusal>(serverRefusals[trouble]) : accepted(random)
  const text = reply.text.replace("<recipient>", `<${mail.to}>`)
  return {
    outcome: reply.outcome,
    phase: reply.phase,
    code: reply.code,
    enhanced: reply.enhanced,
    text,
    remote,
    tls: "TLSv1.3",
    conversation: conversation(host, mail, reply.phase, `${reply.code} ${text}`),
    startedAt: mail.at,
    endedAt: new Date(mail.at.getTime() + random.whole(180, 2_600)),
  }
}

function accepted(random: Seeded) {
  return {
    outcome: "accepted",
    phase: "final",
    code: 250,
    enhanced: "2.0.0",
    text: `2.0.0 Ok: queued as ${random.hex(10).toUpperCase()}`,
  } as const
}

function conversation(
  host: string,
  { from, to }: { from: string; to: string },
  phase: DeliveryAttempt["phase"],
  answer: string,
): string[] {
  const steps: [DeliveryAttempt["phase"], string, string][] = [
    ["mail", `C: MAIL FROM:<${from}>`, "S: 250 2.1.0 Ok"],
    ["rcpt", `C: RCPT TO:<${to}>`, "S: 250 2.1.5 Ok"],
    ["data", "C: DATA", "S: 354 End data with <CR><LF>.<CR><LF>"],
    ["final", "C: .", `S: ${answer}`],
  ]
  const lines = [
    `S: 220 ${host} ESMTP`,
    "C: EHLO eu-west-1.mailroom.test",
    `S: 250-${host}`,
    "S: 250-PIPELINING",
    "S: 250 STARTTLS",
    "C: STARTTLS",
    "S: 220 2.0.0 Ready to start TLS",
  ]
  for (const [at, command, usual] of steps) {
    lines.push(command, at === phase ? `S: ${answer}` : usual)
    if (at === phase) break
  }
  return lines
}
