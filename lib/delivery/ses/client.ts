import type { SesTarget } from "@/lib/regions/settings"
import type { DeliveryAttempt, SesFault } from "@/lib/delivery/transports/attempt"
import { cutText } from "@/lib/platform/format"
import { timingSafeEqual } from "node:crypto"
import { hmac } from "@/lib/platform/crypto"

/** Milliseconds. */
const usualLimits = {
  connect: 5_000,
  /** Until a request is answered. */
  answer: 30_000,
  /** Of a call in all, whatever the library does. */
  whole: 45_000,
}
export type SesLimits = typeof usualLimits

/** What is known of the account in one AWS region. */
type SesAccount = {
  /** It may send to addresses that are not verified. */
  hasProductionAccess: boolean
  isSendingEnabled: boolean
  /** As AWS calls it: HEALTHY, PROBATION or SHUTDOWN. */
  enforcement: string
  perSecond: number
  perDay: number
  sentLastDay: number
}

/** The calls to SES that this product makes; each is made once and rejects as the SDK does. */
export type SesClient = Awaited<ReturnType<typeof openSesClient>>

/** Loads the SDK, which is large: only where a region sends by SES it is needed. */
export async function openSesClient(target: SesTarget, limits: SesLimits = usualLimits) {
  const {
    CreateEmailIdentityCommand,
    DeleteSuppressedDestinationCommand,
    GetAccountCommand,
    GetConfigurationSetCommand,
    GetEmailIdentityCommand,
    PutEmailIdentityDkimSigningAttributesCommand,
    PutEmailIdentityFeedbackAttributesCommand,
    PutEmailIdentityMailFromAttributesCommand,
    SendEmailCommand,
    SESv2Client,
  } = await import("@aws-sdk/client-sesv2")
  const { awsRegion, credentials, endpoint, configurationSet, maxConnections } = target
  const agent = { keepAlive: true, maxSockets: maxConnections }
  const client = new SESv2Client({
    region: awsRegion,
    ...(credentials && { credentials }),
    ...(endpoint !== undefined && { endpoint }),
    // Whether a mail is sent again is our decision.
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: limits.connect,
      requestTimeout: limits.answer,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  })
  const options = (signal?: AbortSignal) => {
    const whole = AbortSignal.timeout(limits.whole)
    return { abortSignal: signal ? AbortSignal.any([signal, whole]) : whole }
  }

  return {
    /** Hands a whole message over for one recipient; answers the id that SES gives it. */
    async send(mail: { to: string; message: Buffer; tag?: { name: string; value: string } }, signal?: AbortSignal) {
      const command = new SendEmailCommand({
        Destination: { ToAddresses: [mail.to] },
        Content: { Raw: { Data: mail.message } },
        ConfigurationSetName: configurationSet,
        ...(mail.tag && { EmailTags: [{ Name: mail.tag.name, Value: mail.tag.value }] }),
      })
      return (await client.send(command, options(signal))).MessageId ?? ""
    },

    async account(signal?: AbortSignal): Promise<SesAccount> {
      const found = await client.send(new GetAccountCommand({}), options(signal))
      return {
        hasProductionAccess: found.ProductionAccessEnabled ?? false,
        isSendingEnabled: found.SendingEnabled ?? true,
        enforcement: found.EnforcementStatus ?? "",
        perSecond: found.SendQuota?.MaxSendRate ?? 0,
        perDay: found.SendQuota?.Max24HourSend ?? 0,
        sentLastDay: found.SendQuota?.SentLast24Hours ?? 0,
      }
    },

    /** Null if there is none of this name. */
    async configurationSet(name: string, signal?: AbortSignal): Promise<{ isSendingEnabled: boolean } | null> {
      const found = await orMissing(
        client.send(new GetConfigurationSetCommand({ ConfigurationSetName: name }), options(signal)),
      )
      return found && { isSendingEnabled: found.SendingOptions?.SendingEnabled ?? true }
    },

    /** Of a domain; null if the account has none. `dkim` is the state of its keys as AWS calls it: SUCCESS, PENDING and others. */
    async identity(domain: string, signal?: AbortSignal) {
      const found = await orMissing(
        client.send(new GetEmailIdentityCommand({ EmailIdentity: domain }), options(signal)),
      )
      const { Status = "", Tokens = [], SigningAttributesOrigin } = found?.DkimAttributes ?? {}
      return (
        found && {
          isVerified: found.VerifiedForSendingStatus ?? false,
          dkim: String(Status),
          selectors: Tokens,
          isOwnKey: SigningAttributesOrigin === "EXTERNAL",
          mailFromDomain: found.MailFromAttributes?.MailFromDomain ?? "",
          forwardsFeedback: found.FeedbackForwardingStatus ?? true,
        }
      )
    },

    /** Answers whether SES has verified it already. */
    async addIdentity(domain: string, key: DkimKey, signal?: AbortSignal): Promise<boolean> {
      const command = new CreateEmailIdentityCommand({ EmailIdentity: domain, DkimSigningAttributes: signingOf(key) })
      return (await client.send(command, options(signal))).VerifiedForSendingStatus ?? false
    },

    async setDkimKey(domain: string, key: DkimKey, signal?: AbortSignal): Promise<void> {
      const command = new PutEmailIdentityDkimSigningAttributesCommand({
        EmailIdentity: domain,
        SigningAttributesOrigin: "EXTERNAL",
        SigningAttributes: signingOf(key),
      })
      await client.send(command, options(signal))
    },

    /** While its MX record is missing, SES uses its own domain for bounces. */
    async setMailFrom(domain: string, mailFromDomain: string, signal?: AbortSignal): Promise<void> {
      const command = new PutEmailIdentityMailFromAttributesCommand({
        EmailIdentity: domain,
        MailFromDomain: mailFromDomain,
        BehaviorOnMxFailure: "USE_DEFAULT_VALUE",
      })
      await client.send(command, options(signal))
    },

    /** SES mails no more bounces and complaints to the sender, beside the events that it publishes. */
    async stopFeedback(domain: string, signal?: AbortSignal): Promise<void> {
      const command = new PutEmailIdentityFeedbackAttributesCommand({
        EmailIdentity: domain,
        EmailForwardingEnabled: false,
      })
      await client.send(command, options(signal))
    },

    /** Takes an address off the account's suppression list; true also if it is not on it. */
    async allow(address: string, signal?: AbortSignal): Promise<void> {
      await orMissing(client.send(new DeleteSuppressedDestinationCommand({ EmailAddress: address }), options(signal)))
    },

    close: () => client.destroy(),
  }
}

