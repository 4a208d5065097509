import { readUnsubscribeToken } from "@/lib/delivery/message/unsubscribe-token"
import { hmac } from "@/lib/platform/crypto"
import { log } from "@/lib/platform/log"
import { unavailablePage, type Links } from "@/lib/tracking/unsubscribe-page"

const tokenChars = 44

/** The delivery whose mail carried the link; null for a token that we did not make. */
export function deliveryOf(token: string): string | null {
  return token.length === tokenChars ? readUnsubscribeToken(token, hmac) : null
}

export function linksOf(token: string): Links {
  return { preferences: `/u/${token}/preferences`, logo: `/u/${token}/logo` }
}

/** An answer, or word that it is to be asked for again. */
export async function answering(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer()
  } catch (error) {
    log.error({ err: error }, "a page for recipients could not be answered")
    return unavailablePage()
  }
}
