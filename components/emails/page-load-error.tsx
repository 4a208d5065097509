"use client"

import type { ComponentProps } from "react"
import { LoadError } from "@/components/emails/load-error"
import { Card } from "@/components/ui/card"
import { PageHeader } from "@/components/ui/page-header"

type PageLoadErrorProps = Omit<ComponentProps<typeof LoadError>, "title"> & {
  /** What the page is about: "Contact". */
  of: string
  /** The lists above it. */
  lists: { label: string; href: string }[]
  title?: string
}

/** A page whose object could not be read keeps its heading and its way back. */
export function PageLoadError({ of, lists, ...read }: PageLoadErrorProps) {
  return (
    <>
      <PageHeader title={of} crumbs={[...lists, { label: of }]} />
      <Card>
        <LoadError {...read} />
      </Card>
    </>
  )
}
