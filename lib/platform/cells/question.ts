import { timingSafeEqual } from "node:crypto"
import { z } from "zod"
import { hmac } from "@/lib/platform/crypto"
import { Cell } from "@/lib/platform/env/fields"

// What the cells of one service ask each other, by the secret that all of them have.

/** Beside the hook of SES: a proxy in front of a cell keeps `/internal/` from outside, where the other cells are. */
export const cellsPath = "/hooks/cells"

export const questionBytesMax = 8 * 1024
export const namesMax = 8

const Name = z.string().min(1).max(253)
const ends = { from: Cell, to: Cell }

const Question = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("mail-from"), names: z.array(Name).min(1).max(namesMax), ...ends }),
  z.strictObject({ kind: z.literal("account"), email: z.string().min(1).max(320), ...ends }),
])
export type Question = z.output<typeof Question>

/** As it is sent. */
export const QuestionText = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: "custom", message: "is no JSON." })
      return z.NEVER
    }
  })
  .pipe(Question)

/** Of the names, those that are in use, and those that are about to be unless another cell has them. */
export const MailFromAnswer = z.strictObject({
  used: z.array(Name).max(namesMax),
  reserved: z.array(Name).max(namesMax),
})
export type MailFromAnswer = z.output<typeof MailFromAnswer>
export const AccountAnswer = z.strictObject({ exists: z.boolean() })

/** Longer than a request takes and clocks differ; a question that is repeated meanwhile changes nothing. */
const validSeconds = 30

/** The headers that prove who asks. */
export function questionHeaders(body: string, now: Date): Record<string, string> {
  const time = String(Math.floor(now.getTime() / 1_000))
  return { "Mailroom-Time": time, "Mailroom-Signature": signed(time, body).toString("base64url") }
}

export function isSigned(body: string, headers: Pick<Headers, "get">, now: Date): boolean {
  const time = headers.get("mailroom-time") ?? ""
  const given = Buffer.from(headers.get("mailroom-signature") ?? "", "base64url")
  const expected = signed(time, body)
  const isRecent = /^\d{1,12}$/.test(time) && Math.abs(now.getTime() / 1_000 - Number(time)) <= validSeconds
  return given.length === expected.length && timingSafeEqual(given, expected) && isRecent
}

function signed(time: string, body: string): Buffer {
  return hmac("cells", `${time}.${body}`)
}
