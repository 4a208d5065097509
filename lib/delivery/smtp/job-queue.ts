import type { Job } from "@/lib/delivery/smtp/job"

/** Mails that wait for a connection. */
export type JobQueue = {
  /** Behind those of its owner; the owners take turns. */
  add(job: Job): void
  /** Before all others. */
  putBack(job: Job): void
  /** The one that `take` would return. */
  next(): Job | undefined
  take(): Job | undefined
  /** False if it does not wait. */
  remove(job: Job): boolean
  /** Empties the queue. */
  takeAll(): Job[]
  size(): number
}

/** Mails of one owner leave in the order in which they came, and whoever sends one does not wait behind a hundred of another's. */
export function createJobQueue(): JobQueue {
  const returned: Job[] = []
  /** Whose turn it is comes first. */
  const ofOwners = new Map<string, Job[]>()
  let size = 0

  function ownerOf({ control }: Job): string {
    return control.owner ?? ""
  }

  function next(): Job | undefined {
    if (returned.length > 0) return returned[0]
    const [first] = ofOwners.values()
    return first?.[0]
  }

  function take(): Job | undefined {
    const job = next()
    if (!job) return undefined
    size -= 1
    if (returned.length > 0) return returned.shift()
    const owner = ownerOf(job)
    const jobs = ofOwners.get(owner) ?? []
    jobs.shift()
    ofOwners.delete(owner)
    if (jobs.length > 0) ofOwners.set(owner, jobs)
    return job
  }

  function remove(job: Job): boolean {
    const owner = ownerOf(job)
    const jobs = [returned, ofOwners.get(owner) ?? []].find((some) => some.includes(job))
    if (!jobs) return false
    jobs.splice(jobs.indexOf(job), 1)
    if (ofOwners.get(owner)?.length === 0) ofOwners.delete(owner)
    size -= 1
    return true
  }

  return {
    add(job) {
      const owner = ownerOf(job)
      const jobs = ofOwners.get(owner)
      if (jobs) jobs.push(job)
      else ofOwners.set(owner, [job])
      size += 1
    },
    putBack(job) {
      returned.unshift(job)
      size += 1
    },
    next,
    take,
    remove,
    takeAll() {
      const all = [...returned.splice(0), ...[...ofOwners.values()].flat()]
      ofOwners.clear()
      size = 0
      return all
    },
    size: () => size,
  }
}
