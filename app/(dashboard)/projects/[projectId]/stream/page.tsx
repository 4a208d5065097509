import type { Metadata } from "next"
import { LiveStream } from "@/components/stream/live-stream"
import { CurlDialog } from "@/components/data/curl-dialog"
import { NuqsAdapter } from "nuqs/adapters/next/app"
import { PageHeader } from "@/components/ui/page-header"
import { env } from "@/lib/platform/env/env"

export const metadata: Metadata = { title: "Live" }

export default async function StreamPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params
  const curl = streamCurl(env().baseUrl, projectId)
  return (
    <div data-wide>
      <PageHeader
        title="Live"
        meta={["What happens to this project's emails, as it happens"]}
        actions={
          <CurlDialog
            title="Read the stream with curl"
            description="A token opens one stream and expires after 60 seconds."
            code={curl}
          />
        }
      />
      <NuqsAdapter>
        <LiveStream projectId={projectId} curl={curl} />
      </NuqsAdapter>
    </div>
  )
}

/** The two commands that read the same stream from a terminal. */
function streamCurl(baseUrl: string, projectId: string): string {
  const token = [
    `curl -s -X POST ${baseUrl}/v1/emails/${projectId}/stream/token`,
    `-H "Authorization: Bearer $MAILROOM_API_KEY" | sed 's/.*"token":"\\([^"]*\\)".*/\\1/'`,
  ].join(" \\\n  ")
  return `TOKEN=$(${token})\ncurl -N "${baseUrl}/v1/emails/stream?token=$TOKEN"`
}
