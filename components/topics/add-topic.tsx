"use client"

import { Plus } from "lucide-react"
import { lazy, Suspense } from "react"
import type { DialogName } from "@/components/layout/dialog-names"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/skeleton"

const loadForm = () => import("@/components/topics/add-topic-form")
const AddTopicForm = lazy(loadForm)

export function AddTopic({ projectId }: { projectId: string }) {
  return (
    <Dialog
      trigger={
        <Button
          variant="primary"
          icon={<Plus />}
          onPointerEnter={() => void loadForm()}
          onFocus={() => void loadForm()}
        >
          Create topic
        </Button>
      }
      intent={"create-topic" satisfies DialogName}
      title="Create topic"
      description="A kind of email that people can subscribe to separately."
    >
      <Suspense fallback={<Skeleton className="h-80" />}>
        <AddTopicForm projectId={projectId} />
      </Suspense>
    </Dialog>
  )
}
