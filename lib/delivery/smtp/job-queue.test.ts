import { expect, it } from "vitest"
import { createJobQueue, type Job, newJob } from "@/lib/delivery/smtp/job"

const ignore = () => {}

function jobOf(owner: string, number: number): Job {
  const mail = { from: "a@sender.example", to: `${owner}${number}@recipients.example`, message: Buffer.alloc(0) }
  return newJob(mail, "relay.example:25", { owner }, ignore, ignore)
}

const jobsOf = (owner: string, count: number) => Array.from({ length: count }, (_, number) => jobOf(owner, number))

const recipientsOf = (jobs: (Job | undefined)[]) => jobs.map((job) => job?.mail.to.split("@")[0])

it("serves one who comes with a mail after at most one of each other owner", () => {
  const queue = createJobQueue()
  jobsOf("a", 100).forEach(queue.add)
  expect(recipientsOf([queue.take()])).toEqual(["a0"])
  jobsOf("b", 2).forEach(queue.add)
  expect(recipientsOf(Array.from({ length: 5 }, queue.take))).toEqual(["a1", "b0", "a2", "b1", "a3"])
  expect(queue.size()).toBe(96)
})

it("serves before all others what was put back, and says which is next without taking it", () => {
  const queue = createJobQueue()
  jobsOf("a", 2).forEach(queue.add)
  const tried = queue.take()
  jobsOf("b", 1).forEach(queue.add)
  if (tried) queue.putBack(tried)
  expect(queue.next()).toBe(tried)
  expect(queue.take()).toBe(tried)
  expect(queue.size()).toBe(2)
})

it("removes a mail that is stopped wherever it waits, and no mail twice", () => {
  const queue = createJobQueue()
  const [first, second] = [jobOf("a", 0), jobOf("b", 0)]
  queue.add(first)
  queue.putBack(second)
  expect(queue.remove(first)).toBe(true)
  expect(queue.remove(first)).toBe(false)
  expect(queue.remove(second)).toBe(true)
  expect(queue.size()).toBe(0)
  expect(queue.take()).toBeUndefined()
})

it("empties itself in the order of owners, what was put back first", () => {
  const queue = createJobQueue()
  ;[...jobsOf("a", 2), ...jobsOf("b", 1)].forEach(queue.add)
  queue.putBack(jobOf("c", 0))
  expect(recipientsOf(queue.takeAll())).toEqual(["c0", "a0", "a1", "b0"])
  expect(queue.size()).toBe(0)
})
