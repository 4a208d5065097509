import { formatNumber, countText, percentText } from "@/lib/platform/format"
import { recordFaultWords } from "@/lib/explanation/record-words"
import {
  emailOf,
  shownHost,
  shownName,
  subjectWith,
  type SystemContent,
  type SystemEmail,
  type BroadcastNotice,
  type DomainNotice,
  type FormerRateNotice,
  type QuotaNotice,
  type RateCause,
  type RateNotice,
  type RecordsNotice,
  type KeptNotice,
  type WebhookNotice,
} from "@/lib/access/system-mail/system-mail"

type Told<N> = N & { project: string; url: string }

const whyYou = "You get this email because you are an owner of the organization."

/** The email of a notice; `host` is where Mailroom runs. */
export function noticeEmail(given: Told<KeptNotice>, host: string): SystemEmail {
  return emailOf(noticeContent(given, host))
}

/** What a notice says, by mail, in the dashboard and in a chat. */
export function noticeContent(given: Told<KeptNotice>, host: string): SystemContent {
  const notice = withShownNames(given)
  if (notice.kind === "webhook-disabled") return webhookDisabledEmail(notice, host)
  if (notice.kind === "records-changed") return recordsChangedEmail(notice, host)
  if (notice.kind === "quota-used") return quotaEmail(notice, host)
  if (notice.kind === "rate-critical") return rateEmail(notice, host)
  if (notice.kind === "broadcast-stopped") return broadcastStoppedEmail(notice, host)
  if (notice.status === "verified") return domainVerifiedEmail(notice, host)
  return notice.status === "degraded" ? domainDegradedEmail(notice, host) : domainFailedEmail(notice, host)
}

/** Names are other people's text: none may pass for ours. */
function withShownNames(notice: Told<KeptNotice>): Told<KeptNotice> {
  const project = shownName(notice.project)
  switch (notice.kind) {
    case "webhook-disabled":
      return { ...notice, project, webhook: shownName(notice.webhook), host: shownHost(notice.host) }
    case "quota-used":
      return { ...notice, project, organization: shownName(notice.organization) }
    case "broadcast-stopped":
      return { ...notice, project, subject: shownName(notice.subject) }
    case "rate-critical":
      return "title" in notice ? { ...notice, project } : { ...notice, project, cause: withShownCause(notice.cause) }
    default:
      return { ...notice, project, domain: shownHost(notice.domain) }
  }
}

function withShownCause(cause: RateCause | null): RateCause | null {
  if (!cause || cause.name === null) return cause
  const named = cause.by === "topic" || cause.by === "tag"
  return { ...cause, name: named ? shownName(cause.name) : shownHost(cause.name) }
}

function webhookDisabledEmail(mail: Told<WebhookNotice>, host: string): SystemContent {
  const why = mail.reason === "gone" ? "it answered 410 Gone" : "every request to it has failed for 5 days"
  return {
    subject: subjectWith(mail.webhook, (name) => `Webhook ${name} is disabled`),
    lead: `The endpoint at ${mail.host} gets no more events of the project ${mail.project} at ${host}, because ${why}.`,
    action: "Open the webhook",
    url: mail.url,
    small: [
      "Deliveries that were waiting are cancelled; they can be replayed once the endpoint works and the webhook is enabled again.",
      whyYou,
    ],
  }
}

function recordsChangedEmail(
  { domain, project, until, records, url }: Told<RecordsNotice>,
  host: string,
): SystemContent {
  return {
    subject: subjectWith(domain, (name) => `DNS records of ${name} have new values`),
    lead: `Mailroom at ${host} has changed its name or the way it sends, which changes DNS records of ${domain}, a sending domain of the project ${project}. Replace the published records with:`,
    paragraphs: [
      ...records,
      until
        ? `The domain stays verified with the old records until ${utcText(until)}.`
        : "The domain stays verified: none of these records is required to send.",
    ],
    action: "Open the domain",
    url,
    small: [
      "The domain's page shows the values to copy. They are found automatically once they are published.",
      whyYou,
    ],
  }
}

function domainDegradedEmail(notice: Told<DomainNotice>, host: string) {
  const { domain, project, since, until, url } = notice
  return {
    subject: subjectWith(domain, (name) => `DNS records of ${name} are missing`),
    lead: `The sending domain ${domain} of the project ${project} at ${host} is degraded: required DNS records have been missing or invalid${since ? ` since ${utcText(since)}` : ""}.`,
    paragraphs: [
      ...faultLines(notice),
      `Email from this domain is still sent, but receivers may refuse it or treat it as spam. ${until ? `If the records are not back by ${utcText(until)}, sending from it stops.` : "If the records do not come back, sending from it stops."}`,
    ],
    action: "Open the domain",
    url,
    small: [
      "The domain's page shows the values to publish. The domain is checked regularly and recovers automatically.",
      whyYou,
    ],
  }
}

function domainFailedEmail(notice: Told<DomainNotice>, host: string) {
  const { domain, project, since, url } = notice
  return {
    subject: subjectWith(domain, (name) => `Sending from ${name} has stopped`),
    lead: `Sending from ${domain}, a domain of the project ${project} at ${host}, has stopped: required DNS records have been missing or invalid${since ? ` since ${utcText(since)}` : ""}.`,
    paragraphs: [
      ...faultLines(notice),
      "Requests to send from this domain are refused with 422 until the records are back.",
    ],
    action: "Open the domain",
    url,
    small: [
      "The domain's page shows the values to publish. Then click Verify now; sending works again once they are found.",
      whyYou,
    ],
  }
}

