import type { Email } from "@/components/emails/types"

type Kind = Pick<Email, "topicId" | "sendTimeCategory" | "trackingSettings">

/** The fields of a request whose email is of the same kind as this one, without defaults. */
export function kindOf({
  topicId,
  sendTimeCategory = "transactional",
  trackingSettings = {},
  to,
  cc = [],
  bcc = [],
}: Email): Kind {
  const { unsubscribeTracking, ...tracking } = trackingSettings
  const implied = topicId !== undefined || sendTimeCategory !== "transactional"
  // A message that several people share never carries the header, whatever had been asked for.
  const shared = to.length + cc.length + bcc.length > 1
  const settings =
    unsubscribeTracking === undefined || unsubscribeTracking === implied || shared ? tracking : trackingSettings
  return {
    ...(topicId === undefined ? {} : { topicId }),
    ...(sendTimeCategory === "transactional" ? {} : { sendTimeCategory }),
    ...(Object.keys(settings).length ? { trackingSettings: settings } : {}),
  }
}
