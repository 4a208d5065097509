"use client"

import { useRouter } from "next/navigation"
import { useCall } from "@/components/data/use-call"
import { Button } from "@/components/ui/button"
import { toast } from "@/components/ui/toast"

export function ResumeButton({ projectId }: { projectId: string }) {
  const router = useRouter()
  const resume = useCall("POST /v1/projects/{projectId}/resume", ["GET /v1/projects/{projectId}", "GET /v1/session"])

  async function act() {
    try {
      await resume.mutateAsync({ params: { projectId } })
      router.refresh()
      toast.success("The project is active again", { description: "Email that waited is being sent." })
    } catch (error) {
      toast.error("The project was not resumed", { description: error instanceof Error ? error.message : undefined })
    }
  }

  return (
    <Button loading={resume.isPending} onClick={() => void act()}>
      Resume project
    </Button>
  )
}