function faultLines({ recordFaults, faults }: DomainNotice): readonly string[] {
  return recordFaults?.map(recordFaultWords) ?? faults
}

function domainVerifiedEmail({ domain, project, url }: Told<DomainNotice>, host: string) {
  return {
    subject: subjectWith(domain, (name) => `Verified again: ${name}`),
    lead: `All required DNS records of ${domain}, a sending domain of the project ${project} at ${host}, have been found. Email from it is sent and authenticated.`,
    action: "Open the domain",
    url,
    small: [whyYou],
  }
}

function quotaEmail({ organization, percent, used, daily, ceiling, resetsAt, url }: Told<QuotaNotice>, host: string) {
  const usedUp = percent === 100
  const counts = `${formatNumber(used)} of ${formatNumber(daily)}`
  const reset = `at midnight UTC (${utcText(resetsAt)})`
  const raise =
    ceiling > daily
      ? `You can raise the limit to ${formatNumber(ceiling)} a day under Settings, Limits.`
      : "The limit, shown under Settings, Limits, is the highest that the operator of this installation allows; the operator can raise it with set-limits --per-day."
  return {
    subject: subjectWith(organization, (name) =>
      usedUp ? `Daily sending quota used up: ${name}` : `${percent}% of the daily quota used: ${name}`,
    ),
    lead: `The organization ${organization} at ${host} has sent ${counts} emails today${usedUp ? "" : `, ${Math.floor((100 * used) / daily)}% of its quota`}. All projects of the organization share this quota.`,
    paragraphs: [
      usedUp
        ? `Further sends are refused with 429 until the quota resets ${reset}.`
        : `Once the quota is used up, sends are refused with 429. It resets ${reset}.`,
      raise,
    ],
    action: "Open the limits",
    url,
    small: [whyYou],
  }
}

function rateEmail(notice: Told<RateNotice | FormerRateNotice>, host: string) {
  const { project, url } = notice
  const { title, message, cause, fix } =
    "title" in notice ? notice : { ...rateWords(notice), cause: rateCauseText(notice.cause, notice.count) }
  return {
    subject: subjectWith(project, (name) => `${title}: ${name}`),
    lead: `The project ${project} at ${host} is at risk of being filtered or blocked by mailbox providers.`,
    paragraphs: [message, cause, fix],
    action: "Open the advisor",
    url,
    small: ["You will be notified again only after the rate has recovered, and at most once in 7 days.", whyYou],
  }
}

function broadcastStoppedEmail({ subject, reason, count, of, project, url }: Told<BroadcastNotice>, host: string) {
  const percent = `${((100 * count) / of).toFixed(1)}%`
  const counts = `${formatNumber(count)} of ${formatNumber(of)}`
  const bounced = reason === "bounces"
  return {
    subject: subjectWith(subject, (name) => `Broadcast paused: ${name}`),
    lead: `The broadcast "${subject}" of the project ${project} at ${host} was paused automatically, because ${counts} emails (${percent}) ${bounced ? "bounced" : "were marked as spam"}.`,
    paragraphs: [
      bounced
        ? "Mailbox providers act against senders above 5%. Find out where these addresses come from, and remove those that were never confirmed."
        : "Mailbox providers filter senders above 0.3%. Send only to people who asked for this email.",
      "No one else gets it until you resume it. Its rates are then evaluated again on the emails that follow.",
    ],
    action: "Open the broadcast",
    url,
    small: [whyYou],
  }
}

const utc = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "numeric", month: "short", year: "numeric" },
  ...{ hour: "2-digit", minute: "2-digit", timeZone: "UTC" },
})

function utcText(time: string): string {
  return `${utc.format(new Date(time))} UTC`
}

type RateFacts = Pick<RateNotice, "rate" | "count" | "of" | "base">

/** What a bounce or complaint rate says, in the advisor and in what the owners are told of it. */
export function rateWords({ rate, count, of, base }: RateFacts): { title: string; message: string; fix: string } {
  const share = percentText(of > 0 ? count / of : 0)
  const emails = countText(of, `${base} email`)
  if (rate === "bounces")
    return {
      title: `${share} of your emails bounced`,
      message: `${formatNumber(count)} of ${emails} in 30 days bounced. Providers expect less than 2% and act above 5%.`,
      fix: "Find out where these addresses come from, confirm new ones by email, and suppress lists that you no longer use.",
    }
  return {
    title: `${share} of recipients marked your email as spam`,
    message: `${countText(count, "complaint")} about ${emails} in 30 days. Providers expect less than 0.1% and filter or refuse above 0.3%.`,
    fix: "Write only to people who asked for it, stop writing to those who no longer open, and make leaving easy.",
  }
}

/** The largest cause of `total` bounces or complaints, as a sentence. */
function rateCauseText(cause: RateCause | null, total: number): string {
  if (!cause) return "No topic, tag, sending domain or mailbox provider stands out."
  return `The largest part, ${formatNumber(cause.count)} of ${formatNumber(total)}, is ${emailIn[cause.by](cause.name)}.`
}

const emailIn: Record<RateCause["by"], (name: string | null) => string> = {
  topic: (name) => `email of ${name === null ? "a topic that was deleted" : `the topic ${name}`}`,
  tag: (name) => `email with the tag ${name}`,
  domain: (name) => `email from ${name}`,
  provider: (name) => `email to ${name}`,
}
