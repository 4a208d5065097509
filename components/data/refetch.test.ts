import { QueryClient, QueryObserver } from "@tanstack/react-query"
import { expect, test } from "vitest"
import { refetch } from "@/components/data/use-call"

const route = "GET /v1/projects/{projectId}/suppressions"
const queryKey = [route, { params: { projectId: "p" } }] as const

/** A page that reads something; `answers` end the reads one by one. */
function reading() {
  const client = new QueryClient()
  const answers: ((value: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve))
  const observer = new QueryObserver(client, { queryKey, queryFn, retry: false })
  observer.subscribe(() => {})
  return { client, answers, observer }
}

test("What a page was still reading for the first time when something was changed is read again", async () => {
  const { client, answers, observer } = reading()
  expect(answers).toHaveLength(1)
  const fresh = refetch(client, [route])
  answers[0]?.("before the change")
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.("after the change")
  await fresh
  expect(observer.getCurrentResult()).toMatchObject({ data: "after the change", isError: false })
})

test("What a page has read already stays until it is read again", async () => {
  const { client, answers, observer } = reading()
  answers[0]?.("before the change")
  await expect.poll(() => observer.getCurrentResult().data).toBe("before the change")
  const fresh = refetch(client, [route])
  expect(observer.getCurrentResult().data).toBe("before the change")
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.("after the change")
  await fresh
  expect(observer.getCurrentResult().data).toBe("after the change")
})
