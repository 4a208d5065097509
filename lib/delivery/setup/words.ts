import { type Evidence, evidenceLine } from "@/lib/delivery/setup/evidence"
import type { SetupCode, SetupKey, SetupRow } from "@/lib/delivery/setup/schema"

type RowWords = {
  title: string
  place: SetupRow["place"]
  /** What to do where nothing is said for the code. */
  fix: string
  fixes?: Partial<Record<SetupCode, string>>
  /** Where what a code is about is changed, if that is elsewhere. */
  places?: Partial<Record<SetupCode, SetupRow["place"]>>
}

const publish = "Publish the expected record at your DNS provider; the zone file has it."
const askHoster =
  "Set the reverse DNS (PTR) of the address to the expected name: in the panel of the company that rents you the server, or by its support."

const rowWords: Record<SetupKey, RowWords> = {
  service_domain: {
    title: "Domain of this installation",
    place: "env",
    fix: "Set SERVICE_DOMAIN to a domain of yours or a name below one, such as mail.example.com, and restart Mailroom. All records are below it: do this first.",
  },
  origin: {
    title: "Public origin",
    place: "env",
    fix: "Make BASE_URL reachable from the internet, for example behind Caddy.",
    fixes: {
      not_https: "Set BASE_URL to an https address, and end TLS at a reverse proxy in front.",
      missing: "Publish an address record for the host of BASE_URL at your DNS provider.",
      private_address: "The host of BASE_URL has only private addresses here. Check it from outside your network.",
      certificate_expired:
        "Renew the certificate at the reverse proxy. Its log says why it did not renew by itself: often port 80 or 443 is closed, or the address record leads elsewhere.",
      certificate_ending:
        "Renew the certificate at the reverse proxy: it should have renewed by itself by now, and its log says why not.",
      certificate_untrusted: "Use a certificate of a public authority for the host of BASE_URL.",
      certificate_other_name: "Let the reverse proxy use a certificate for the host of BASE_URL.",
    },
    places: {
      missing: "dns",
      certificate_expired: "server",
      certificate_ending: "server",
      certificate_untrusted: "server",
      certificate_other_name: "server",
    },
  },
  service_spf: {
    title: "SPF of the service domain",
    place: "dns",
    fix: `${publish} It says which servers may send email of this installation itself, such as sign-in links.`,
  },
  service_dkim: {
    title: "DKIM of the service domain",
    place: "dns",
    fix: `${publish} Receivers check signatures by it; without it, they take email of this installation for forged.`,
  },
  service_dmarc: {
    title: "DMARC of the service domain",
    place: "dns",
    fix: `${publish} It tells receivers what to do with email that forges this domain; large ones want it.`,
  },
  service_mx: {
    title: "MX of the service domain",
    place: "dns",
    fix: `${publish} It leads email to postmaster and abuse of this domain here.`,
  },
  report_mx: {
    title: "MX of the report domain",
    place: "dns",
    fix: `${publish} It leads the reports of receivers about your projects' domains here.`,
  },
  report_wildcard: {
    title: "Permission to receive DMARC reports",
    place: "dns",
    fix: `${publish} Without it, receivers send no reports about your projects' domains.`,
  },
  ehlo_address: {
    title: "Address of the EHLO name",
    place: "dns",
    fix: "Publish the expected address record at your DNS provider; the zone file has it. Servers look up the name with which this one greets (EHLO), and refuse one without an address.",
  },
  reverse_name: {
    title: "Reverse DNS",
    place: "hoster",
    fix: `${askHoster} Large receivers take no email from an address without it.`,
    fixes: {
      not_back: "The reverse name is right, but does not lead back: publish the address record of the EHLO name.",
    },
    places: { not_back: "dns" },
  },
  reverse_generic: {
    title: "Own reverse DNS name",
    place: "hoster",
    fix: `${askHoster} Many servers refuse email from addresses with generated names.`,
  },
  ehlo_spf: {
    title: "SPF of the EHLO name",
    place: "dns",
    fix: `${publish} Servers check it for bounces, which have no sender.`,
  },
  region_spf: {
    title: "SPF of the region",
    place: "dns",
    fix: `${publish} The SPF record of each sending domain includes it, so it must allow every address that email leaves from.`,
  },
  feedback_address: {
    title: "Host of returned mail",
    place: "dns",
    fix: "Publish an address record that leads to this server (the zone file has it), and let port 25 there lead to INBOUND_PORT: bounces come back by it.",
  },
  outbound_port: {
    title: "Outbound port 25",
    place: "hoster",
    fix: "Ask the company that rents you the server to open outbound TCP port 25, or send through a relay on port 587 (SMTP_URL).",
    places: { lookup_failed: "env" },
    fixes: {
      lookup_failed:
        "Check now once more. If it stays so, the resolver of this server does not find the mail servers of others: name one that does (MX_DNS, DNS_SERVERS).",
    },
  },
  relay: {
    title: "Relay",
    place: "env",
    fix: "Check host and port in the SMTP_URL of this region (restart Mailroom after a change), that the relay runs, and that no firewall is between. The relay test in the operator mailbox shows the whole session.",
    fixes: {
      tls_failed:
        "The certificate must be valid for the host name in SMTP_URL. For a relay of your own, give Mailroom the certificate that signed it: NODE_EXTRA_CA_CERTS=FILE; without user and password, tls=opportunistic takes any.",
      sign_in_refused:
        "Check user and password in the SMTP_URL of this region, and restart Mailroom. Characters such as @ : / # % must be percent-encoded there; some relays want an app password or an API key.",
    },
  },
  loop_test: {
    title: "Mail comes back",
    place: "page",
    fix: "Run the loop test under Settings, Operator mailbox, or with: npm run --silent admin -- loop-test --region <region>",
    fixes: {
      under_way: "Wait: a mail is on its way, which counts as lost after 10 minutes.",
      failed:
        "Where nothing answers, open port 25 of the host of returned mail in the firewall, and check that it leads to INBOUND_PORT; else correct what the answer names. Then run the loop test again.",
    },
  },
  ses_account: {
    title: "Account at Amazon SES",
    place: "server",
    fix: "Ask for production access on the account dashboard of the SES console, in the AWS region of SMTP_URL.",
    fixes: {
      credentials:
        "Check the key and its secret in SMTP_URL, and that its IAM policy allows ses:GetAccount, ses:SendEmail and ses:SendRawEmail.",
      sending_off: "Find out on the account dashboard of the SES console why sending is off, and turn it on there.",
    },
  },
  ses_configuration_set: {
    title: "Configuration set at Amazon SES",
    place: "server",
    fix: "Create it with: aws sesv2 create-configuration-set --configuration-set-name NAME, or correct configuration-set in SMTP_URL.",
    fixes: {
      sending_off: "Turn sending on for the configuration set in the SES console.",
      credentials: "Allow ses:GetConfigurationSet in the IAM policy of the key.",
    },
  },
  ses_identity: {
    title: "Service domain at Amazon SES",
    place: "server",
    fix: "Publish the records of the service domain and run the relay test: it adds the domain as an identity, which SES verifies within hours.",
    fixes: { credentials: "Allow ses:GetEmailIdentity in the IAM policy of the key." },
  },
  ses_events: {
    title: "Events of Amazon SES",
    place: "server",
    fix: "Send the configuration set's events to an SNS topic, and that to an SQS queue or to the address shown here; then send an email.",
    fixes: {
      no_events:
        "Add events= with the URL of an SQS queue to SMTP_URL. Without events, email stays sent, and bounces and complaints are not known.",
      unreachable:
        "Check the URL of the queue in SMTP_URL, and that the IAM policy of the key allows sqs:ReceiveMessage, sqs:DeleteMessage, sqs:ChangeMessageVisibility and sqs:GetQueueAttributes.",
    },
  },
  resolver: {
    title: "Validating resolver",
    place: "env",
    fix: "Install a validating resolver such as unbound on this server, write MX_DNS=127.0.0.1:53 into .env and restart Mailroom. Until then DANE is off.",
  },
  block_lists: {
    title: "Block lists",
    place: "server",
    fix: "Look the address up on the list's website, stop what got it listed, and ask for its removal there.",
    fixes: {
      not_set: "Set MX_DNS to a resolver of your own: block lists do not answer shared ones.",
      list_refuses: "Let your resolver ask the lists itself instead of forwarding to a shared one.",
    },
  },
  tracking_host: {
    title: "Host of tracked links",
    place: "dns",
    fix: `${publish} The record "links" of each sending domain leads there. Without it, tracked links use the host of BASE_URL.`,
  },
  submission_certificate: {
    title: "Certificate for programs that send by SMTP",
    place: "env",
    fix: "Let TCP port SUBMISSION_TLS_PORT (2465) of this server be reached from outside, and check that the process mail runs.",
    fixes: {
      no_certificate:
        "If programs on other machines hand in email by SMTP, set TLS_CERT and TLS_KEY to the files of a certificate for the expected host and of its key. Until then only programs on this machine can.",
      missing:
        "Publish an address record for the expected host at your DNS provider, or set SUBMISSION_HOST to a name that has one.",
      private_address: "The expected host has only private addresses here. Check it from outside your network.",
      certificate_expired:
        "Replace the files of TLS_CERT and TLS_KEY by a new certificate; they are read again at once.",
      certificate_ending:
        "Replace the files of TLS_CERT and TLS_KEY by a new certificate; they are read again at once.",
      certificate_untrusted: "Use a certificate of a public authority for the expected host.",
      certificate_other_name:
        "Let TLS_CERT and TLS_KEY name a certificate for this host, or set SUBMISSION_HOST to a name that it is for.",
    },
    places: { missing: "dns" },
  },
  clock: {
    title: "Clock",
    place: "server",
    fix: "Let NTP set the clocks of this machine and of the database's, for example with: timedatectl set-ntp true.",
  },
  inbound_port: {
    title: "Port 25 from outside",
    place: "page",
    fix: "The loop test comes from this server itself and passes no firewall in front of it. From another machine, try the expected command; where it fails, open TCP port 25 to this server at your hoster. Then mark this as done.",
  },
  postmaster_tools: {
    title: "Google Postmaster Tools",
    place: "page",
    fix: "Add the domain at postmaster.google.com and verify it by the TXT record that it names. Then mark this as done.",
  },
  yahoo_feedback: {
    title: "Yahoo complaint feedback loop",
    place: "page",
    fix: "Enroll the domain at senders.yahooinc.com; the code that proves it comes to the operator's mailbox. Then mark this as done.",
  },
  microsoft_feedback: {
    title: "Microsoft SNDS and JMRP",
    place: "page",
    fix: "Request access for your addresses at sendersupport.olc.protection.outlook.com/snds, and a feedback loop under JMRP there. Then mark this as done.",
  },
}

