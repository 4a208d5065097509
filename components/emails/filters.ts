import { parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server"
import type { EmailStatus } from "@/lib/emails/message-rules"
import { statusNames } from "./status"

/** What the address of the list says, for the server and the browser. */
export const emailFilters = {
  page: parseAsInteger.withDefault(1),
  status: parseAsStringLiteral(statusNames),
  recipient: parseAsString.withDefault(""),
  from: parseAsString.withDefault(""),
  subject: parseAsString.withDefault(""),
}

export type EmailFilters = { page: number; status: EmailStatus | null; recipient: string; from: string; subject: string }

export function toListQuery({ page, status, recipient, from, subject }: EmailFilters) {
  return { page, recipient, from, subject, ...(status ? { status } : {}) }
}
