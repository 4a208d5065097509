import { receivesBounces } from "@/lib/platform/env/bounce-rules"
import type { RegionName } from "@/lib/projects/regions"

export type Installation = {
  /** `SERVICE_DOMAIN`. */
  serviceDomain: string
  /** Whether the operator set it; the default is a reserved name that nobody owns. */
  named: boolean
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
  { serviceDomain, named }: Installation,
  { sends, found }: Progress,
): OperatorStep[] {
  const service = named ? serviceDomain : example
  const variable = `SMTP_URL_${(region as RegionName).toUpperCase().replaceAll("-", "_")}`
  return [
    {
      title: "Name the installation",
      text: "A subdomain of one of your domains, for the return path, SPF and tracking. Set the variable in the environment of npm start: in the shell as below, in the env_file of a container or the EnvironmentFile of a service. The records below follow it after the restart.",
      done: named,
      lines: [{ line: `export SERVICE_DOMAIN=${service}` }],
    },
    {
      title: `Give ${region} a mail server, then restart`,
      text: "The SMTP host, user and password of your own mail server or of a provider such as Amazon SES, SendGrid or Mailgun, in the same environment. To serve every region with one, use SMTP_URL. Characters such as @ and / in a password are percent-encoded.",
      done: sends,
      lines: [
        { line: `export ${variable}='smtps://user:password@relay.example.com:465?delivered=never'` },
        { line: "npm start" },
      ],
    },
    {
      title: `Publish two records for ${service}`,
      text: `The first says which addresses send; the second is where the MAIL FROM MX records point.${receivesBounces() ? "" : " This version receives no mail there: the return path must exist, but a bounce that comes after a server took the email is not seen."}`,
      done: found.length > 0 && found.every(Boolean),
      lines: [
        {
          note: "Your own mail server: its address in place of 203.0.113.25. A provider: the SPF include that it names, such as include:amazonses.com, include:sendgrid.net or include:mailgun.org, in place of ip4:203.0.113.25.",
          line: `spf.${region}.${service}. TXT "v=spf1 ip4:203.0.113.25 -all"`,
          found: found[0],
        },
        {
          note: "The address of your own mail server. A provider has none to put here, because it takes bounces back at a return path of its own: use the address of this server, and never the provider's.",
          line: `feedback.${region}.${service}. A 203.0.113.25`,
          found: found[1],
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
