/** Events of the last hour are counted by periods of two minutes, which begin with even minutes. */
export const periodMs = 120_000
export const periodsOfHour = 30

/** The begin of the 30 periods that end with the one of this time. */
export function hourBefore(time: Date): Date {
  return new Date((Math.floor(time.getTime() / periodMs) + 1 - periodsOfHour) * periodMs)
}
