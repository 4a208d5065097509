import { authenticate, type AuthenticateResult, type DKIMResult } from "mailauth"
import type { Verdicts } from "@/lib/sandbox/schema"
import type { ResolveRecords } from "@/lib/sandbox/resolver"
import { cutText } from "@/lib/platform/text"

export type ReceivedMessage = { raw: Buffer; mailFrom: string; ip: string; helo: string }

/** How long a receiver waits for DNS. */
const waitMs = 6_000

const infoCharsMax = 2_000
const nameCharsMax = 255

/**
 * What a receiver makes of a mail: DKIM (RFC 6376), SPF (RFC 7208) and DMARC (RFC 9989), judged by mailauth. Never
 * throws.
 */
export async function judgeMessage(
  { raw, mailFrom, ip, helo }: ReceivedMessage,
  resolver: ResolveRecords,
): Promise<Verdicts> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, waitMs, null)))
  try {
    const asked = authenticate(raw, {
      ip,
      helo,
      sender: mailFrom,
      mta: "sandbox",
      resolver,
      disableArc: true,
      disableBimi: true,
    })
    const result = await Promise.race([asked, late])
    return result ? verdictsOf(result) : unjudged("DNS did not answer in time.")
  } catch (error) {
    return unjudged(error instanceof Error ? error.message : String(error))
  } finally {
    clearTimeout(timer)
  }
}

function verdictsOf({ dkim, spf, dmarc }: AuthenticateResult): Verdicts {
  const signature = bestOf(dkim.results)
  return {
    dkim: {
      result: signature?.status.result ?? "none",
      ...(signature?.signingDomain ? { domain: cutText(signature.signingDomain, nameCharsMax) } : {}),
      ...(signature?.selector ? { selector: cutText(signature.selector, nameCharsMax) } : {}),
      ...info(signature?.info),
    },
    spf: {
      result: spf ? spf.status.result : "none",
      ...(spf && spf.domain ? { domain: cutText(spf.domain, nameCharsMax) } : {}),
      ...info(spf && spf.info),
    },
    dmarc: {
      result: dmarc ? dmarc.status.result : "none",
      ...(dmarc && dmarc.domain ? { domain: cutText(dmarc.domain, nameCharsMax) } : {}),
      ...(dmarc && dmarc.policy ? { policy: dmarc.policy } : {}),
      ...info(dmarc && dmarc.info),
    },
  }
}

/** Of several signatures one that passes speaks for the mail. */
function bestOf(results: readonly DKIMResult[]): DKIMResult | undefined {
  return results.find(({ status }) => status.result === "pass") ?? results[0]
}

function info(text: string | false | undefined): { info?: string } {
  return text ? { info: cutText(text, infoCharsMax) } : {}
}

function unjudged(reason: string): Verdicts {
  const verdict = { result: "temperror", info: cutText(reason, infoCharsMax) }
  return { dkim: verdict, spf: verdict, dmarc: verdict }
}
