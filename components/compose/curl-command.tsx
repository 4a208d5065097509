import { sendCommand } from "@/components/emails/curl"
import { CodeBlock } from "@/components/ui/code-block"
import { bodyOf, type Fields } from "@/components/compose/fields"

export default function CurlCommand({ fields, baseUrl }: { fields: Fields; baseUrl: string }) {
  const body = bodyOf(fields)
  const shown = {
    ...body,
    attachments: body.attachments?.map((file) => ({ ...file, content: shortened(file.content) })),
  }
  return (
    <CodeBlock code={sendCommand(baseUrl, body)} name="curl command">
      {sendCommand(baseUrl, shown)}
    </CodeBlock>
  )
}

/** Files would bury the rest; the copy holds them whole. */
function shortened(content: string): string {
  return content.length > 60 ? `${content.slice(0, 40)}…` : content
}
