import { expect, test } from "vitest"
import { waysToSend } from "@/components/operator/setup-words"

test("the commands for Amazon SES let the topic send to the queue before it is subscribed", () => {
  const steps = waysToSend.find(({ name }) => name === "Amazon SES")?.steps ?? []
  const commands = steps.flatMap(({ lines = "" }) => lines.split("\n").filter((line) => line.startsWith("aws ")))
  const at = (words: string) => commands.findIndex((command) => command.startsWith(`aws ${words}`))
  const allowed = at("sqs set-queue-attributes --queue-url QUEUE_URL --attributes ")
  const { Policy } = JSON.parse(/'(.*)'$/.exec(commands[allowed] ?? "")?.[1] ?? "{}") as { Policy?: string }
  expect(JSON.parse(Policy ?? "{}")).toMatchObject({
    Statement: [
      {
        ...{ Effect: "Allow", Principal: { Service: "sns.amazonaws.com" }, Action: "sqs:SendMessage" },
        ...{ Resource: "QUEUE_ARN", Condition: { ArnEquals: { "aws:SourceArn": "TOPIC_ARN" } } },
      },
    ],
  })
  // Each answers with what the next ones name.
  expect(at("sqs create-queue")).toBeLessThan(at("sqs get-queue-attributes"))
  expect(Math.max(at("sqs get-queue-attributes"), at("sns create-topic"))).toBeLessThan(allowed)
  expect(allowed).toBeLessThan(at("sns subscribe"))
})
