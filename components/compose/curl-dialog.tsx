import { lazy, Suspense } from "react"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/skeleton"
import type { Fields } from "@/components/compose/fields"

const loadCommand = () => import("@/components/compose/curl-command")
const CurlCommand = lazy(loadCommand)

/** The email as it stands in the form, as one command: made when the dialog opens, not with every key that is pressed. */
export function CurlDialog({ fields, baseUrl }: { fields: Fields; baseUrl: string }) {
  return (
    <Dialog
      trigger={
        <Button onPointerEnter={() => void loadCommand()} onFocus={() => void loadCommand()}>
          Show as curl
        </Button>
      }
      title="Send this email with curl"
      description="The same request as one command. Set MAILROOM_API_KEY to one of your keys first."
      size="large"
    >
      <Suspense fallback={<Skeleton className="h-60" />}>
        <CurlCommand fields={fields} baseUrl={baseUrl} />
      </Suspense>
    </Dialog>
  )
}
