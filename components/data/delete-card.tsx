"use client"

import { useRouter } from "next/navigation"
import type { ReactNode } from "react"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { toast } from "@/components/ui/toast"

type DeleteCardProps = {
  /** "contact" */
  noun: string
  /** Its own name, which has to be typed. */
  name: string
  /** What is lost with it and what stays. */
  description: string
  remove: () => Promise<unknown>
  /** Where to go afterwards. */
  list: string
  /** What to know once it is deleted. */
  afterwards?: string
  /** What the dialog says. */
  children: ReactNode
}

/** The last card of a resource's page: deletes it after its name was typed, and goes to the list. */
export function DeleteCard({ noun, name, description, remove, list, afterwards, children }: DeleteCardProps) {
  const router = useRouter()
  async function confirmed() {
    await remove()
    router.push(list)
    toast.success(`${name} was deleted`, { description: afterwards })
  }
  const action = `Delete ${noun}`
  return (
    <Card aria-label={action}>
      <CardHeader
        title={action}
        description={description}
        actions={
          <ConfirmDialog
            trigger={<Button variant="outlined">{action}</Button>}
            title={`Delete ${name}?`}
            action={action}
            typeName={name}
            onConfirm={confirmed}
          >
            {children}
          </ConfirmDialog>
        }
      />
    </Card>
  )
}