/** What to do about a code, whatever the row. */
const everywhere: Partial<Record<SetupCode, string>> = {
  lookup_failed:
    "Check again in a minute. If it stays so, check the name servers of the zone and the resolver of this server.",
  several: "Keep the expected record, and delete the others of the same kind at that name.",
  no_address: "Publish the address record of the EHLO name first.",
  not_checked: "Check now.",
}

/** What a code says, before what is expected and what was found. */
const codeWords: Record<SetupCode, string> = {
  missing: "There is no such record",
  different: "The record is a different one",
  several: "There is more than one record, so receivers use none",
  lookup_failed: "The lookup failed",
  no_address: "It cannot be checked before the EHLO name has an address",
  service_of_sandbox: "It is the name of the sandbox, which nobody outside can look up",
  not_https: "The origin is not https",
  no_certificate: "No certificate is set",
  unreachable: "The server cannot be reached",
  tls_failed: "The relay was reached, but TLS with it failed",
  sign_in_refused: "The relay does not take the user or password",
  private_address: "The address is private",
  certificate_expired: "The certificate has expired",
  certificate_ending: "The certificate ends soon",
  certificate_untrusted: "The certificate is not trusted",
  certificate_other_name: "The certificate is for another name",
  not_back: "The name does not lead back to the address",
  generic: "The name is generated from the address or says that nobody has chosen it",
  not_pass: "The record does not allow the address",
  blocked: "No mail server can be reached",
  never_run: "The loop test has never run",
  under_way: "The loop test is under way",
  failed: "The mail did not come back",
  not_set: "MX_DNS is not set",
  not_validating: "The resolver does not validate",
  listed: "The address is on a block list",
  list_refuses: "The lists do not answer this resolver",
  clock_differs: "The clocks differ",
  credentials: "Amazon SES does not accept the credentials or their permissions",
  ses_sandbox: "The account is in the sandbox of Amazon SES",
  sending_off: "Sending is turned off",
  not_found: "Amazon SES does not have it",
  not_verified: "Amazon SES has not verified it",
  no_events: "SMTP_URL names neither a queue nor a topic",
  not_heard: "No event has come yet",
  not_checked: "It has not been checked yet",
  not_done: "Nobody has marked it as done",
}

