import type { Attempt, Delivery, Explanation } from "@/components/emails/types"

const hardBounceFollows =
  "So we did not retry and put the address on the suppression list. Ask the recipient for their current address."
const simulatorRests =
  "So we did not retry. The simulator's addresses are never suppressed, unless they carry a +label."

/** The simulator names itself in every refusal; anybody's host may be called so. */
function isPlainSimulator({ address, diagnostic = "" }: Delivery): boolean {
  return /^[^+@]+@simulator\./i.test(address) && /\bsimulator\b/i.test(diagnostic)
}

/** Why a server refused an email for good. */
export function bounced(delivery: Delivery, last: Attempt | undefined): Explanation {
  const { address, bounceType, bounceCode = "" } = delivery
  const server = `The server of ${domainOf(address)}`
  const response = evidence(delivery, last)
  const tone = "bad"
  switch (bounceType) {
    case "hard":
      return {
        tone,
        title: /^5\.(1\.2|4\.4)$/.test(bounceCode)
          ? `The domain ${domainOf(address)} receives no mail.`
          : `The mailbox ${address} does not exist.`,
        detail: `${response} ${isPlainSimulator(delivery) ? simulatorRests : hardBounceFollows}`,
      }
    case "soft":
      return {
        tone,
        title: /^5\.2\.2$/.test(bounceCode)
          ? `The mailbox ${address} is full.`
          : `${server} returned this email for ${address}.`,
        detail: `${response} This may pass: the address is not suppressed, and you can send it again later.`,
      }
    case "block":
      return {
        tone,
        title: `${server} refused this email by its policy.`,
        detail: `${response} The address itself may be fine and is not suppressed. Read what the response asks for before you send more there.`,
      }
    case "content":
      return {
        tone,
        title: `${server} refused this email for its content or size.`,
        detail: `${response} The address itself may be fine and is not suppressed. Change the message, then send it again.`,
      }
    case "ours":
      return {
        tone,
        title: `${server} refused us as the sender.`,
        detail: `${response} This is no fault of ${address}. Check the DNS records of your sending domain.`,
        fix: "domains",
      }
    default:
      return { tone, title: `${server} refused the email for ${address}.`, detail: `${response} We did not retry.` }
  }
}

/** What the server or our own error said. */
export function evidence({ diagnostic, attempts }: Delivery, last: Attempt | undefined): string {
  const words = diagnostic ?? last?.text
  if (!words) return "It gave no reason."
  const code = last?.code !== undefined || /^\d{3}\b/.test(words)
  if (!code) return sentence(words)
  const full = last?.code !== undefined && !/^\d{3}\b/.test(words) ? `${last.code} ${words}` : words
  return `Its server said “${full.replace(/[.\s]+$/, "")}”${attempts.length > 1 ? ` at attempt ${last?.attempt ?? attempts.length}` : " at once"}.`
}

function sentence(words: string): string {
  const text = words.trim()
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1)
}
