import type { Metadata } from "next"
import { MessagePage } from "@/components/layout/message-page"
import { ButtonLink } from "@/components/ui/button"

export const metadata: Metadata = { title: "Not found" }

export default function NotFound() {
  return (
    <MessagePage
      title="There is nothing at this address"
      actions={
        <ButtonLink href="/" variant="primary">
          Go to the overview
        </ButtonLink>
      }
    >
      It may have been deleted, or it belongs to a project that you are not a member of.
    </MessagePage>
  )
}
