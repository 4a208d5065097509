import { expect, test } from "vitest"
import { chatPayload, nextPostSeconds } from "@/lib/projects/notices/post"

const message = {
  title: "A & B",
  lead: "<!channel> happened.",
  action: "Open it",
  url: "https://mail.example.com/a?b=1&c=2",
}

test("what people named is text in the chat: it calls nobody and makes no link of its own", () => {
  const { text, blocks } = chatPayload({ ...message, paragraphs: ["<https://evil.example|Click>"] })
  expect(blocks.map((block) => block.text.text)).toEqual([
    "*A &amp; B*\n&lt;!channel&gt; happened.",
    "&lt;https://evil.example|Click&gt;",
    "<https://mail.example.com/a?b=1&amp;c=2|Open it>",
  ])
  expect(text).toBe(blocks.map((block) => block.text.text).join("\n\n"))
})

test("no block is longer than Slack takes", () => {
  const { blocks } = chatPayload({ ...message, paragraphs: ["x".repeat(10_000)] })
  expect(Math.max(...blocks.map((block) => block.text.text.length))).toBeLessThanOrEqual(3_000)
})

test("a post is tried six times, later if the target asks for it, and an hour later at most for that", () => {
  expect([1, 2, 3, 4, 5, 6].map((attempts) => nextPostSeconds(attempts))).toEqual([10, 60, 600, 3_600, 7_200, null])
  expect(nextPostSeconds(1, 30)).toBe(30)
  expect(nextPostSeconds(1, 86_400)).toBe(3_600)
  expect(nextPostSeconds(6, 30)).toBe(null)
})
