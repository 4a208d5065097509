import type { RelayTestAnswer } from "@/components/operator/queries"
import type { Tone } from "@/components/ui/pill"

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
