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

/** What an answer says of its service. One that has no front page there says so itself, and that is enough. */
export function areaStateOf(status: number, answer: unknown): Pick<AreaHealth, 'state' | 'version' | 'reason'> {
  const greeting = Greeting.safeParse(answer)
  if (status === 200 && greeting.success) return { state: 'up', version: greeting.data.version }
  const code = Refusal.safeParse(answer).data?.code
  if (code === 'ServiceNotDeployed') return { state: 'not deployed' }
  if (code && status < 500) return { state: 'up' }
  return { state: 'down', reason: code ?? `answered ${status}` }
}
