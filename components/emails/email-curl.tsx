import { CodeBlock } from "@/components/ui/code-block"
import { curlOf } from "./curl"
import type { Email } from "./types"

export default function EmailCurl({ email, baseUrl }: { email: Email; baseUrl: string }) {
  return <CodeBlock code={curlOf(email, baseUrl)} name="curl command" />
}
