import { timingSafeEqual } from "node:crypto"
import { hmac } from "@/lib/platform/crypto"

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
