"use client"

import { problemOf } from "@/components/data/call"
import { NotLoaded, type Read } from "@/components/data/load-error"
import { ButtonLink } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { PageHeader } from "@/components/ui/page-header"

type PageNotLoadedProps = {
  /** What the page is about: "Contact". */
  of: string
  /** The lists above it. */
  lists: { label: string; href: string }[]
  read: Read<unknown>
  /** How many rows of a table to expect. */
  rows?: number
  /** Why there may be no such thing. */
  missing?: string
}

/** A page while its object loads, or when it could not be read, with its heading and its way back. */
export function PageNotLoaded({
  of,
  lists,
  read,
  rows = 6,
  missing = "It was deleted, or it belongs to another project.",
}: PageNotLoadedProps) {
  const list = lists.at(-1)
  const { error } = read
  return (
    <>
      <PageHeader title={of} crumbs={[...lists, { label: of }]} />
      <Card>
        {list && error && problemOf(error).status === 404 ? (
          <EmptyState
            title={`${of} not found in this project`}
            action={<ButtonLink href={list.href}>{`All ${list.label.toLowerCase()}`}</ButtonLink>}
          >
            {missing}
          </EmptyState>
        ) : (
          <NotLoaded read={read} label={`the ${of.toLowerCase()}`} rows={rows} />
        )}
      </Card>
    </>
  )
}
