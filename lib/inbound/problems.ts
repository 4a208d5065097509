import { problem } from "@/lib/platform/http/problem"

export const returnedMailMissing = problem(
  "returned_mail.not_found",
  404,
  "Returned mail not found",
  "No such mail came back for the email. Returned mail is kept for 30 days.",
)

export const operatorMailMissing = problem(
  "operator_mail.not_found",
  404,
  "Mail not found",
  "The operator's mailbox has no such mail. Mail is kept for 30 days.",
)
