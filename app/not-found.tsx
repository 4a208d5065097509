import type { Metadata } from "next"
import { MessagePage } from "@/components/layout/bare-page"
import { buttonStyle } from "@/components/ui/button-style"

export const metadata: Metadata = { title: "Not found" }

export default function NotFound() {
  return (
    <MessagePage
      title="There is nothing at this address"
      actions={
        // eslint-disable-next-line @next/next/no-html-link-for-pages -- the code of a Link would be loaded with every page
        <a href="/" className={buttonStyle({ variant: "primary" })}>
          Go to the overview
        </a>
      }
    >
      It may have been deleted, or it belongs to a project that you are not a member of.
    </MessagePage>
  )
}
