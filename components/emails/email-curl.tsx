import { CodeBlock } from "@/components/ui/code-block"
import { curlOf } from "@/components/emails/curl"
import type { Email } from "@/components/emails/types"

export default function EmailCurl({ email, baseUrl }: { email: Email; baseUrl: string }) {
  return <CodeBlock code={curlOf(email, baseUrl)} name="curl command" />
}
