import type { RegionName } from "@/lib/projects/regions"

export type Installation = {
  /** `SERVICE_DOMAIN`. */
  serviceDomain: string
  /** Whether the operator set it; the default is a reserved name that nobody owns. */
  named: boolean
}

/** A line to set or to publish; `found` once the DNS was asked for it. */
type Line = { line: string; found?: boolean | undefined }

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
      text: "One of your domains, for bounces, SPF and tracking. It appears in the records below.",
      done: named,
      lines: [{ line: `SERVICE_DOMAIN=${service}` }],
    },
    {
      title: `Give ${region} a mail server, then restart`,
      text: "Your own Postfix or any provider. To serve every region with one, use SMTP_URL.",
      done: sends,
      lines: [
        { line: `${variable}=smtps://user:password@relay.example.com:465?delivered=never` },
        { line: "npm start" },
      ],
    },
    {
      title: `Publish two records for ${service}`,
      text: "They tell receivers which addresses send and where bounces go. Replace 203.0.113.25 with the address of that mail server.",
      done: found.length > 0 && found.every(Boolean),
      lines: [
        { line: `spf.${region}.${service}. TXT "v=spf1 ip4:203.0.113.25 -all"`, found: found[0] },
        { line: `feedback.${region}.${service}. A 203.0.113.25`, found: found[1] },
      ],
    },
  ]
}

/** The steps as a message to the operator. */
export function stepsAsText(steps: OperatorStep[], page: string): string {
  const numbered = steps.map(
    ({ title, text, lines }, index) =>
      `${index + 1}. ${title}\n   ${text}\n${lines.map(({ line }) => `   ${line}`).join("\n")}`,
  )
  return [`Set up sending for ${page}`, ...numbered].join("\n\n")
}
