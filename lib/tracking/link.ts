import { readUnsubscribeToken } from "@/lib/delivery/message/unsubscribe-token"
import { hmac } from "@/lib/platform/crypto"
import { log } from "@/lib/platform/log"
import { unavailablePage, type Links } from "@/lib/tracking/unsubscribe-page"

const tokenChars = 44

/** The delivery whose mail carried the link; null for a token that we did not issue. */
export function deliveryOf(token: string): string | null {
  return token.length === tokenChars ? readUnsubscribeToken(token, hmac) : null
}

export function linksOf(token: string): Links {
  return { preferences: `/u/${token}/preferences`, logo: `/u/${token}/logo` }
}

/** The response, or a page that asks to try again. */
export async function answering(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer()
  } catch (error) {
    log.error({ err: error }, "a page for recipients could not be answered")
    return unavailablePage()
  }
}
