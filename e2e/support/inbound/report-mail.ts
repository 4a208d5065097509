import { gzipSync } from "node:zlib"
import { mailWithFiles } from "@/e2e/support/returns/returned-mails"
import { pool } from "@/lib/platform/database/db"

type File = { type: string; filename: string; content: Uint8Array }

/** The mail in which a receiver sends its report, as large ones do: gzip, with a subject of RFC 7489. */
export function reportMail(content: string | Uint8Array, file: Partial<File> = {}): Buffer {
  return mailWith([
    {
      type: "application/gzip",
      filename: "receiver.test!acme.test!1!2.xml.gz",
      content: typeof content === "string" ? gzipSync(content) : content,
      ...file,
    },
  ])
}

export function mailWith(files: File[], type?: string): Buffer {
  return Buffer.concat([
    mailWithFiles(files, ["From: Receiver <noreply@receiver.test>", "Subject: Report domain: acme.test"], type),
    Buffer.from("\r\n"),
  ])
}

export type TlsOptions = {
  domain: string
  reporter?: string
  reportId?: string
  succeeded?: number
  failures?: { result: string; sessions: number; host?: string }[]
}

/** A TLS report of yesterday as RFC 8460 describes it. */
export function tlsReportOf({
  domain,
  reporter = "Receiver Inc.",
  reportId = "t1",
  succeeded = 10,
  failures = [],
}: TlsOptions): string {
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  return JSON.stringify({
    "organization-name": reporter,
    "date-range": { "start-datetime": `${day}T00:00:00Z`, "end-datetime": `${day}T23:59:59Z` },
    "contact-info": "tls@receiver.test",
    "report-id": reportId,
    policies: [
      {
        policy: {
          "policy-type": "sts",
          "policy-string": ["version: STSv1", "mode: enforce"],
          "policy-domain": domain,
          "mx-host": [`*.${domain}`],
        },
        summary: {
          "total-successful-session-count": succeeded,
          "total-failure-session-count": failures.reduce((sum, { sessions }) => sum + sessions, 0),
        },
        "failure-details": failures.map(({ result, sessions, host }) => ({
          "result-type": result,
          "failed-session-count": sessions,
          "receiving-mx-hostname": host ?? "",
        })),
      },
    ],
  })
}

/** The address for reports of a project's domain. */
export async function reportAddress(projectId: string, domain: string): Promise<string> {
  const { rows } = await pool().query<{ token: string }>(
    `SELECT t.token FROM dmarc_tokens t JOIN projects p ON p.organization_id = t.organization_id
      WHERE p.id = $1 AND t.domain = $2`,
    [projectId, domain],
  )
  return `${rows[0]?.token}@dmarc.mailroom.test`
}
