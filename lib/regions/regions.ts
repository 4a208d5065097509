/** The cloud regions, in the order in which they are offered. */
export const regionNames = ["us-east-1", "eu-west-1", "af-south-1", "ap-southeast-1"] as const

export type Region = (typeof regionNames)[number]

const labels: Record<Region, string> = {
  "us-east-1": "US East (N. Virginia)",
  "eu-west-1": "EU (Ireland)",
  "af-south-1": "Africa (Cape Town)",
  "ap-southeast-1": "Asia Pacific (Singapore)",
}

export function regionLabel(region: string): string {
  return labels[region as Region] ?? region
}
