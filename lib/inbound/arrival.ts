import { mimePartsOf } from "@/lib/platform/mime/mime-parts"
import { judgeMessage, type ReceivedMessage } from "@/lib/sandbox/judge"
import type { ResolveRecords } from "@/lib/sandbox/resolver"

/** What a mail proves of its sender when it arrives, in the results of RFC 8601. */
export type ArrivalVerdicts = {
  spf: string
  dkim: string
  dmarc: string
  /** What the sender's domain asks for where DMARC fails. */
  policy?: string
}

/** Each costs a question to the DNS and a check of the signature; mail has two or three. */
const signaturesMax = 10

/** Takes as long as the DNS, but at most some seconds. Never throws. */
export async function judgeArrival(message: ReceivedMessage, resolve: ResolveRecords): Promise<ArrivalVerdicts> {
  if (mimePartsOf(message.raw).header.all("dkim-signature").length > signaturesMax)
    return { spf: "permerror", dkim: "permerror", dmarc: "permerror" }
  const { dkim, spf, dmarc } = await judgeMessage(message, resolve)
  return {
    ...{ spf: spf.result, dkim: dkim.result, dmarc: dmarc.result },
    ...(dmarc.policy === undefined ? {} : { policy: dmarc.policy }),
  }
}
