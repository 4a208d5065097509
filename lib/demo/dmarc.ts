import { dayMs, hourMs } from "@/lib/platform/time"
import type { Queryable } from "@/lib/platform/database/db"
import { insert } from "@/lib/demo/rows-store"
import { idAt, type Seeded } from "@/lib/demo/seeded"

const reporters = ["google.com", "Enterprise Outlook", "Yahoo"]
const days = 32

/** Reports of three large receivers about the newsletter's domain: nearly all passes, and every source is known. */
export async function addReports(
  client: Queryable,
  { projectId, domainId, domain }: { projectId: string; domainId: string; domain: string },
  now: Date,
  random: Seeded,
): Promise<void> {
  const today = Math.floor(now.getTime() / dayMs) * dayMs
  const reports = Array.from({ length: days }, (_, at) => new Date(today - (at + 1) * dayMs)).flatMap((beganAt) =>
    reporters.map((reporter) => {
      const endedAt = new Date(beganAt.getTime() + dayMs - 1)
      const createdAt = new Date(Math.min(now.getTime(), endedAt.getTime() + random.whole(1, 6) * hourMs))
      const messages = random.whole(12, 60)
      return {
        id: idAt(createdAt, random),
        project_id: projectId,
        domain_id: domainId,
        reporter,
        report_id: `${beganAt.getTime() / 1000}.${reporter.toLowerCase().replace(" ", "-")}`,
        policy_domain: domain,
        policy: "none",
        began_at: beganAt,
        ended_at: endedAt,
        day: beganAt.toISOString().slice(0, 10),
        messages,
        aligned: random.chance(0.1) ? messages - 1 : messages,
        source: "mail",
        sender: senderOf(reporter),
        created_at: createdAt,
      }
    }),
  )
  await insert(client, "dmarc_reports", reports)
  await insert(client, "dmarc_sources", reports.flatMap(sourcesOf))
}

/** As large receivers send them. */
function senderOf(reporter: string) {
  const domain = reporter.toLowerCase().replace("enterprise outlook", "microsoft.com").replace("yahoo", "yahoo.com")
  return { address: `noreply-dmarc@${domain}`, client: "192.0.2.25", spf: "pass", dkim: "pass", dmarc: "pass" }
}

type Report = { id: string; project_id: string; domain_id: string; day: string; messages: number; aligned: number }

/** Our own server, and a forwarder for what did not pass. */
function sourcesOf({ id, project_id, domain_id, day, messages, aligned }: Report) {
  const source = { report_id: id, project_id, domain_id, day, disposition: "none" }
  const ours = {
    address: "192.0.2.10",
    identity: "send.news.harborpine.example",
    kind: "service",
    dkim: true,
    spf: true,
  }
  const forwarder = { address: "198.51.100.7", identity: "lists.oakhill-school.example", kind: "forwarder" }
  return [
    { ...source, ...ours, ordinal: 0, messages: aligned },
    ...(messages > aligned
      ? [{ ...source, ...forwarder, ordinal: 1, dkim: false, spf: false, messages: messages - aligned }]
      : []),
  ]
}
