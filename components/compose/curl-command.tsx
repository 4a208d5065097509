import { sendCommand } from "@/components/emails/curl"
import { CodeBlock } from "@/components/ui/code-block"
import { audienceIn } from "@/components/compose/addresses"
import { broadcastOf } from "@/components/compose/broadcast"
import { bodyOf, type Fields } from "@/components/compose/fields"

type CurlCommandProps = { fields: Fields; projectId: string; baseUrl: string }

export default function CurlCommand({ fields, projectId, baseUrl }: CurlCommandProps) {
  const [path, body] = audienceIn(fields.to)
    ? [`/v1/projects/${projectId}/broadcasts`, broadcastOf(fields)]
    : ["/v1/emails", bodyOf(fields)]
  const shown = {
    ...body,
    attachments: body.attachments?.map((file) => ({ ...file, content: shortened(file.content) })),
  }
  return (
    <CodeBlock code={sendCommand(baseUrl, body, path)} name="curl command">
      {sendCommand(baseUrl, shown, path)}
    </CodeBlock>
  )
}

/** Files would bury the rest; the copy holds them whole. */
function shortened(content: string): string {
  return content.length > 60 ? `${content.slice(0, 40)}…` : content
}
