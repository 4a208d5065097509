import type { Email } from "@/components/emails/types"

type Kind = Pick<Email, "topicId" | "sendTimeCategory" | "trackingSettings">

/** What a request has to say so that its mail is of the same kind as this one; what goes without saying is left out. */
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
  const said =
    unsubscribeTracking === undefined || unsubscribeTracking === implied || shared ? tracking : trackingSettings
  return {
    ...(topicId === undefined ? {} : { topicId }),
    ...(sendTimeCategory === "transactional" ? {} : { sendTimeCategory }),
    ...(Object.keys(said).length ? { trackingSettings: said } : {}),
  }
}
