import type { OperatorRegion, RelayTestAnswer, HeaderReadingAnswer } from "@/components/operator/queries"
import type { Tone } from "@/components/ui/pill"

export type LoopTestStep = { state: "done" | "failed" | "waits"; text: string }

/** The way of a loop test's email, step by step, up to the one that failed. */
export function loopTestSteps(test: NonNullable<OperatorRegion["loopTest"]>): LoopTestStep[] {
  const { relay, code, diagnostic, startedAt, sentAt, returnedAt, returnedFrom, returnedTls } = test
  const taker = relay === "direct" ? "the mail server of the host of returned mail" : relay
  const reason = diagnostic === undefined ? "" : ` ${diagnostic}`
  if (code === "not_accepted") return [{ state: "failed", text: `Not accepted by ${taker}:${reason}` }]
  // What has come back was handed over, whether or not the last reply was heard.
  if (sentAt === undefined && returnedAt === undefined) return [{ state: "waits", text: `Handed to ${taker}` }]
  const handed = { state: "done", text: `Handed to ${taker}${after(startedAt, sentAt)}` } as const
  if (returnedAt === undefined) return [handed, onTheWay(code, reason)]
  return [
    handed,
    {
      state: "done",
      text: `Reached the listener${returnedFrom ? ` from ${returnedFrom}` : ""}${after(startedAt, returnedAt)}`,
    },
    returnedTls === undefined
      ? { state: "done", text: "Without TLS: the last server on the way did not ask for STARTTLS" }
      : { state: "done", text: `Encrypted by STARTTLS, ${returnedTls}` },
    { state: "done", text: "Stored, and recognised as this test" },
  ]
}

function onTheWay(code: NonNullable<OperatorRegion["loopTest"]>["code"], reason: string): LoopTestStep {
  if (code === "returned") return { state: "failed", text: `Returned by a server on the way:${reason}` }
  if (code === "lost")
    return {
      state: "failed",
      text: "Not at the listener. The host of returned mail must lead to this server, and its port 25 to INBOUND_PORT",
    }
  return { state: "waits", text: "Reaches the listener" }
}

function after(startedAt: string, at: string | undefined): string {
  if (at === undefined) return ""
  return `, ${(Math.max(0, Date.parse(at) - Date.parse(startedAt)) / 1_000).toFixed(1)} s`
}

type Ended = Pick<RelayTestAnswer, "relay" | "outcome" | "phase" | "code" | "text" | "remote" | "to" | "from">
type Words = { tone: Tone; title: string; todo: string }

/** How a test of a relay ended, and what an operator does about it. */
export function relayTestWords(test: Ended): Words {
  const { outcome, phase = "connect", remote, to } = test
  if (outcome === "accepted")
    return {
      tone: "good",
      title: `${remote} took the email to ${to}`,
      todo: "It arrives within minutes, perhaps as spam. If it does not, look into that server's log, and into the mailbox below for a bounce.",
    }
  if (outcome === "ambiguous")
    return {
      tone: "warn",
      title: `${remote} did not confirm the email`,
      todo: "It may have taken it: look into the inbox and into that server's log.",
    }
  // An API has no phases.
  if (test.phase === undefined && test.relay !== "direct") return providerWords(test)
  const ended = (test.relay === "direct" ? directEndings[phase] : undefined) ?? endings[phase]
  return ended ? { tone: "bad", ...ended(test) } : { tone: "bad", title: `${remote} refused the email`, todo: "" }
}

function providerWords({ outcome, remote, to }: Ended): Words {
  if (outcome === "region_fault")
    return {
      tone: "bad",
      title: `${remote} takes no email from this account`,
      todo: "Its answer says why: check the key, its permissions and the account at the provider.",
    }
  return outcome === "deferred"
    ? {
        tone: "bad",
        title: `${remote} does not take the email now`,
        todo: "Its answer says why. Try again in some minutes.",
      }
    : {
        tone: "bad",
        title: `${remote} refused the email to ${to}`,
        todo: "Its answer says why: often the service domain is no verified identity there.",
      }
}

type Endings = Record<string, ((test: Ended) => Omit<Words, "tone">) | undefined>

