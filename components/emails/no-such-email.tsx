import { ButtonLink } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { PageHeader } from "@/components/ui/page-header"

export default function NoSuchEmail({ list }: { list: string }) {
  return (
    <>
      <PageHeader crumbs={[{ label: "Emails", href: list }]} title="No such email" />
      <Card>
        <EmptyState title="Email not found in this project" action={<ButtonLink href={list}>All emails</ButtonLink>}>
          This project has no such email. It may belong to another project.
        </EmptyState>
      </Card>
    </>
  )
}
