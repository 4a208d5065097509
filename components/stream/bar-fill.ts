/** The shade of each type, in bars and in the dots of their chips. */
export const barFill: Record<string, string> = {
  sent: "fill-line-field",
  delivered: "fill-good",
  opened: "fill-good/70",
  clicked: "fill-[color-mix(in_srgb,var(--good),var(--text)_55%)]",
  bounced: "fill-bad",
  complained: "fill-bad",
  unsubscribed: "fill-wait",
}
