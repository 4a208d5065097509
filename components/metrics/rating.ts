import type { Tone } from "@/components/ui/pill"

export function ratingTone(rating: string): Tone {
  if (rating === "Critical") return "bad"
  return rating === "Needs attention" ? "warn" : "good"
}
