/** Claims in a row that may end with the worker's process. */
export const crashesMax = 10

/** How long scheduled email waits for the daily allowance after its time. */
export const waitHoursMax = 72

/** Why an email failed without a final refusal, by the sentence that is stored with it. */
export const failures = {
  deadline: "The deadline of the email passed before it could be sent.",
  attempts: "The message could not be delivered before its deadline, so it was given up.",
  domain_deleted: "The sending domain was deleted before the message was sent.",
  schedule_domain_deleted: "The sending domain was deleted before the scheduled time.",
  crashed: `The worker's process crashed in each of ${crashesMax} attempts.`,
  unprepared: "The message could not be prepared for sending.",
  quota: `The daily allowance was used up for ${waitHoursMax} hours after the scheduled time, so the mail was given up.`,
} as const satisfies Record<string, string>

export type Failure = keyof typeof failures

const known = new Map<string, Failure>(
  Object.entries(failures).map(([failure, sentence]) => [sentence, failure as Failure]),
)

/** The failure that one of these stored texts names; a text that is none of them is a server's last reply. */
export function failureOf(...stored: (string | null | undefined)[]): Failure {
  const [first] = stored.flatMap((text) => known.get(text ?? "") ?? [])
  return first ?? "attempts"
}
