import type { HeaderReadingAnswer } from "@/components/operator/queries"
import type { Tone } from "@/components/ui/pill"

type Words = { tone: Tone; title: string; todo: string }

/** What the headers of a received email say in one sentence, and what is to be changed. */
export function headerReadingWords(reading: HeaderReadingAnswer): Words {
  const { code, server = "The receiving server", from = "the domain in From" } = reading
  const of = (method: string) => reading.results.filter((one) => one.method === method)
  const [dkim] = of("dkim").filter(({ result }) => result !== "pass")
  const [spf] = of("spf")
  const { domain = from, selector } = { ...reading.signatures[0], ...dkim }
  const record = selector ? `${selector}._domainkey.${domain}` : `the DKIM record of ${domain}`
  const address = spf?.address ?? "the address that it came from"
  const sender = spf?.domain ?? from
  const words: Record<HeaderReadingAnswer["code"], Words> = {
    passes: {
      tone: "good",
      title: `${server} found SPF, DKIM and DMARC in order.`,
      todo: "If the email is in the spam folder all the same, the reputation of the address or the content is the cause.",
    },
    no_headers: {
      tone: "warn",
      title: "This is not the header of an email.",
      todo: "Gmail: Show original, then Copy to clipboard. Outlook: View message source. Apple Mail: View, Message, All Headers.",
    },
    no_verdict: {
      tone: "warn",
      title: "The receiving server recorded no results of SPF, DKIM and DMARC.",
      todo: "Send the test to a mailbox at a large provider, such as Gmail or Outlook.com: these record them.",
    },
    dkim_missing: {
      tone: "bad",
      title: "The email has no DKIM signature.",
      todo: "Mailroom signs each email: a server on the way removed the signature. Look at the relay's settings for headers.",
    },
    dkim_changed: {
      tone: "bad",
      title: "The email was changed after it was signed.",
      todo: "A server on the way added text or rewrote the content. Switch off footers, click tracking and conversions at the relay.",
    },
    dkim_key: {
      tone: "bad",
      title: `The DKIM key of ${domain} was not found, or cannot be used.`,
      todo: `Publish ${record} as the domain's page, or the zone file, shows it: as one TXT record.`,
    },
    dkim_failed: {
      tone: "bad",
      title: `The DKIM signature of ${domain} does not fit.`,
      todo: `Compare ${record} with the domain's page or the zone file. If it is the same, a server on the way changes headers.`,
    },
    dkim_other_domain: {
      tone: "bad",
      title: `The email is signed, but not for ${from}.`,
      todo: `The signature that counts for DMARC is one of ${from}: check that the domain is registered in Mailroom, and that the relay keeps its signature.`,
    },
    spf_not_allowed: {
      tone: "bad",
      title: `The SPF record of ${sender} does not allow ${address}.`,
      todo: "Add that address to the SPF record of the region (the zone file has it), or what your relay's documentation says.",
    },
    spf_missing: {
      tone: "bad",
      title: `${sender} has no SPF record.`,
      todo: "Publish the TXT record that the domain's page, or the zone file, shows.",
    },
    spf_invalid: {
      tone: "bad",
      title: `The SPF record of ${sender} cannot be used.`,
      todo: "There must be one TXT record that begins with v=spf1, which needs at most 10 lookups.",
    },
    dmarc_not_aligned: {
      tone: "bad",
      title: `DMARC failed: neither SPF nor DKIM passed for ${from}.`,
      todo: "Send from a domain that is registered in Mailroom, with its DKIM and MAIL FROM records published.",
    },
    dmarc_missing: {
      tone: "warn",
      title: `${from} has no DMARC record.`,
      todo: `Publish _dmarc.${from} as a TXT record: v=DMARC1; p=none is enough to begin with.`,
    },
    dmarc_invalid: {
      tone: "bad",
      title: `The DMARC record of ${from} cannot be read.`,
      todo: `There must be one TXT record at _dmarc.${from}, which begins with v=DMARC1.`,
    },
    dns_failed: {
      tone: "warn",
      title: "The receiving server could not look up your records.",
      todo: "Send the test again. If it stays so, check the name servers of the domain.",
    },
    forwarded: {
      tone: "good",
      title: "The email was in order, and failed only behind a server that forwarded it.",
      todo: "There is nothing to change. Send the test to the mailbox itself to be sure.",
    },
  }
  return words[code]
}
