import { Console } from "node:console"
import { buffer } from "node:stream/consumers"
import { parseReport } from "@/lib/domains/dmarc/parse"
import { ReportRefused, reportText } from "@/lib/domains/dmarc/unpack"
import { parseTlsReport } from "@/lib/domains/tls-reports/tls-report"
import { DocumentRefused, type DocumentTask, type Reading } from "@/lib/platform/documents/read-apart"
import { htmlOf, parseMessage } from "@/lib/sandbox/message"
import { judgeArrivedMail } from "@/lib/sandbox/verdicts"
import { parseMail } from "@/lib/submission/read-mail"

// The process in which documents of strangers are read: on stdin each document behind its length in four bytes, on stdout a
// line of JSON for each. It knows nothing of the installation but what a document says, and whoever started it gives it five seconds of CPU.

const tasks: Record<DocumentTask, (bytes: Buffer) => Promise<unknown>> = {
  async "dmarc-report"(bytes) {
    const xml = reportText(bytes)
    return { chars: xml.length, report: await parseReport(xml) }
  },
  "tls-report": (bytes) => Promise.resolve(parseTlsReport(reportText(bytes))),
  "sandbox-message": parseMessage,
  "email-html": htmlOf,
  "submitted-mail": parseMail,
  "arrived-mail": judgeArrivedMail,
}

// What a library prints is no answer.
globalThis.console = new Console(process.stderr)

const task = process.argv[2] as DocumentTask
const input = await buffer(process.stdin)
for (let at = 0; at < input.length;) {
  const end = at + 4 + input.readUInt32BE(at)
  const line = `${JSON.stringify(await readingOf(input.subarray(at + 4, end)))}\n`
  await new Promise<void>((resolve) => process.stdout.write(line, () => resolve()))
  at = end
}

async function readingOf(document: Buffer): Promise<Reading<unknown>> {
  try {
    return { value: await tasks[task](document) }
  } catch (error) {
    if (error instanceof DocumentRefused) return { refused: error.message }
    if (error instanceof ReportRefused) return { refused: error.message, fault: error.fault }
    throw error
  }
}