function titleOf(key: SetupKey): string {
  return rowWords[key].title
}

type Shown = Pick<SetupRow, "state" | "code"> & { expected: readonly Evidence[]; found: readonly Evidence[] }

/** A row as people read it. */
export function setupWords(
  key: SetupKey,
  shown: Shown,
  region = "",
): Pick<SetupRow, "title" | "expected" | "found" | "place" | "message" | "fix"> {
  const { title, place, fix, fixes = {}, places = {} } = rowWords[key]
  const { state, code } = shown
  const [expected, found] = [shown.expected.map(evidenceLine), shown.found.map(evidenceLine)]
  const message = messageOf({ state, code, expected, found })
  const words = { title, expected, found, message, place: (code && places[code]) ?? place }
  if (state === "ok" || state === "overridden") return words
  const told = (code && (fixes[code] ?? everywhere[code])) ?? fix
  return { ...words, fix: told.replace("<region>", region) }
}

function messageOf({ state, code, expected, found }: Pick<SetupRow, "state" | "code" | "expected" | "found">): string {
  const seen = found.length > 0 ? found.join("; ") : "nothing"
  if (code === undefined) return `Found ${seen}.`
  if (code === "not_checked") return `${codeWords[code]}.`
  if (code === "not_done")
    return state === "ok" ? "Marked as done." : `${codeWords[code]}. Expected ${expected.join("; ")}.`
  return `${codeWords[code]}. Expected ${expected.join("; ")}. Found ${seen}.`
}

