import { countChange, rateChange, type Change, type Wished } from "@/components/overview/changes"
import { percent } from "@/components/overview/percent"

type CountName = "sent" | "delivered" | "bounced"
type RateName = "deliveryRate" | "bounceRate" | "complaintRate"
type Counts = Record<CountName | RateName, number>

export type Figure = {
  label: string
  /** How it is counted. */
  means: string
  value: (counts: Counts) => string
  change: (now: Counts, before: Counts) => Change | undefined
  /** Its height on the line of one day. */
  point: (day: Counts) => number
  write: (point: number) => string
}

export const figures: Figure[] = [
  counted(
    "Sent",
    "sent",
    "either",
    "Deliveries that a mail server answered: one for each recipient, whatever the answer.",
  ),
  counted("Delivered", "delivered", "more", "Recipients whose mail server took the email."),
  counted("Bounced", "bounced", "less", "Recipients whose address does not exist: hard bounces only."),
  rated("Delivery rate", "deliveryRate", "sent", "more", "Delivered, of all sent."),
  rated(
    "Bounce rate",
    "bounceRate",
    "sent",
    "less",
    "Hard bounces, of all sent. Below 2 % is well; providers act above 5 %.",
  ),
  rated(
    "Complaint rate",
    "complaintRate",
    "delivered",
    "less",
    "Recipients who marked the email as spam, of all delivered. Below 0.1 % is well; providers act above 0.3 %.",
  ),
]

function counted(label: string, name: CountName, wished: Wished, means: string): Figure {
  const write = (count: number) => count.toLocaleString("en")
  return {
    label,
    means,
    value: (counts) => write(counts[name]),
    change: (now, before) => countChange(now[name], before[name], wished),
    point: (day) => day[name],
    write,
  }
}

function rated(label: string, name: RateName, base: CountName, wished: Wished, means: string): Figure {
  const share = (counts: Counts) => ({ rate: counts[name], base: counts[base] })
  return {
    label,
    means,
    // A rate of nothing says nothing.
    value: (counts) => (counts[base] > 0 ? percent(counts[name]) : "–"),
    change: (now, before) => rateChange(share(now), share(before), wished),
    point: (day) => day[name],
    write: percent,
  }
}
