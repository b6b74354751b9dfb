import { z } from 'zod'

const Greeting = z.object({ name: z.string(), version: z.string() })
const Refusal = z.object({ code: z.string() })

export interface AreaHealth {
  readonly name: string
  readonly state: 'up' | 'down' | 'not deployed'
  readonly version?: string
  readonly latencyMs: number
  /** Why it is down. */
  readonly reason?: string
}

/** The health of an area, by the response of its service. One without a front page responds with a problem, which is enough. */
export function areaStateOf(status: number, reply: unknown): Pick<AreaHealth, 'state' | 'version' | 'reason'> {
  const greeting = Greeting.safeParse(reply)
  if (status === 200 && greeting.success) return { state: 'up', version: greeting.data.version }
  const code = Refusal.safeParse(reply).data?.code
  if (code === 'ServiceNotDeployed') return { state: 'not deployed' }
  if (code && status < 500) return { state: 'up' }
  return { state: 'down', reason: code ?? `answered ${status}` }
}
