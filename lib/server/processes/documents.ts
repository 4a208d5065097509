import { buffer } from "node:stream/consumers"
import { parseReport } from "@/lib/domains/dmarc/parse"
import { ReportRefused, reportText } from "@/lib/domains/dmarc/unpack"
import { parseTlsReport } from "@/lib/domains/tls-reports/tls-report"
import type { DocumentTask } from "@/lib/platform/documents/read-apart"
import { refusedCode } from "@/lib/platform/jobs/run-apart"
import { htmlOf, parseMessage } from "@/lib/sandbox/message"

// The process in which documents of strangers are read: bytes on stdin, JSON on stdout. It knows nothing of the installation,
// and whoever started it gives it five seconds of CPU.

const tasks: Record<DocumentTask, (bytes: Buffer) => Promise<unknown>> = {
  async "dmarc-report"(bytes) {
    const xml = reportText(bytes)
    return { chars: xml.length, report: await parseReport(xml) }
  },
  "tls-report": (bytes) => Promise.resolve(parseTlsReport(reportText(bytes))),
  "sandbox-message": parseMessage,
  "email-html": htmlOf,
}

const task = process.argv[2] as DocumentTask
try {
  const result = JSON.stringify(await tasks[task](await buffer(process.stdin)))
  await new Promise<void>((resolve) => process.stdout.write(result, () => resolve()))
} catch (error) {
  if (!(error instanceof ReportRefused)) throw error
  process.stderr.write(error.message)
  process.exitCode = refusedCode
}