/** `privateKey` is base64 of PKCS #8. */
type DkimKey = { selector: string; privateKey: string }

function signingOf({ selector, privateKey }: DkimKey) {
  return { DomainSigningSelector: selector, DomainSigningPrivateKey: privateKey }
}

async function orMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if ((error as SesError).name === "NotFoundException") return null
    throw error
  }
}

/** What an error of a call to SES means for the mail. */
export type SesAnswer = { text: string } & (
  | { kind: "paced"; why: "rate" | "daily" | "errors" }
  | { kind: "region_fault"; fault?: SesFault; phase?: NonNullable<DeliveryAttempt["phase"]> }
  | { kind: "mail_from_unverified" }
  | { kind: "refused" }
  /** SES may have the mail: the request went out, and no answer came. */
  | { kind: "ambiguous" }
)

/** As the SDK throws them: exceptions of the service, of the connection, and of the search for credentials. */
export type SesError = {
  name?: string
  code?: string
  message?: string
  $metadata?: { httpStatusCode?: number | undefined }
}

const textCharsMax = 1_000

/** A pure function; `configurationSet` is the one that the request named. */
export function sesAnswerOf(error: SesError, configurationSet?: string): SesAnswer {
  const { name = "", message = "", code = "", $metadata } = error
  const status = $metadata?.httpStatusCode
  const text = cutText([name, message].filter(Boolean).join(": "), textCharsMax)
  if (status === undefined) return withoutStatus(name, code, text)
  if (status === 429 || throttles.has(name))
    return { kind: "paced", why: /\b(?:daily|24.hours?)\b/i.test(message) ? "daily" : "rate", text }
  if (status >= 500) return { kind: "paced", why: "errors", text }
  if (name === "AccountSuspendedException" || suspended.test(message))
    return { kind: "region_fault", fault: { code: "ses_suspended", facts: {} }, text }
  if (/SendingPausedException$/.test(name) || paused.test(message))
    return { kind: "region_fault", fault: { code: "ses_paused", facts: {} }, text }
  if (name === "MailFromDomainNotVerifiedException") return { kind: "mail_from_unverified", text }
  if (status === 401 || status === 403 || credentialErrors.has(name)) return credentials(text)
  if (name === "NotFoundException" && configurationSet !== undefined)
    return {
      kind: "region_fault",
      fault: { code: "ses_configuration_set", facts: { name: configurationSet } },
      text,
    }
  return { kind: "refused", text }
}

/** SES also says so in a MessageRejected, as it does of what is wrong with one email. */
const suspended = /\bsending (?:is |was |has been )?suspended for (?:this|your|the) account\b/i
const paused =
  /\bsending (?:is |was |has been )?(?:paused|disabled) for (?:this|your|the) (?:entire )?(?:amazon ses )?(?:account|configuration set)\b|\bsending for (?:this|your|the) (?:account|configuration set\b.{0,80}) (?:is |was |has been )?(?:paused|disabled)\b/i

const throttles = new Set(["TooManyRequestsException", "LimitExceededException", "ThrottlingException", "Throttling"])
const credentialErrors = new Set(["ExpiredTokenException", "InvalidClientTokenId", "UnrecognizedClientException"])

function credentials(text: string): SesAnswer {
  return { kind: "region_fault", fault: { code: "ses_credentials", facts: { error: text } }, text }
}

/** Before a connection stands, nothing was sent. */
function withoutStatus(name: string, code: string, text: string): SesAnswer {
  if (/^(?:CredentialsProviderError|TokenProviderError)$/.test(name)) return credentials(text)
  const isUnconnected =
    unconnected.has(code) || (name === "TimeoutError" && /did not establish a connection/.test(text))
  return isUnconnected ? { kind: "region_fault", phase: "connect", text } : { kind: "ambiguous", text }
}

const unconnected = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EADDRNOTAVAIL",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
])

/** Names the delivery to SES, whose events return it: its id with a keyed hash, as in a return path. */
export const deliveryTag = "mailroom-delivery"

/** Under which the events of a region are remembered. */
export function sesProviderOf(region: string): string {
  return `ses ${region}`
}

/** Made from SECRET_KEY and the topic: nobody guesses it, and nothing of it is stored. */
function secretOf(topic: string): string {
  return hmac("ses-hook-1", topic).subarray(0, 24).toString("base64url")
}

/** Where SNS posts what comes to a topic, behind BASE_URL. */
export function hookPathOf(topic: string): string {
  return `/hooks/ses/${secretOf(topic)}`
}

/** The topic whose path this secret is in; undefined for any other text. */
export function topicOfSecret(secret: string, topics: readonly string[]): string | undefined {
  const given = Buffer.from(secret)
  return topics.find((topic) => {
    const own = Buffer.from(secretOf(topic))
    return own.length === given.length && timingSafeEqual(own, given)
  })
}
