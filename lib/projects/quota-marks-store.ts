import { dayMs } from "@/lib/platform/time"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"

const minuteMs = 60_000
/** Notes once a minute what each organization has sent of its day; several workers write the same minute once. */
export async function markQuotas(): Promise<void> {
  const now = (await databaseTime()).getTime()
  const used = await unscoped().quotaDay.findMany({
    where: { day: new Date(now - (now % dayMs)) },
    select: { organizationId: true, used: true },
  })
  const at = new Date(now - (now % minuteMs))
  await unscoped().quotaMark.createMany({ data: used.map((day) => ({ ...day, at })), skipDuplicates: true })
}