const refusedTodo =
  "Its reply says why. Often the address of this machine has no reverse name or is on a list, or the name with which it greets (EHLO) has no address: Sending set-up has a row for each."

/** Where the recipients' own servers are connected to. */
const directEndings: Endings = {
  connect: ({ to, remote }) => ({
    title: remote ? `No connection to ${remote}` : `No mail server of ${to} was found`,
    todo: "Many hosters block outgoing port 25: ask yours to open it, or send through a relay at port 587.",
  }),
  mail: ({ remote, from }) => ({
    title: `${remote} refused the sender ${from}`,
    todo: refusedTodo,
  }),
  rcpt: ({ remote, to, outcome }) => ({
    title: outcome === "deferred" ? `${remote} does not take ${to} now` : `${remote} refused ${to}`,
    todo: refusedTodo,
  }),
}

const endings: Endings = {
  connect: ({ remote, text }) => ({
    title: `No connection to ${remote}`,
    todo: /ENOTFOUND|EAI_AGAIN/.test(text)
      ? "The host name in SMTP_URL is not found in DNS. Check its spelling."
      : /ECONNREFUSED/.test(text)
        ? "Nothing listens at that port. Check host and port in SMTP_URL, and that the relay runs."
        : /certificate|TLS|SSL|wrong version number/i.test(text)
          ? "TLS failed. smtps:// is for port 465; elsewhere use smtp://, which starts TLS later."
          : "A firewall may drop it, or the relay has no room for another connection. Many hosters block port 25: use the relay's port 587 or 465, or ask the hoster to open port 25.",
  }),
  greeting: ({ remote }) => ({
    title: `${remote} did not greet`,
    todo: "It may refuse the address of this machine, have too many connections, or expect TLS at once: then use smtps://.",
  }),
  ehlo: ({ remote }) => ({
    title: `${remote} refused the name that this machine gives`,
    todo: "Give it a name that resolves to this machine's address: ehlo=NAME in SMTP_URL.",
  }),
  starttls: ({ remote, text }) => ({
    title: `TLS with ${remote} failed`,
    todo: /certificate|altnames|self.signed/i.test(text)
      ? "The certificate must be valid for the host name in SMTP_URL. For a relay of your own, give Mailroom the certificate that signed it: NODE_EXTRA_CA_CERTS=FILE; without user and password, tls=opportunistic takes any."
      : "If the relay offers no STARTTLS, use smtps:// with port 465, or tls=none on a network of your own.",
  }),
  auth: ({ remote, code }) => ({
    title: code === 535 ? `${remote} refused user name or password` : `Sign-in at ${remote} failed`,
    todo: "Check both in SMTP_URL. Characters such as @ : / # % in a password must be percent-encoded there. Some relays want an app password or an API key.",
  }),
  mail: ({ from, code }) =>
    code !== undefined && accessCodes.has(code)
      ? signInWanted
      : {
          title: `The relay refused the sender ${from}`,
          todo: "Register the domain after the @ at the relay, and publish what it asks for.",
        },
  rcpt: ({ to, code, outcome }) =>
    code !== undefined && accessCodes.has(code)
      ? signInWanted
      : outcome === "deferred"
        ? { title: `The relay does not take ${to} now`, todo: "Its reply says why. Try again in some minutes." }
        : {
            title: `The relay refused ${to}`,
            todo: "If it says that relaying is denied, allow this machine's address there (Postfix: mynetworks), or give user name and password in SMTP_URL.",
          },
  data: refusedMessage,
  final: refusedMessage,
}

const accessCodes = new Set([530, 534, 535, 538])

const signInWanted = {
  title: "The relay wants a sign-in first",
  todo: "Give user name and password in SMTP_URL: smtp://USER:PASSWORD@HOST:587.",
}

function refusedMessage({ remote, outcome }: Ended): Omit<Words, "tone"> {
  return outcome === "deferred"
    ? { title: `${remote} does not take the email now`, todo: "Its reply says why. Try again in some minutes." }
    : { title: `${remote} refused the email`, todo: "Its reply says why: often a sender that is not registered there." }
}

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
