import { ButtonLink } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { PageHeader } from "@/components/ui/page-header"

export default function NotFound() {
  return (
    <>
      <PageHeader title="Not found" />
      <Card>
        <EmptyState
          title="There is nothing at this address"
          action={
            <ButtonLink variant="primary" href="/">
              Go to the overview
            </ButtonLink>
          }
        >
          It may have been deleted, or the address is incomplete. Search with Ctrl K, or use the navigation.
        </EmptyState>
      </Card>
    </>
  )
}