type RegionFacts = {
  region: string
  transport: "smtp" | "direct" | "ses"
  addresses: number
  /** Whether email to others leaves. */
  sending: boolean
  rows: number
  /** Titles of red rows, with the addresses that they are about. */
  red: readonly string[]
  /** Of required rows that are neither OK nor overridden. */
  lacking: readonly string[]
  /** Rows that show what an earlier check found. */
  unanswered: number
}

/** "eu-west-1 sends directly from 2 addresses. 1 of 14 rows is red: reverse DNS of 203.0.113.6." */
export function regionSentence(facts: RegionFacts): string {
  const words = rowsSentence(facts) + unansweredSentence(facts.unanswered)
  if (facts.sending) return words
  const rows = facts.lacking.length === 1 ? "a required row" : `${facts.lacking.length} required rows`
  return `${words} Email to others waits for ${rows}: ${listed(facts.lacking)}. Email to operators leaves already.`
}

function unansweredSentence(rows: number): string {
  if (rows === 0) return ""
  return ` The latest check got no answer for ${rows === 1 ? "1 row" : `${rows} rows`}: check that the DNS resolver of this server answers (MX_DNS, DNS_SERVERS).`
}

function rowsSentence({ region, transport, addresses, rows, red }: RegionFacts): string {
  const from = addresses === 1 ? "1 address" : `${addresses} addresses`
  const directly = addresses === 0 ? "sends directly" : `sends directly from ${from}`
  const way = { smtp: "sends through a relay", ses: "sends by Amazon SES", direct: directly }[transport]
  if (red.length === 0) return `${region} ${way}. None of ${rows} rows is red.`
  return `${region} ${way}. ${red.length} of ${rows} rows ${red.length === 1 ? "is" : "are"} red: ${listed(red)}.`
}

function listed(names: readonly string[]): string {
  return names.slice(0, 3).join(", ") + (names.length > 3 ? ` and ${names.length - 3} more` : "")
}

/** "Reverse DNS of 203.0.113.6" */
export function rowName(key: SetupKey, address = ""): string {
  return address ? `${titleOf(key)} of ${address}` : titleOf(key)
}
