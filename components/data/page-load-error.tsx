"use client"

import type { ComponentProps } from "react"
import { problemOf } from "@/components/data/problem"
import { LoadError } from "@/components/data/load-error"
import { ButtonLink } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
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
  const list = lists.at(-1)
  return (
    <>
      <PageHeader title={of} crumbs={[...lists, { label: of }]} />
      <Card>
        {list && problemOf(read.error).status === 404 ? (
          <EmptyState
            title={`${of} not found in this project`}
            action={<ButtonLink href={list.href}>{`All ${list.label.toLowerCase()}`}</ButtonLink>}
          >
            It was deleted, or it belongs to another project.
          </EmptyState>
        ) : (
          <LoadError {...read} />
        )}
      </Card>
    </>
  )
}
