import type { Activity } from '@trestle/contracts/activity'
import { z } from 'zod'

/** A use is saved so much later than the one before: it bounds what busy sessions write. */
export const USE_PRECISION_MS = 5 * 60_000

export interface SessionUse {
  /** Of a session. */
  readonly id: string
  readonly at: Date
}

const OfSession = z.object({ session: z.string() })

/** The last use of each session by requests to any service, none of them in the future. */
export function lastUses(activities: readonly Pick<Activity, 'serviceData' | 'createdAt'>[], now: Date): SessionUse[] {
  const uses = new Map<string, number>()
  for (const { serviceData, createdAt } of activities) {
    const at = Math.min(Date.parse(createdAt), now.getTime())
    for (const session of sessionsIn(serviceData)) uses.set(session, Math.max(uses.get(session) ?? 0, at))
  }
  return [...uses].map(([id, at]) => ({ id, at: new Date(at) }))
}

/** The record of a request names one, that of many JSON-RPC calls those whose tokens were presented. */
function sessionsIn({ actor, actors }: Activity['serviceData']): string[] {
  return [actor, ...(Array.isArray(actors) ? actors : [])].flatMap((each) => OfSession.safeParse(each).data?.session ?? [])
}
