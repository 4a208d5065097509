"use client"

import { useQuery } from "@tanstack/react-query"
import { Check } from "lucide-react"
import { type Domain, installationRecordsQuery } from "@/components/domains/queries"
import { Card } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { CodeBlock } from "@/components/ui/code-block"
import { CopyButton } from "@/components/ui/copy-button"
import { TextLink } from "@/components/ui/text"
import { useInBrowser } from "@/components/ui/page-start"
import type { Region } from "@/lib/regions/regions"

type OperatorCardProps = { domain: Domain; projectId: string; installation: Installation }

/** Steps for the operator: until they are done, the domain's email is not delivered. The page detects the restart. */
export function OperatorCard({ domain, projectId, installation }: OperatorCardProps) {
  const found = useRecordsFound(projectId, domain.id, installation.named)
  const sends = domain.transport !== "sandbox"
  const steps = operatorSteps(domain.region, installation, { sends, found: found ?? [] })
  const page = useInBrowser() ? location.href : ""
  // Once it sends, only what is still missing is of interest.
  if (sends && (!found || steps.every(({ done }) => done))) return null
  return (
    <Card aria-label="Sending set-up">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-b border-line px-4 py-4">
        <div className="min-w-0 max-w-200 flex-1 max-sm:basis-full">
          <h2 className="text-xl font-semibold">
            {sends
              ? "This installation sends. Its own records are missing."
              : "This installation cannot send yet. Three steps set it up."}
          </h2>
          {sends ? (
            <p className="mt-1 text-muted">
              The records of {domain.domain} lead to them: without them, receivers find no valid SPF and bounces do not
              come back. They are for the operator of this server to publish.
            </p>
          ) : (
            <p className="mt-1 text-muted">
              They are for the operator of this server. Until then, email from {domain.domain} is not delivered and is
              kept in the <TextLink href={`/projects/${projectId}/sandbox`}>sandbox mailbox</TextLink>. To try
              everything now, add a domain such as <code>acme.test</code>: it works right away, without DNS.
            </p>
          )}
        </div>
        <CopyButton value={stepsAsText(steps, page)}>Copy all steps</CopyButton>
      </header>
      <p aria-live="polite" className="sr-only">
        {steps.filter(({ done }) => done).length} of {steps.length} steps done
      </p>
      <ol className="divide-y divide-line">
        {steps.map(({ title, text, done, lines }, index) => (
          <li key={title} className="grid grid-cols-[28px_minmax(0,1fr)] px-4 py-4">
            <span
              className={cn(
                "grid size-5 place-items-center rounded-full border text-xs tabular-nums",
                done ? "border-transparent bg-good-soft text-good" : "border-line-strong text-muted",
              )}
            >
              {done ? <Check aria-label="Done" className="size-3.5" /> : index + 1}
            </span>
            <div className="min-w-0">
              <h3 className="font-medium">{title}</h3>
              <p className="text-muted">{text}</p>
              {done
                ? null
                : lines.map(({ line, found, note }) => (
                    <div key={line} className="mt-2">
                      {note ? <p className="mb-1 text-muted">{note}</p> : null}
                      <CodeBlock code={line} name={`line of step ${index + 1}`} />
                      {found === undefined ? null : (
                        <p className={cn("mt-1 flex items-center gap-1 text-sm", found ? "text-good" : "text-muted")}>
                          {found ? <Check aria-hidden="true" className="size-3.5" /> : null}
                          {found ? "Found" : "Not found yet. Checked every 5 seconds."}
                        </p>
                      )}
                    </div>
                  ))}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}

const checkMs = 5_000

/** Which of the installation's records the DNS has, asked again until it has all; none while the installation has no name. */
function useRecordsFound(projectId: string, domainId: string, named: boolean): boolean[] | undefined {
  const read = useQuery({
    ...installationRecordsQuery(projectId, domainId),
    enabled: named,
    refetchInterval: ({ state }) => (state.data?.records.every(({ found }) => found) ? false : checkMs),
  })
  return read.data?.records.map(({ found }) => found)
}

export type Installation = {
  /** `SERVICE_DOMAIN`. */
  serviceDomain: string
  /** Whether the operator set it; the default is a reserved name that nobody owns. */
  named: boolean
  /** `INBOUND_PORT`. */
  inboundPort: number
}

/** A line to set or to publish; `found` once the DNS was asked for it. */
type Line = { line: string; found?: boolean | undefined; /** Said above it. */ note?: string | undefined }

export type OperatorStep = { title: string; text: string; done: boolean; lines: Line[] }

/** What is known of the region: whether it has a relay, and which of the records the DNS has, in the order of the lines. */
type Progress = { sends: boolean; found: boolean[] }

/** The default of `SERVICE_DOMAIN` ends in what no DNS knows. */
const example = "mailroom.example.com"

/** The operator's steps until a region can send, with the exact variables. */
export function operatorSteps(
  region: string,
  { serviceDomain, named, inboundPort }: Installation,
  { sends, found }: Progress,
): OperatorStep[] {
  const service = named ? serviceDomain : example
  const variable = `SMTP_URL_${(region as Region).toUpperCase().replaceAll("-", "_")}`
  return [
    {
      title: "Name the installation",
      text: "A subdomain of one of your domains, for the return path, SPF and tracking. Write the line into the file .env in the folder of Mailroom, the env_file of a container or the EnvironmentFile of a service. The records below follow it after the restart.",
      done: named,
      lines: [{ line: `SERVICE_DOMAIN=${service}` }],
    },
    {
      title: `Give ${region} a mail server, then restart`,
      text: "The SMTP host, user and password of your own mail server or of a provider such as Amazon SES, SendGrid or Mailgun, in the same file. To serve every region with one, use SMTP_URL. Characters such as @, / and # in a password are percent-encoded.",
      done: sends,
      lines: [
        { line: `${variable}=smtps://user:password@relay.example.com:465?delivered=never` },
        {
          note: `Or without a mail server: this one sends to the recipients' servers itself. It needs outgoing port 25, and an address whose reverse DNS is out.${region}.${service}.`,
          line: `${variable}=direct:`,
        },
        { line: "npm start" },
      ],
    },
    {
      title: `Publish two records for ${service}, and let mail come back`,
      text: "The first says which addresses send; the second is where the MAIL FROM MX records point. Bounces, complaints and reports arrive there.",
      done: found.length > 0 && found.every(Boolean),
      lines: [
        {
          note: "Your own mail server: its address in place of 203.0.113.25. A provider: the SPF include that it names, such as include:amazonses.com, include:sendgrid.net or include:mailgun.org, in place of ip4:203.0.113.25.",
          line: `spf.${region}.${service}. TXT "v=spf1 ip4:203.0.113.25 -all"`,
          found: found[0],
        },
        {
          note: "The public address of this server, and never that of a mail server or a provider: what comes back is read here.",
          line: `feedback.${region}.${service}. A 203.0.113.25`,
          found: found[1],
        },
        ...(inboundPort === 25
          ? []
          : [
              {
                note: `Port 25 of that address has to lead to port ${inboundPort} of this server (INBOUND_PORT), by your firewall or by a rule such as this one.`,
                line: `iptables -t nat -A PREROUTING -p tcp --dport 25 -j REDIRECT --to-ports ${inboundPort}`,
              },
            ]),
        {
          note: "Then test the way back: a mail through the relay that has to arrive here.",
          line: `npm run --silent admin -- loop-test --region ${region}`,
        },
      ],
    },
  ]
}

/** The steps as a message to the operator. */
export function stepsAsText(steps: OperatorStep[], page: string): string {
  const numbered = steps.map(
    ({ title, text, lines }, index) =>
      `${index + 1}. ${title}\n   ${text}\n${lines.flatMap(({ note, line }) => [...(note ? [`   ${note}`] : []), `   ${line}`]).join("\n")}`,
  )
  return [`Set up sending for ${page}`, ...numbered].join("\n\n")
}
