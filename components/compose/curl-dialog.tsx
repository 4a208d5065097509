import { sendCommand } from "@/components/emails/curl"
import { Button } from "@/components/ui/button"
import { CodeBlock } from "@/components/ui/code-block"
import { Dialog } from "@/components/ui/dialog"
import { bodyOf, type Fields } from "./fields"

/** The email as it stands in the form, as one command. */
export function CurlDialog({ fields, baseUrl }: { fields: Fields; baseUrl: string }) {
  return (
    <Dialog
      trigger={<Button>Show as curl</Button>}
      title="Send this email with curl"
      description="The same request as one command. Set MAILROOM_API_KEY to one of your keys first."
      size="large"
    >
      <Command fields={fields} baseUrl={baseUrl} />
    </Dialog>
  )
}

/** Made when the dialog opens, not with every key that is pressed. */
function Command({ fields, baseUrl }: { fields: Fields; baseUrl: string }) {
  const body = bodyOf(fields)
  const shown = { ...body, attachments: body.attachments?.map((file) => ({ ...file, content: shortened(file.content) })) }
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
