import { MessagePage } from "@/components/layout/bare-page"
import { ButtonLink } from "@/components/ui/button"

export default function ProblemNotFound() {
  return (
    <MessagePage title="Problem not found" actions={<ButtonLink href="/problems">All problems</ButtonLink>}>
      No answer of this version has this code. It may have been cut off.
    </MessagePage>
  )
}
